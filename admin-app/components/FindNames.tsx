import { useStore } from '@nanostores/react';
import type { NameSort } from '#contract/calls.ts';
import { namesStore } from '../stores/names-admin.ts';
import {
  isAllNames,
  isOfVisits,
  MAX_TERM_LENGTH,
  NAME_STATES,
  type NamesView,
} from '../stores/names-view.ts';
import { Icon } from './Icon.tsx';
import { STATE_WORDS } from './StateWord.tsx';
import { formatNumber } from './use-counts.ts';
import { useNameCounts } from './use-names.ts';

/** One choice at a time: it takes the place of any other. */
interface Choice {
  readonly text: string;
  readonly count: number | undefined;
  readonly part: Pick<NamesView, 'state' | 'only'>;
}

const SORT_TEXTS = {
  name: ['Name, A to Z', 'Name, Z to A'],
  state: ['For sale first', 'Sold first'],
  price: ['Lowest price first', 'Highest price first'],
  offers: ['Fewest offers first', 'Most offers first'],
  last_offer: ['Oldest offer first', 'Newest offer first'],
  visits_7: ['Fewest visits in 7 days first', 'Most visits in 7 days first'],
  visits_30: ['Fewest visits first', 'Most visits first'],
} as const satisfies Record<NameSort, [ascending: string, descending: string]>;

/** Search, filters and order of the list. @param isCounted whether visits are */
export function FindNames({ isCounted }: { isCounted: boolean }) {
  const view = useStore(namesStore.$view);
  const counts = useNameCounts();
  const total = counts && Object.values(counts.state).reduce((sum, count) => sum + count, 0);
  const states: Choice[] = [
    { text: 'All', count: total, part: {} },
    ...NAME_STATES.map((state) => ({
      text: STATE_WORDS[state],
      count: counts?.state[state],
      part: { state },
    })),
  ];
  const questions: Choice[] = [
    { text: 'With offers', count: counts?.offers, part: { only: 'offers' } },
    { text: 'No price', count: counts?.no_price, part: { only: 'no_price' } },
  ];
  const isChosen = ({ part }: Choice) => part.state === view.state && part.only === view.only;
  const choose = ({ part }: Choice) => namesStore.setView({ state: undefined, only: undefined, ...part });
  const buttonOf = (choice: Choice) => (
    <button
      key={choice.text}
      type="button"
      aria-pressed={isChosen(choice)}
      // A second press removes what the first one added.
      onClick={() => choose(isChosen(choice) ? { ...choice, part: {} } : choice)}
    >
      <span>{choice.text}</span>
      <b key={choice.count}>{numberOf(choice.count)}</b>
    </button>
  );
  const all = [...states, ...questions];
  const optionOf = ({ text, count }: Choice) => (
    <option key={text} value={text}>
      {`${text === 'All' ? 'All names' : text}${numberOf(count)}`}
    </option>
  );
  return (
    <search className="find find-names">
      <Search view={view} />
      <select
        className="input statuses"
        aria-label="Filter"
        data-selected={!isAllNames({ ...view, term: undefined }) || undefined}
        value={all.find(isChosen)?.text}
        onChange={({ target }) => {
          const choice = all.find(({ text }) => text === target.value);
          if (choice) choose(choice);
        }}
      >
        <optgroup label="State">{states.map(optionOf)}</optgroup>
        <optgroup label="Only">{questions.map(optionOf)}</optgroup>
      </select>
      <Sort view={view} isCounted={isCounted || isOfVisits(view.sort)} />
      <fieldset aria-label="Filter">
        {states.map(buttonOf)}
        <i />
        {questions.map(buttonOf)}
      </fieldset>
    </search>
  );
}

function numberOf(count: number | undefined): string {
  return count === undefined ? '' : ` ${formatNumber(count)}`;
}

function Search({ view }: { view: NamesView }) {
  const text = useStore(namesStore.$text);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        namesStore.search();
      }}
    >
      <span>
        <Icon name="search" />
        <input
          className="input"
          type="search"
          aria-label="Search names"
          placeholder="Name"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="search"
          maxLength={MAX_TERM_LENGTH}
          value={text}
          onChange={({ target }) => namesStore.typeText(target.value)}
        />
        <button
          type="button"
          className="clear"
          data-shown={!isAllNames(view) || undefined}
          onClick={namesStore.showAll}
        >
          Show all
        </button>
      </span>
    </form>
  );
}

/** `1 name`, `10,000 names` */
export function namesOf(names: number): string {
  return names === 1 ? '1 name' : `${formatNumber(names)} names`;
}

/** The same as the titles of the columns, and all there is where rows are cards. */
function Sort({ view, isCounted }: { view: NamesView; isCounted: boolean }) {
  const sorts = (Object.entries(SORT_TEXTS) as [NameSort, readonly [string, string]][]).filter(
    ([sort]) => isCounted || !isOfVisits(sort),
  );
  return (
    <select
      className="input"
      aria-label="Sort"
      value={`${view.sort} ${view.descending}`}
      onChange={({ target }) => {
        const [sort, descending] = target.value.split(' ');
        namesStore.setView({ sort: sort as NameSort, descending: descending === 'true' });
      }}
    >
      {sorts.flatMap(([sort, texts]) =>
        texts.map((text, index) => (
          <option key={text} value={`${sort} ${index === 1}`}>
            {text}
          </option>
        )),
      )}
    </select>
  );
}
