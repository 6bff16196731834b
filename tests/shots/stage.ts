import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeCatalogue, writeYaml } from '../../bench/catalogue.ts';
import { copyOfProject, startProduct } from '../support/product.ts';
import type { Stage } from './scene.ts';

/** Three catalogue pages. */
const LARGE = 120;
const CATALOGUE = 'src/content/catalogue.yaml';

/** Starts the products, and stops them after use. */
export async function withStage(use: (stage: Stage) => Promise<void>): Promise<void> {
  const [large, priced] = [copyOfProject(), copyOfProject()];
  try {
    writeYaml(join(large.folder, CATALOGUE), makeCatalogue(LARGE));
    const sample = readFileSync(join(priced.folder, CATALOGUE), 'utf8');
    writeFileSync(join(priced.folder, CATALOGUE), withStates(sample));
    await using products = new AsyncDisposableStack();
    const start = async (options = {}) => {
      const product = await startProduct(options);
      products.defer(async () => void (await product.stop()));
      return product;
    };
    await use({
      product: await start(),
      large: await start({ project: large.folder }),
      priced: await start({ project: priced.folder }),
    });
  } finally {
    large.remove();
    priced.remove();
  }
}

/** The sample with prices that visitors see, a domain that can be bought at its price, one with a minimum, and two more. */
function withStates(sample: string): string {
  const entries = ['sold', 'reserved'].map(
    (state) =>
      `  - { name: ${state}.example, price: $1, description: A name., hasBroker: false, state: ${state} }\n`,
  );
  const priced = sample
    .replace(/^settings:$/m, '$&\n  showPrice: page')
    .replace(/^ {2}- name: host\.example$/m, '$&\n    buyNow: https://shop.example/host')
    .replace(/^ {2}- name: sample\.app$/m, '$&\n    minimum: $500');
  return `${priced.trimEnd()}\n${entries.join('')}`;
}
