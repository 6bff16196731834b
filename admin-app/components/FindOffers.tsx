import { useStore } from '@nanostores/react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useContext, useEffect, useId, useRef, useState } from 'react';
import {
  $text,
  clearFilter,
  exportOffers,
  offersStore,
  search,
  setFilter,
  typeText,
} from '../stores/admin.ts';
import { isEmptyFilter, MAX_TERM_LENGTH, type OfferFilter, SORTS, termOf } from '../stores/fragment.ts';
import { type Choice, choicesOf, pressed, selected } from './filter-choices.ts';
import { Icon } from './Icon.tsx';
import './find-offers.css';
import { ShownNames } from './shown-names.ts';
import { countOf, formatNumber, useCounts } from './use-counts.ts';
import type { Offers } from './use-offers.ts';

/** Search field and filters of the list. Nothing while there are no offers, or where the database has another schema. */
export function FindOffers({ offers }: { offers: Offers }) {
  const filter = useStore(offersStore.$filter);
  const counts = useCounts();
  const { data: schemaProblem } = useQuery(offersStore.schemaQuery);
  const [isOpen, setOpen] = useState(false);
  const [hasMore, setMore] = useState(false);
  useFocusAfterRow(offers.status === 'loaded' ? offers.pages : undefined);

  const isFiltered = !isEmptyFilter(filter);
  // Stays while another list is loaded: the focus is in it.
  const isRead = offers.status === 'loaded' && !offers.reloading;
  const apart = counts ? counts.held + counts.low : 0;
  const shouldOpen = isFiltered || apart > 0 || (isRead ? offers.list.index.total > 0 : isOpen);
  if (shouldOpen !== isOpen) setOpen(shouldOpen);
  if (schemaProblem || !shouldOpen) return null;

  const choices = choicesOf(filter, counts);
  return (
    <search className="find" data-more={hasMore || filter.domain !== undefined || undefined}>
      <SearchField filter={filter} offers={offers} />
      <StatusField groups={choices} />
      {counts && <Sort selected={filter.sort} />}
      <button
        type="button"
        className="button quiet more"
        aria-label="Domain, Export"
        aria-expanded={hasMore}
        onClick={() => setMore(!hasMore)}
      >
        <Icon name="more" />
      </button>
      <Domains selected={filter.domain} domains={counts?.domains ?? []} />
      <ExportButton />
      <Statuses groups={choices} />
    </search>
  );
}

function SearchField({ filter, offers }: { filter: OfferFilter; offers: Offers }) {
  const text = useStore($text);
  const hintId = useId();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        search();
      }}
    >
      <span>
        <Icon name="search" />
        <input
          className="input"
          type="search"
          aria-label="Search offers"
          placeholder="Customer, email, domain, amount or message"
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="search"
          maxLength={MAX_TERM_LENGTH}
          value={text}
          aria-describedby={hintId}
          onChange={({ target }) => typeText(target.value)}
        />
        {/* In the field, so that it takes no line of its own, and nothing moves under the pointer when it comes. */}
        <button
          type="button"
          className="clear"
          data-shown={!isEmptyFilter(filter) || undefined}
          onClick={clearFilter}
        >
          Show all
        </button>
      </span>
      <p id={hintId} aria-live="polite" data-idle={(text === '' && isEmptyFilter(filter)) || undefined}>
        {hintOf(text, filter, offers)}
      </p>
    </form>
  );
}

function hintOf(text: string, filter: OfferFilter, offers: Offers): string {
  if (text.trim() !== '' && termOf(text) === undefined) return 'Type at least three characters.';
  if (isEmptyFilter(filter)) return 'Finds from three characters on.';
  if (offers.status === 'failed') return '';
  if (offers.status === 'loading' || offers.reloading) return 'Searching…';
  const { total } = offers.list.index;
  return total === 0 ? 'Nothing found.' : `${countOf(total)} found.`;
}

