/** Reading the list of offers from the beginning. */
import { type OffersApi, PAGE_SIZE, type PageIndex } from '../api/offers.ts';
import { isLong, listOfFirstPage, type OfferList, pagesOfRows, upTo } from './offer-list.ts';

/**
 * A short list in one request; up to the limit all its pages; of a long one the pages in view.
 * @param inView the first and the last row on the screen
 * @param showFirst is called with the newest offers as soon as they are there, where more will follow
 */
export async function readOffers(
  api: OffersApi,
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
  return { index, pages: new Map(pages) };
}

/** The first page is read again too: an offer may have arrived before the index was made. */
async function readPage(api: OffersApi, index: PageIndex, page: number) {
  return upTo(await api.readPage(index.keys[page]), index.keys[page + 1]);
}
