/**
 * The list of all offers, newest first, of which a long one is only partly in memory.
 * A list is immutable: each function returns a new one.
 */

import { isoTime } from '#contract/iso-time.ts';
import type { Offer, OfferStatus } from '#contract/offer.ts';
import { PAGE_SIZE, type PageIndex, type PageKey } from '../api/offers.ts';

export interface OfferList {
  readonly index: PageIndex;
  /** The pages in memory, by their number. */
  readonly pages: ReadonlyMap<number, readonly Offer[]>;
  /** The newest offers as of the reading of the list, also where their page is not in memory. */
  readonly newest: readonly Offer[];
}

/** Up to this number all rows are on the page, to search, print and read aloud; above it, only those in view. */
const WHOLE_TABLE_LIMIT = 2_000;

/** Maximum number of pages of a long list in memory. */
const MAX_PAGES_IN_MEMORY = 30;

/** A list that fits in one response. */
export function listOfFirstPage(offers: readonly Offer[]): OfferList {
  return {
    index: { total: offers.length, keys: [] },
    pages: new Map([[0, offers]]),
    newest: offers,
  };
}

export function isLong(index: PageIndex): boolean {
  return index.total > WHOLE_TABLE_LIMIT;
}

/** The offer in a row, or none while its page is not in memory. */
export function offerAt({ pages }: OfferList, row: number): Offer | undefined {
  return pages.get(Math.floor(row / PAGE_SIZE))?.[row % PAGE_SIZE];
}

/** The row of an offer, or none where its page is not in memory. */
export function rowOf({ pages }: OfferList, id: string): number | undefined {
  for (const [page, offers] of pages) {
    const place = offers.findIndex((offer) => offer.id === id);
    if (place !== -1) return page * PAGE_SIZE + place;
  }
  return;
}

/** The page on which an offer is, or would be; -1 where it is newer than the whole index. */
export function pageOfKey({ keys }: PageIndex, offer: PageKey): number {
  return keys.findLastIndex((key) => isAtOrBefore(offer, key));
}

/** Whether an offer stands at a key or after it in the list, which is newest first. */
function isAtOrBefore(offer: PageKey, key: PageKey): boolean {
  const [time, keyTime] = [comparable(offer.created_at), comparable(key.created_at)];
  return time === keyTime ? offer.id <= key.id : time < keyTime;
}

/** Times compare as text once they are in UTC and have six digits: a JavaScript date has milliseconds only. */
function comparable(time: string): string {
  const iso = isoTime(time);
  const [, digits = ''] = /\.(\d+)/.exec(iso) ?? [];
  const seconds = Date.parse(iso.replace(/\.\d+/, ''));
  return `${Number.isNaN(seconds) ? time : new Date(seconds).toISOString()} ${digits.padEnd(6, '0')}`;
}

/** The pages that hold the rows from `first` to `last`, as far as there are any. */
export function pagesOfRows(index: PageIndex, first: number, last: number): number[] {
  const from = Math.max(0, Math.floor(first / PAGE_SIZE));
  const to = Math.min(index.keys.length - 1, Math.floor(last / PAGE_SIZE));
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, step) => from + step);
}

/** Adds a page. A long list drops the page farthest from it. */
export function withPage(list: OfferList, page: number, offers: readonly Offer[]): OfferList {
  const pages = new Map(list.pages).set(page, offers);
  if (isLong(list.index) && pages.size > MAX_PAGES_IN_MEMORY) pages.delete(farthestFrom(page, pages.keys()));
  return { ...list, pages };
}

function farthestFrom(page: number, pages: Iterable<number>): number {
  return [...pages].reduce((far, each) => (Math.abs(each - page) > Math.abs(far - page) ? each : far));
}

/** Sets the status of an offer, on whatever page it is. */
export function listWithStatus(list: OfferList, id: string, status: OfferStatus): OfferList {
  const pages = [...list.pages].map(([page, offers]) => [page, withStatus(offers, id, status)] as const);
  return { ...list, pages: new Map(pages) };
}

/** The other offers stay the same objects, so that their rows are not rendered again. */
export function withStatus(offers: readonly Offer[], id: string, status: OfferStatus): Offer[] {
  return offers.map((offer) => (offer.id === id ? { ...offer, status } : offer));
}

/** Cuts a page before the first offer of the next: after deletions it would overlap the next page. */
export function upTo(offers: readonly Offer[], next: PageKey | undefined): readonly Offer[] {
  const end = next ? offers.findIndex((offer) => offer.id === next.id) : -1;
  return end === -1 ? offers : offers.slice(0, end);
}
