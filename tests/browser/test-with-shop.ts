import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { copyOfProject, type Product, startProduct } from '../support/product.ts';
import { test } from './fixtures.ts';

const OWN_CATALOGUE = 'own/catalogue.yaml';

interface ShopCatalogue {
  readonly settings: object;
  readonly defaults?: object;
  readonly domains: readonly object[];
}

export interface Shop extends Product {
  /** Path of the catalogue. */
  readonly catalogue: string;
}

/**
 * `test` with a product of its own for all tests of the calling file.
 * @param files more files of the project, their content by path
 * @param env more settings
 */
export function testWithShop(
  catalogue: ShopCatalogue,
  files: Readonly<Record<string, string>> = {},
  env: Record<string, string> = {},
) {
  // In one worker: each would build the site for itself.
  test.describe.configure({ mode: 'default' });
  return test.extend<object, { shop: Shop }>({
    shop: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names out of it
      async ({}, use) => {
        const project = copyOfProject();
        // JSON is YAML.
        const written = { [OWN_CATALOGUE]: JSON.stringify(catalogue), ...files };
        for (const [path, content] of Object.entries(written)) {
          const file = join(project.folder, path);
          mkdirSync(dirname(file), { recursive: true });
          writeFileSync(file, content);
        }
        const product = await startProduct({ project: project.folder, env });
        await use({ ...product, catalogue: join(project.folder, OWN_CATALOGUE) });
        await product.stop();
        project.remove();
      },
      { scope: 'worker', timeout: 150_000 },
    ],
    baseURL: ({ shop }, use) => use(shop.origin),
  });
}
