/**
 * The list of all offers, newest first, of which a long one is only partly in memory.
 * A list is immutable: each function returns a new one.
 */
import type { Offer, OfferStatus } from '#contract/offer.ts';
import { PAGE_SIZE, type PageIndex, type PageKey } from '../api/offers.ts';

export interface OfferList {
  readonly index: PageIndex;
  /** The pages in memory, by their number. */
  readonly pages: ReadonlyMap<number, readonly Offer[]>;
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
  };
}

export function isLong(index: PageIndex): boolean {
  return index.total > WHOLE_TABLE_LIMIT;
}

/** The offer in a row, or none while its page is not in memory. */
export function offerAt({ pages }: OfferList, row: number): Offer | undefined {
  return pages.get(Math.floor(row / PAGE_SIZE))?.[row % PAGE_SIZE];
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

export function withStatus(list: OfferList, id: string, status: OfferStatus): OfferList {
  const pages = new Map(list.pages);
  for (const [page, offers] of pages) {
    if (!offers.some((offer) => offer.id === id)) continue;
    pages.set(
      page,
      offers.map((offer) => (offer.id === id ? { ...offer, status } : offer)),
    );
  }
  return { ...list, pages };
}

/** Cuts a page before the first offer of the next: after deletions it would overlap the next page. */
export function upTo(offers: readonly Offer[], next: PageKey | undefined): readonly Offer[] {
  const end = next ? offers.findIndex((offer) => offer.id === next.id) : -1;
  return end === -1 ? offers : offers.slice(0, end);
}
