import type { Page } from 'playwright';
import type { Product } from '../support/product.ts';

/** The running products that pictures are taken of. */
export interface Stage {
  /** Of the catalogue in the repository. */
  product: Product;
  /** Of a catalogue so large that it has pages of its own. */
  large: Product;
  /** Of a catalogue with prices that visitors see, and a domain each that is sold and reserved. */
  priced: Product;
}

/** Brings a page into one state. Ends when the state is visible. */
export type Scene = (page: Page, stage: Stage) => Promise<void>;

/** Opens a path of the first product. */
export function at(path: string): Scene {
  return async (page, { product }) => void (await page.goto(product.origin + path));
}

/** Never responds to requests of a URL. */
export async function holdResponses(page: Page, url: string): Promise<void> {
  await page.route(url, () => {});
}

/** Disables JavaScript. */
export async function withoutScript(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setScriptExecutionDisabled', { value: true });
}
