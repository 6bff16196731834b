/** What browser tests begin with: the running product, its pages, and an ear for everything the browser complains of. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, expect, type Locator, type Page } from '@playwright/test';
import { ADMIN, type Product, type ProductOptions, startProduct } from '../support/product.ts';

export { expect } from '@playwright/test';

interface Fixtures {
  /** Complaints of the browser. A test that causes some announces them; any other fails it. */
  complaints: Complaints;
  /** Starts a product that this test has to itself, and stops it in the end. */
  startOwnProduct: (options?: ProductOptions) => Promise<Product>;
  /** An empty folder, gone after the test. */
  dataDir: string;
}

interface SharedFixtures {
  /** One for all tests of a worker. What a test leaves in it, the next one finds. */
  product: Product;
}

export const test = base.extend<Fixtures, SharedFixtures>({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names out of it
    async ({}, use) => {
      const product = await startProduct();
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: 150_000 },
  ],

  baseURL: ({ product }, use) => use(product.origin),

  complaints: [
    async ({ context }, use) => {
      const complaints = new Complaints();
      context.on('console', (message) => {
        if (message.type() === 'error') complaints.hear(`${message.text()} (${message.location().url})`);
      });
      context.on('weberror', (error) => complaints.hear(`Uncaught ${error.error()}`));
      await context.addInitScript(() => {
        addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
          console.error(`Against the content security policy: ${violatedDirective} ${blockedURI}`),
        );
      });
      await use(complaints);
      complaints.judge();
    },
    { auto: true },
  ],

  startOwnProduct: async ({ context }, use, info) => {
    const started: Product[] = [];
    await use(async (options) => {
      const product = await startProduct(options);
      started.push(product);
      return product;
    });
    // What a page still asks for would be a complaint about a product that has gone.
    for (const page of context.pages())
      if (info.status === info.expectedStatus) await page.goto('about:blank');
    for (const product of started) await product.stop();
  },

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names out of it
  dataDir: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'data-'));
    await use(folder);
    rmSync(folder, { recursive: true, force: true });
  },
});

class Complaints {
  #heard: string[] = [];
  #expected: RegExp[] = [];

  hear(complaint: string): void {
    this.#heard.push(complaint);
  }

  /** Announces complaints that belong to the test's story. Each has to come. */
  expect(...patterns: RegExp[]): void {
    this.#expected.push(...patterns);
  }

  judge(): void {
    const surprising = this.#heard.filter((one) => !this.#expected.some((pattern) => pattern.test(one)));
    expect(surprising, 'complaints of the browser').toEqual([]);
    for (const pattern of this.#expected) {
      expect(this.#heard, 'announced complaints').toContainEqual(expect.stringMatching(pattern));
    }
  }
}

/** Signs in on the login page, as a person does. Ends on the dashboard. */
export async function signIn(page: Page, origin = '', { email, password } = ADMIN): Promise<void> {
  await page.goto(`${origin}/admin/login`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByText(`Welcome, ${email}`)).toBeVisible();
}

/** Whether one can scroll the page to the side. */
export function scrollsSideways(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
}

/** What a visitor writes into the form. */
export interface Wish {
  amount: string;
  name: string;
  email: string;
}

export function offerForm(page: Page): Locator {
  return page.getByRole('form', { name: 'Make an Offer' });
}

export function submitButton(page: Page): Locator {
  return page.getByRole('button', { name: /^Submit/ });
}

/** Fills the form in, as a person does. */
export async function fillIn(page: Page, { amount, name, email }: Wish): Promise<void> {
  await page.getByLabel('Your Offer').fill(amount);
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Email', { exact: true }).fill(email);
}

/** Keeps requests back until they are released. */
export async function hold(page: Page, url: string | RegExp): Promise<() => void> {
  const gate = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    await gate.promise;
    await route.continue();
  });
  return gate.resolve;
}
