/** Reads the lists of offers from the first page. */
import type { Offer } from '#contract/offer.ts';
import { type OffersReader, PAGE_SIZE, type PageIndex } from '../api/offers.ts';
import { isLong, listOfFirstPage, type OfferList, pagesOfRows, upTo } from './offer-list.ts';

/** The newest held offers, and whether there are older ones. */
export interface HeldOffers {
  readonly offers: readonly Offer[];
  readonly hasMore: boolean;
}

/**
 * Reads a short list in one request, a longer one with all its pages, and of a long list only the pages in view.
 * @param inView the first and the last row on the screen
 * @param showFirst is called with the first page if more will follow
 */
export async function readOffers(
  api: OffersReader,
  inView: readonly [first: number, last: number],
  showFirst: (list: OfferList) => void,
): Promise<OfferList> {
  const newest = await api.readPage();
  if (newest.length < PAGE_SIZE) return listOfFirstPage(newest);
  showFirst(listOfFirstPage(newest));

  const index = await api.readPageIndex();
  const wanted = isLong(index) ? pagesOfRows(index, ...inView) : [...index.keys.keys()];
  const pages = await Promise.all(
    wanted.map(async (page) => [page, await readPage(api, index, page)] as const),
  );
  return { index, pages: new Map(pages), newest };
}

/** The first page is read again too: an offer may have arrived before the index was made. */
async function readPage(api: OffersReader, index: PageIndex, page: number) {
  return upTo(await api.readPage(index.keys[page]), index.keys[page + 1]);
}

/** Reads at least `count` of the newest held offers, where there are that many. */
export async function readHeldOffers(api: OffersReader, count: number): Promise<HeldOffers> {
  let held: HeldOffers = { offers: [], hasMore: true };
  do held = await withOlder(api, held);
  while (held.hasMore && held.offers.length < count);
  return held;
}

/** Adds the next page. */
export async function withOlder(api: OffersReader, { offers }: HeldOffers): Promise<HeldOffers> {
  const last = offers.at(-1);
  const page = await api.readHeldPage(last);
  // A page begins with the offer of its key, which is in the list already.
  const older = page.filter(({ id }) => id !== last?.id);
  return { offers: [...offers, ...older], hasMore: page.length === PAGE_SIZE && older.length > 0 };
}
