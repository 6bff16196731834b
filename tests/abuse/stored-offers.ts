/** Reads all stored offers as an administrator. */
import type { Offer } from '#contract/offer.ts';
import type { AbusedProduct } from './abused-product.ts';

/** In pages, because the data API returns at most 1,000 rows. */
export async function storedOffers(product: Pick<AbusedProduct, 'requestAsAdmin'>): Promise<Offer[]> {
  const all: Offer[] = [];
  for (;;) {
    const response = await product.requestAsAdmin({
      path: `/rest/v1/offers?select=*&order=id.asc&limit=1000&offset=${all.length}`,
    });
    if (response.status !== 200)
      throw new Error(`reading offers failed with ${response.status}: ${response.text}`);
    const rows = JSON.parse(response.text) as Offer[];
    all.push(...rows);
    if (rows.length < 1000) return all;
  }
}
