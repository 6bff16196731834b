import { useStore } from '@nanostores/react';
import { useContext, useId, useState } from 'react';
import { OFFER_STATUSES } from '#contract/offer.ts';
import {
  $canFind,
  $counts,
  $filter,
  $text,
  clearFilter,
  search,
  setFilter,
  typeText,
} from '../stores/admin.ts';
import { isEmptyFilter, MAX_TERM_LENGTH, type OfferFilter, termOf } from '../stores/fragment.ts';
import { isEmptyList, type Offers } from '../stores/offers.ts';
import { Icon } from './Icon.tsx';
import { ShownNames } from './shown-names.ts';
import { useFocusAfterRow } from './use-focus-after-row.ts';
import './find-offers.css';

/** Search field and filters of the list. Nothing while there are no offers, or where the server cannot find them. */
export function FindOffers({ offers }: { offers: Offers }) {
  const filter = useStore($filter);
  const canFind = useStore($canFind);
  const [isOpen, setOpen] = useState(false);
  useFocusAfterRow(offers);

  const isFiltered = !isEmptyFilter(filter);
  // Stays while another list is loaded: the focus is in it.
  const isRead = offers.status === 'loaded' && !offers.reloading;
  const shouldOpen = isFiltered || (isRead ? !isEmptyList(offers) : isOpen);
  if (shouldOpen !== isOpen) setOpen(shouldOpen);
  if (!canFind || !shouldOpen) return null;

  return (
    <search className="find">
      <SearchField filter={filter} offers={offers} />
      <Domains selected={filter.domain} />
      <Statuses selected={filter.status} />
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
          placeholder="Customer, email, domain or amount"
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
      <p id={hintId} aria-live="polite">
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
  if (isEmptyList(offers)) return 'Nothing found.';
  const found = countOf(offers.list.index.total);
  const { held } = offers;
  if (held.offers.length === 0) return `${found} found.`;
  return `${found} found, and ${NUMBER.format(held.offers.length)}${held.hasMore ? '+' : ''} held.`;
}

function Statuses({ selected }: { selected: OfferFilter['status'] }) {
  const counts = useStore($counts);
  return (
    <fieldset aria-label="Status">
      {OFFER_STATUSES.map((status) => {
        const count = counts?.status[status];
        return (
          <button
            key={status}
            type="button"
            className="button quiet"
            aria-pressed={selected === status}
            data-status={status}
            onClick={() => setFilter({ status: selected === status ? undefined : status })}
          >
            {status}
            <span className="count">{count === undefined ? '' : ` ${NUMBER.format(count)}`}</span>
          </button>
        );
      })}
    </fieldset>
  );
}

/** Only where offers are for several domains. */
function Domains({ selected }: { selected: string | undefined }) {
  const domains = useStore($counts)?.domains ?? [];
  const shownNames = useContext(ShownNames);
  if (domains.length < 2 && selected === undefined) return null;
  // The one of a link may have no offer.
  const all = selected === undefined || domains.includes(selected) ? domains : [selected, ...domains];
  return (
    <select
      className="input"
      aria-label="Domain"
      data-selected={selected !== undefined || undefined}
      value={selected ?? ''}
      onChange={({ target }) => setFilter({ domain: target.value || undefined })}
    >
      <option value="">All domains</option>
      {all.map((domain) => (
        <option key={domain} value={domain}>
          {shownNames[domain] ?? domain}
        </option>
      ))}
    </select>
  );
}

const NUMBER = new Intl.NumberFormat('en-US');

function countOf(offers: number): string {
  return offers === 1 ? '1 offer' : `${NUMBER.format(offers)} offers`;
}
