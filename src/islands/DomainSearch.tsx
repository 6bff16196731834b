import { useStore } from '@nanostores/react';
import { memo, useEffect, useLayoutEffect, useRef } from 'react';
import { interpolate } from '#contract/interpolate.ts';
import { breakName } from '../domain-name/break-name.ts';
import { sizeOf } from '../domain-name/size-of.ts';
import type { OwnMessages } from '../i18n/messages.ts';
import { reselect } from '../page-scripts/follow-cards.ts';
import {
  $descriptions,
  $search,
  type DomainDescription,
  LENGTHS,
  type Result,
  retrySearch,
  type SearchState,
  search,
  showMore,
} from '../stores/search.ts';
import { $selected } from '../stores/selection.ts';

type SearchMessages = OwnMessages['search'];

interface Props {
  count: number;
  /** Those that can be chosen. */
  endings: readonly string[];
  language: string;
  /** Path prefix of the language: empty, or `/de`. */
  prefix: string;
  messages: SearchMessages;
  /** Whether results show prices, and can be sorted by them. */
  hasPrices: boolean;
  /** The title of the results where they are cards to select; absent: they are links. */
  choose?: string | undefined;
}

/** Searches the names of a large catalogue as the visitor types or chooses. Hidden where there is no JavaScript. */
export const DomainSearch = memo(function DomainSearch(props: Props) {
  const { count, endings, language, prefix, messages, hasPrices, choose } = props;
  const filters = useRef<HTMLDivElement>(null);
  const state = useStore($search, { ssr: 'initial' });

  function update() {
    const fields = filters.current?.querySelectorAll<HTMLInputElement | HTMLSelectElement>('.input') ?? [];
    const [text = '', ending = '', length = '', sort = ''] = [...fields].map(({ value }) => value);
    void search({ text, ending, length, sort }, prefix);
  }

  // Typed or chosen before hydration.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(update, []);

  const found = state.status === 'found' ? state : undefined;
  const shown = found?.near?.names ?? found?.names ?? [];
  const hasResults = shown.length > 0;

  // The page's own cards are hidden while there are others.
  useLayoutEffect(() => {
    if (choose !== undefined) reselect();
  });

  const status = statusOf(state, messages, language);
  return (
    <search className="search">
      <div ref={filters} className="filters">
        <label>
          <b>{interpolate(messages.label, { count }, language)}</b>
          <input
            className="input"
            type="search"
            autoComplete="off"
            spellCheck={false}
            onChange={update}
            onKeyDown={({ key }) => key === 'Enter' && retrySearch()}
          />
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
        {hasPrices && (
          <label>
            <b>{messages.sort.label}</b>
            <select className="input" autoComplete="off" onChange={update}>
              <option value="">{messages.sort.none}</option>
              <option value="up">{messages.sort.up}</option>
              <option value="down">{messages.sort.down}</option>
            </select>
          </label>
        )}
      </div>
      {state.status === 'failed' ? (
        <p className="error" role="alert">
          {messages.failed}
        </p>
      ) : (
        <p role="status" className={found?.count === 0 ? 'none' : undefined}>
          <span key={status}>{status}</span>
        </p>
      )}
      {found && hasResults && (
        <Results
          {...props}
          names={shown}
          count={found.count}
          title={found.near ? messages.near[found.near.by] : choose}
        />
      )}
      {found?.count === 0 && (
        <a className="button quiet" href={`${prefix}/domains/`}>
          {interpolate(messages.showAll, { count }, language)}
        </a>
      )}
    </search>
  );
});

interface ResultsProps extends Props {
  names: Result[];
  /** Of all results, of which `names` are shown. */
  count: number;
  title: string | undefined;
}

function Results(props: ResultsProps) {
  const { names, count, messages, choose, title } = props;
  const descriptions = useStore($descriptions, { ssr: 'initial' });
  const list = useRef<HTMLFieldSetElement & HTMLUListElement>(null);
  /** Number of results before the visitor asked for more. */
  const before = useRef<number>(undefined);

  // The button moves away, or is gone.
  useLayoutEffect(() => {
    if (before.current === undefined || before.current === names.length) return;
    list.current?.querySelectorAll<HTMLElement>('a, input')[before.current]?.focus();
    before.current = undefined;
  }, [names]);

  // The selected one may be among them no more, and its description may have come.
  useLayoutEffect(() => {
    if (choose !== undefined) reselect();
  });

  return (
    <>
      {choose === undefined ? (
        <>
          {title && <h2>{title}</h2>}
          <ul ref={list} className="cards">
            {names.map((result) => (
              <li key={result.name} className="card">
                <a href={`${props.prefix}/sites/${result.name}/`}>
                  <b data-size={sizeOf(result.shown)} translate="no">
                    <Name name={result.shown} />
                  </b>
                </a>
                <Texts {...props} described={descriptions?.[result.index]} />
              </li>
            ))}
          </ul>
        </>
      ) : (
        <fieldset ref={list} className="cards">
          <legend>{title}</legend>
          {names.map((result) => (
            <Card key={result.name} {...props} result={result} described={descriptions?.[result.index]} />
          ))}
        </fieldset>
      )}
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

type Described = Partial<DomainDescription> | undefined;

/** As in components/DomainCards.astro. */
function Card({ result, described, ...props }: Props & { result: Result; described: Described }) {
  const { name, shown } = result;
  const { hasBroker, hasMinimum, price, priceLang, buyNow, instalments } = described ?? {};
  return (
    <label className="card">
      <input
        type="radio"
        // Not that of the page's cards: React rejects a group that is not all its own.
        name="result"
        value={name}
        defaultChecked={$selected.get()?.name === name}
        data-shown={shown === name ? undefined : shown}
        data-broker={hasBroker}
        data-minimum={hasMinimum}
        data-price={price}
        data-price-lang={priceLang}
        data-buy-now={buyNow}
        data-instalments={instalments}
      />
      <b data-size={sizeOf(shown)} translate="no">
        <Name name={shown} />
      </b>{' '}
      <Texts {...props} described={described} />
    </label>
  );
}

/** As components/CardTexts.astro. */
function Texts({ hasPrices, described }: Props & { described: Described }) {
  const { price, priceLang } = described ?? {};
  return (
    <>
      {hasPrices && price && (
        <strong lang={priceLang} translate={priceLang ? undefined : 'no'}>
          {price}
        </strong>
      )}{' '}
      {/* Its line is kept free until the descriptions have come. */}
      <span lang={described?.lang} hidden={described && !described.text}>
        {described ? described.text : '\u00a0'}
      </span>
    </>
  );
}

/** As components/DomainName.astro. */
function Name({ name }: { name: string }) {
  const [head, tail, ending] = breakName(name);
  return (
    <>
      {head}
      <wbr />
      {tail}
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
