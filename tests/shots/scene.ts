import type { Page } from '@playwright/test';
import type { Product } from '../support/product.ts';

/** The running products that pictures are taken of. */
export interface Stage {
  /** Of the catalogue in the repository. */
  product: Product;
  /** Of a catalogue so large that it has pages of its own. */
  large: Product;
}

/** One state of one page: how a person gets there. Ends when it is to be seen. */
export type Scene = (page: Page, stage: Stage) => Promise<void>;

/** The page's address at the first product. */
export function at(path: string): Scene {
  return async (page, { product }) => void (await page.goto(product.origin + path));
}

/** Lets no answer come from an address, until the picture is taken. */
export async function leaveUnanswered(page: Page, url: string): Promise<void> {
  await page.route(url, () => {});
}

/** As in a browser whose visitor has switched scripts off. */
export async function withoutScript(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setScriptExecutionDisabled', { value: true });
}
