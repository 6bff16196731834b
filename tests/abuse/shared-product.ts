/** Products for attacks that break nothing: the test files of one process share them, each started when it is needed. */
import { after } from 'node:test';
import { type AbusedProduct, BEHIND_PROXY, startAbused } from './abused-product.ts';

const SETTINGS = {
  'without limits': {},
  'with limits': { RATE_LIMIT_SCALE: '1' },
  'behind a proxy': BEHIND_PROXY,
};

const products = new Map<string, Promise<AbusedProduct>>();

/** The product with such settings. It holds the offers of other tests, too. */
export function sharedProduct(kind: keyof typeof SETTINGS = 'without limits'): Promise<AbusedProduct> {
  const product = products.get(kind) ?? startAbused({ env: SETTINGS[kind] });
  products.set(kind, product);
  return product;
}

// After the last test of the process. Searches the logs for secrets.
after(async () => {
  const stops = await Promise.allSettled(
    [...products.values()].map(async (product) => (await product).stop()),
  );
  const failed = stops.find((stop) => stop.status === 'rejected');
  if (failed === undefined) return;
  // Node 24 reports the error of such a hook, and ends with 0.
  process.exitCode = 1;
  throw failed.reason;
});
