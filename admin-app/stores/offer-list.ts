/** A list of offers, newest first, whose pages are queries of their own. */
import type { Offer } from '#contract/offer.ts';
import { type OfferFilter, PAGE_SIZE, type PageIndex, type PageKey } from '../api/offers.ts';

export interface OfferList {
  readonly filter: OfferFilter;
  /** Without keys where all offers are in `newest`. */
  readonly index: PageIndex;
  /** The first offers as of the reading of the list. */
  readonly newest: readonly Offer[];
  /** Whether there are no more offers than the index has: only the first page is known at first. */
  readonly isWhole: boolean;
}

/** The pages in memory, by their number. */
export type Pages = ReadonlyMap<number, readonly Offer[]>;

/** Up to this number all rows are on the page, to search, print and read aloud; above it, only those in view. */
const WHOLE_TABLE_LIMIT = 2_000;

/** All of a list that fits in one response, or its beginning. */
export function listOfFirstPage(filter: OfferFilter, newest: readonly Offer[]): OfferList {
  const index = { total: newest.length, keys: [] };
  return { filter, index, newest, isWhole: newest.length < PAGE_SIZE };
}

export function isLong(index: PageIndex): boolean {
  return index.total > WHOLE_TABLE_LIMIT;
}

/** The offer in a row, or none while its page is not in memory. */
export function offerAt(pages: Pages, row: number): Offer | undefined {
  return pages.get(Math.floor(row / PAGE_SIZE))?.[row % PAGE_SIZE];
}

/** The page on which an offer is, or would be; -1 where it stands before the whole index. */
export function pageOfKey({ keys }: PageIndex, offer: Sorted): number {
  return keys.findLastIndex((key) => isAtOrBefore(offer, key));
}

/** A list that comes from the table is sorted by the time. */
type Sorted = Pick<Offer, 'id' | 'created_at' | 'sort_key'>;

/** Whether an offer stands at a key or after it in the list, whose first offer has the last key. */
function isAtOrBefore({ id, created_at, sort_key = created_at }: Sorted, key: PageKey): boolean {
  const [own, other] = [comparable(sort_key), comparable(key.sort_key)];
  return own === other ? id <= key.id : own < other;
}

/** Times compare as text once they are in UTC and have six digits: a JavaScript date has milliseconds only. Other keys do so anyway. */
function comparable(time: string): string {
  if (!/^\d{4}-/.test(time)) return time;
  const [, digits = ''] = /\.(\d+)/.exec(time) ?? [];
  const seconds = Date.parse(time.replace(/\.\d+/, ''));
  return `${Number.isNaN(seconds) ? time : new Date(seconds).toISOString()} ${digits.padEnd(6, '0')}`;
}

/** Whether an offer was made after a time; always, if the time is empty. */
export function isAfter({ created_at }: Offer, time: string): boolean {
  return time === '' || comparable(created_at) > comparable(time);
}

/** The pages to have in memory: all of a short list, of a long one those with the rows from `first` to `last`. */
export function pagesToRead(index: PageIndex, first: number, last: number): number[] {
  const ends = isLong(index) ? [first, last] : [0, index.total];
  const [from = 0, to = 0] = ends.map((row) => Math.floor(row / PAGE_SIZE));
  return [...index.keys.keys()].slice(Math.max(0, from), to + 1);
}

/** Cuts a page where the next begins, whose first offer may be gone: after deletions it would overlap the next page. */
export function upTo(offers: readonly Offer[], next: PageKey | undefined): readonly Offer[] {
  // From the end, because most pages do not overlap.
  return next ? offers.slice(0, offers.findLastIndex((offer) => !isAtOrBefore(offer, next)) + 1) : offers;
}
