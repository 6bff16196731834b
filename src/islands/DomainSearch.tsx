import { useStore } from '@nanostores/react';
import { memo, useEffect, useLayoutEffect, useRef } from 'react';
import { interpolate } from '#contract/interpolate.ts';
import { breakBeforeEnding } from '../domain-name/break-before-ending.ts';
import type { OwnMessages } from '../i18n/messages.ts';
import {
  $descriptions,
  $search,
  LENGTHS,
  loadDescriptions,
  type Result,
  type SearchState,
  search,
  showMore,
} from '../stores/search.ts';

type SearchMessages = OwnMessages['search'];

interface Props {
  count: number;
  /** Those that can be chosen. */
  endings: readonly string[];
  language: string;
  /** Path prefix of the language: empty, or `/de`. */
  prefix: string;
  /** Language of prices, where it differs. */
  ownersLanguage?: string | undefined;
  messages: SearchMessages;
}

/** Searches the names of a large catalogue as the visitor types or chooses. Hidden where there is no JavaScript. */
export const DomainSearch = memo(function DomainSearch(props: Props) {
  const { count, endings, language, prefix, messages } = props;
  const filters = useRef<HTMLDivElement>(null);
  const state = useStore($search, { ssr: 'initial' });

  function update() {
    const fields = filters.current?.querySelectorAll<HTMLInputElement | HTMLSelectElement>('.input') ?? [];
    const [text = '', ending = '', length = ''] = [...fields].map(({ value }) => value);
    void search({ text, ending, length });
  }

  // Typed or chosen before hydration.
  useEffect(update, []);

  const hasResults = state.status === 'found' && state.names.length > 0;
  useEffect(() => {
    if (hasResults) void loadDescriptions(prefix);
  }, [hasResults, prefix]);

  const status = statusOf(state, messages, language);
  return (
    <search className="search">
      <div ref={filters} className="filters">
        <label>
          <b>{interpolate(messages.label, { count }, language)}</b>
          <input className="input" type="search" autoComplete="off" spellCheck={false} onChange={update} />
        </label>
        <label>
          <b>{messages.ending.label}</b>
          <select className="input" autoComplete="off" onChange={update}>
            <option value="">{messages.ending.all}</option>
            {endings.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <label>
          <b>{messages.length.label}</b>
          <select className="input" autoComplete="off" onChange={update}>
            <option value="">{messages.length.all}</option>
            {LENGTHS.map((range, index) => (
              <option key={range[0]} value={index}>
                {lengthText(range, messages.length)}
              </option>
            ))}
          </select>
        </label>
      </div>
      {state.status === 'failed' ? (
        <p className="error" role="alert">
          {messages.failed}
        </p>
      ) : (
        <p role="status">
          <span key={status}>{status}</span>
        </p>
      )}
      {hasResults && <Results {...props} names={state.names} count={state.count} />}
    </search>
  );
});

/** @param props.count of all results, of which `names` are shown */
function Results({ names, count, prefix, ownersLanguage, messages }: Props & { names: Result[] }) {
  const descriptions = useStore($descriptions, { ssr: 'initial' });
  const list = useRef<HTMLUListElement>(null);
  /** Number of results before the visitor asked for more. */
  const before = useRef<number>(undefined);

  // The button moves away, or is gone.
  useLayoutEffect(() => {
    if (before.current === undefined || before.current === names.length) return;
    list.current?.children[before.current]?.querySelector('a')?.focus();
    before.current = undefined;
  }, [names]);

  return (
    <>
      <ul ref={list} className="names">
        {names.map(({ name, shown, index }) => (
          <li key={name}>
            <a href={`${prefix}/sites/${name}/`} translate="no">
              <Name name={shown} />
            </a>
            {descriptions?.[index]?.price && (
              <strong lang={ownersLanguage}>{descriptions[index].price}</strong>
            )}
            <span lang={descriptions?.[index]?.lang}>{descriptions?.[index]?.text}</span>
          </li>
        ))}
      </ul>
      {count > names.length && (
        <button
          type="button"
          className="button quiet"
          onClick={() => {
            before.current = names.length;
            showMore();
          }}
        >
          {messages.more}
        </button>
      )}
    </>
  );
}

/** As components/DomainName.astro. */
function Name({ name }: { name: string }) {
  const [stem, ending] = breakBeforeEnding(name);
  return (
    <>
      {stem}
      <wbr />
      <i>.</i>
      {ending}
    </>
  );
}

function lengthText([least, most]: (typeof LENGTHS)[number], texts: SearchMessages['length']): string {
  if (least === LENGTHS[0][0]) return interpolate(texts.upTo, { most });
  return interpolate(least === LENGTHS.at(-1)?.[0] ? texts.from : texts.between, { least, most });
}

function statusOf(state: SearchState, messages: SearchMessages, language: string): string {
  if (state.status === 'working') return messages.working;
  if (state.status !== 'found') return '';
  const { count, query } = state;
  const shown = state.names.length;
  if (count === 0) {
    return query.ending || query.length
      ? messages.noneFiltered
      : interpolate(messages.none, { query: query.text });
  }
  if (count === 1) return messages.one;
  return interpolate(count > shown ? messages.first : messages.many, { count, shown }, language);
}
