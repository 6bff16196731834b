import { join } from 'node:path';
import { makeCatalogue, writeYaml } from '../../bench/catalogue.ts';
import { copyOfProject, startProduct } from '../support/product.ts';
import type { Stage } from './scene.ts';

/** Three catalogue pages. */
const LARGE = 120;

/** Starts the products, and stops them after use. */
export async function withStage(use: (stage: Stage) => Promise<void>): Promise<void> {
  const project = copyOfProject();
  try {
    writeYaml(join(project.folder, 'src/content/catalogue.yaml'), makeCatalogue(LARGE));
    await using products = new AsyncDisposableStack();
    const start = async (options = {}) => {
      const product = await startProduct(options);
      products.defer(async () => void (await product.stop()));
      return product;
    };
    await use({ product: await start(), large: await start({ project: project.folder }) });
  } finally {
    project.remove();
  }
}