/** As buttons; a second press removes what the first one added. */
function Statuses({ groups: [statuses, others] }: { groups: ReturnType<typeof choicesOf> }) {
  const buttonOf = (choice: Choice) => (
    <button
      key={choice.text}
      type="button"
      aria-pressed={choice.isChosen}
      data-status={choice.tint}
      data-late={(choice.part.only === 'overdue' && !!choice.count) || undefined}
      onClick={() => setFilter(pressed(choice))}
    >
      <span className="name">{choice.text}</span>
      <b>{numberOf(choice.count)}</b>
    </button>
  );
  return (
    <fieldset aria-label="Status">
      {statuses.map(buttonOf)}
      {others.length > 0 && <i />}
      {others.map(buttonOf)}
    </fieldset>
  );
}

/** As one field in two groups, where there is no room for buttons. */
function StatusField({ groups: [statuses, others] }: { groups: ReturnType<typeof choicesOf> }) {
  const all = [...statuses, ...others];
  const optionOf = ({ text, count }: Choice) => (
    <option key={text} value={text}>
      {text.charAt(0).toUpperCase() + text.slice(1) + numberOf(count)}
    </option>
  );
  return (
    <select
      className="input statuses"
      aria-label="Offers"
      data-selected={all[0]?.isChosen === false || undefined}
      value={all.find(({ isChosen }) => isChosen)?.text}
      onChange={({ target }) => {
        const choice = all.find(({ text }) => text === target.value);
        if (choice) setFilter(selected(choice));
      }}
    >
      <optgroup label="Status">{statuses.map(optionOf)}</optgroup>
      {others.length > 0 && <optgroup label="Only">{others.map(optionOf)}</optgroup>}
    </select>
  );
}

function numberOf(count: number | undefined): string {
  return count === undefined ? '' : ` ${formatNumber(count)}`;
}

function Sort({ selected }: { selected: OfferFilter['sort'] }) {
  return (
    <select
      className="input offers-sort"
      aria-label="Sort"
      value={selected ?? ''}
      onChange={({ target }) => setFilter({ sort: SORTS.find((each) => each === target.value) })}
    >
      <option value="">Newest first</option>
      <option value="urgent">Urgent first</option>
      <option value="amount">Highest first</option>
    </select>
  );
}

/** Only where offers are for several domains. */
function Domains({ selected, domains }: { selected: string | undefined; domains: readonly string[] }) {
  const shownNames = useContext(ShownNames);
  if (domains.length < 2 && selected === undefined) return null;
  // The one of a link may have no offer.
  const all = selected === undefined || domains.includes(selected) ? domains : [selected, ...domains];
  return (
    <select
      className="input seldom"
      aria-label="Domain"
      data-selected={selected !== undefined || undefined}
      value={selected ?? ''}
      onChange={({ target }) => setFilter({ domain: target.value || undefined })}
    >
      <option value="">All domains</option>
      {all.map((domain) => (
        <option key={domain} value={domain} dir="ltr">
          {shownNames[domain] ?? domain}
        </option>
      ))}
    </select>
  );
}

/** Downloads what the filter shows. */
function ExportButton() {
  const { mutate, isPending, isError } = useMutation(exportOffers);
  return (
    <>
      <button
        type="button"
        className="button quiet seldom"
        aria-busy={isPending}
        onClick={() => isPending || mutate()}
      >
        {isPending ? 'Exporting...' : 'Export'}
      </button>
      {isError && (
        <p className="error" role="alert">
          Failed to export the offers. Please try again.
        </p>
      )}
    </>
  );
}

/**
 * Moves the focus to the heading of the list where the row that had it is gone: an offer that was given another status
 * leaves a list of one status. Otherwise the keyboard would start at the top of the page.
 * @param list changes with the rows
 */
function useFocusAfterRow(list: unknown): void {
  const focused = useRef<Element | null>(null);

  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      focused.current = target instanceof Element && target.closest('tr') ? target : null;
    };
    document.addEventListener('focusin', note);
    return () => document.removeEventListener('focusin', note);
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a row can only leave with another list
  useEffect(() => {
    if (!focused.current || focused.current.isConnected) return;
    focused.current = null;
    if (document.activeElement !== document.body) return;
    document.getElementById('offers-title')?.focus({ preventScroll: true });
  }, [list]);
}
