import { useStore } from '@nanostores/react';
import { useEffect, useRef } from 'react';
import { $search, search } from '../stores/search.ts';
import { texts } from '../texts.ts';

/** Finds a name in a large catalogue; hydrated to answer as the visitor types. Without script the pages are there. */
export function DomainSearch({ count }: { count: number }) {
  const input = useRef<HTMLInputElement>(null);
  const state = useStore($search, { ssr: 'initial' });

  useEffect(() => {
    // Typed before hydration.
    if (input.current?.value) void search(input.current.value);
  }, []);

  return (
    <search className="search">
      <label className="field">
        <b>{texts.search.label(count)}</b>
        <input
          ref={input}
          type="search"
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => void search(event.currentTarget.value)}
        />
      </label>
      {state.status === 'failed' ? (
        <p className="error" role="alert">
          {texts.search.failed}
        </p>
      ) : (
        <p role="status">{statusOf(state)}</p>
      )}
      {state.status === 'found' && state.names.length > 0 && (
        <ul>
          {state.names.map((name) => (
            <li key={name}>
              <a href={`/sites/${name}/`}>{name}</a>
            </li>
          ))}
        </ul>
      )}
    </search>
  );
}

function statusOf(state: ReturnType<typeof $search.get>): string {
  if (state.status === 'working') return texts.search.working;
  if (state.status !== 'found') return '';
  const { count, names, query } = state;
  return count === 0 ? texts.search.none(query) : texts.search.found(count, names.length);
}
