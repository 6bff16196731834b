import { useStore } from '@nanostores/react';
import { useEffect, useRef } from 'react';
import { $search, search } from '../stores/search.ts';
import type { SearchTexts } from '../texts.ts';

/** Finds a name in a large catalogue; hydrated to answer as the visitor types. Without script the pages are there. */
export function DomainSearch({ count, texts }: { count: number; texts: SearchTexts }) {
  const input = useRef<HTMLInputElement>(null);
  const state = useStore($search, { ssr: 'initial' });

  useEffect(() => {
    // Typed before hydration.
    if (input.current?.value) void search(input.current.value);
  }, []);

  return (
    <search className="search">
      <label className="field">
        <b>{filled(texts.label, { count })}</b>
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
          {texts.failed}
        </p>
      ) : (
        <p role="status">{statusOf(state, texts)}</p>
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

function statusOf(state: ReturnType<typeof $search.get>, texts: SearchTexts): string {
  if (state.status === 'working') return texts.working;
  if (state.status !== 'found') return '';
  const { count, query } = state;
  const shown = state.names.length;
  if (count === 0) return filled(texts.none, { query });
  if (count === 1) return texts.one;
  return filled(count > shown ? texts.first : texts.many, { count, shown });
}

/** Fills the gaps of a text; numbers as the page's language writes them. */
function filled(text: string, gaps: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (_, gap: string) => gaps[gap]?.toLocaleString('en-US') ?? '');
}
