import { useStore } from '@nanostores/react';
import { useEffect, useRef } from 'react';
import { interpolate } from '../i18n/interpolate.ts';
import type { SearchMessages } from '../i18n/messages.ts';
import { $search, search } from '../stores/search.ts';
import { island } from './island.ts';

interface Props {
  count: number;
  language: string;
  /** Path prefix of the language: empty, or `/de`. */
  prefix: string;
  messages: SearchMessages;
}

/** Searches the names of a large catalogue as the visitor types. Without JavaScript, the pages of domains remain. */
export const DomainSearch = island(function DomainSearch({ count, language, prefix, messages }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const state = useStore($search, { ssr: 'initial' });

  useEffect(() => {
    // Typed before hydration.
    if (input.current?.value) void search(input.current.value);
  }, []);

  const status = statusOf(state, messages, language);
  return (
    <search className="search">
      <label className="field">
        <b>{interpolate(messages.label, { count }, language)}</b>
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
          {messages.failed}
        </p>
      ) : (
        <p role="status">
          <span key={status}>{status}</span>
        </p>
      )}
      {state.status === 'found' && state.names.length > 0 && (
        <ul>
          {state.names.map(({ name, shown }) => (
            <li key={name}>
              <a href={`${prefix}/sites/${name}/`}>{shown}</a>
            </li>
          ))}
        </ul>
      )}
    </search>
  );
});

function statusOf(state: ReturnType<typeof $search.get>, messages: SearchMessages, language: string): string {
  if (state.status === 'working') return messages.working;
  if (state.status !== 'found') return '';
  const { count, query } = state;
  const shown = state.names.length;
  if (count === 0) return interpolate(messages.none, { query });
  if (count === 1) return messages.one;
  return interpolate(count > shown ? messages.first : messages.many, { count, shown }, language);
}
