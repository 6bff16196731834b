/** What the database holds, as an administrator reads it. */
import type { Offer } from '#contract/offer.ts';
import type { AbusedProduct } from './abused-product.ts';

/** Every offer, by the key and not by counting, since the data API ends a list at 1,000. */
export async function storedOffers(product: Pick<AbusedProduct, 'askAsAdministrator'>): Promise<Offer[]> {
  const all: Offer[] = [];
  for (;;) {
    const last = all.at(-1)?.id ?? '00000000-0000-0000-0000-000000000000';
    const answer = await product.askAsAdministrator({
      path: `/rest/v1/offers?select=*&order=id.asc&id=gt.${last}&limit=1000`,
    });
    if (answer.status !== 200) throw new Error(`reading offers answered ${answer.status}: ${answer.text}`);
    const rows = JSON.parse(answer.text) as Offer[];
    all.push(...rows);
    if (rows.length < 1000) return all;
  }
}
