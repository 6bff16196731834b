import assert from 'node:assert/strict';
import type { AbusedProduct } from './abused-product.ts';
import { count } from './report.ts';
import { storedOffers } from './stored-offers.ts';

/** Asserts that every acknowledged offer is stored once, under its id. Keys are the customers' names. */
export async function assertStoredOnce(
  product: Pick<AbusedProduct, 'requestAsAdmin'>,
  acknowledged: ReadonlyMap<string, string>,
): Promise<void> {
  const rows = await storedOffers(product);
  const lost = [...acknowledged].filter(
    ([name, id]) => !rows.some((row) => row.id === id && row.customer_name === name),
  );
  const doubled = rows.length - new Set(rows.map((row) => row.customer_name)).size;
  count('lost', lost.length);
  count('doubled', doubled);
  assert.deepEqual(lost, [], 'acknowledged offers that are gone');
  assert.equal(doubled, 0, 'offers stored twice');
}
