/** Fixtures of the browser tests: the running product, its pages, and a check for errors that the browser logs. */
import { rmSync } from 'node:fs';
import { test as base, expect, type Locator, type Page, type Request } from '@playwright/test';
import { HOSTED_PROJECT, startPages } from '../hosted/hosted-pages.ts';
import { newDataFolder } from '../support/booted-data-folder.ts';
import { eraseAllOffers, seedOffers } from '../support/calls.ts';
import { ADMIN, type Product, type ProductOptions, startProduct } from '../support/product.ts';

export { expect } from '@playwright/test';

/** Where the backend has another origin (npm run test:hosted). */
const hosted = HOSTED_PROJECT;

interface Fixtures {
  /** Errors that the browser logs. A test that causes some expects them; any other fails it. */
  pageErrors: PageErrors;
  /** Starts a product for this test only, and stops it afterwards. */
  startOwnProduct: (options?: ProductOptions) => Promise<Product>;
  /** A data folder without offers and administrators, removed after the test. */
  dataDir: string;
}

interface SharedFixtures {
  /** One product for all tests of a worker. It keeps its data between tests. */
  product: Product;
  /**
   * One product with `LONG_LIST` offers for all tests of a worker: they leave the number as it is. Where the backend has
   * another origin it is the same as `product`, because another one would build pages of its own origin in its place.
   */
  longList: Product;
}

/** More offers than are drawn at once. The newest is `Example 1`. */
export const LONG_LIST = 2_500;

export const test = base.extend<Fixtures, SharedFixtures>({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names out of it
    async ({}, use) => {
      const product = hosted ? await startPages(hosted) : await startProduct();
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: 150_000 },
  ],

  longList: [
    async ({ product }, use) => {
      const own = hosted ? product : await startProduct();
      await eraseAllOffers(own);
      await seedOffers(own, LONG_LIST);
      await use(own);
      if (own !== product) await own.stop();
    },
    { scope: 'worker', timeout: 150_000 },
  ],

  baseURL: ({ product }, use) => use(product.origin),

  page: async ({ page, context }, use) => {
    moveClockWithoutOpenRequests(page);
    // They end or replace the session.
    context.on('request', (request) => {
      if (/\/auth\/v1\/(?:logout|token)/.test(request.url())) sessions.clear();
    });
    await use(page);
    // A handler that still waits for its response would fail the test when the page closes.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  },

  pageErrors: [
    async ({ context }, use) => {
      const pageErrors = new PageErrors();
      context.on('console', (message) => {
        if (message.type() === 'error') pageErrors.add(`${message.text()} (${message.location().url})`);
      });
      context.on('weberror', (error) => pageErrors.add(`Uncaught ${error.error()}`));
      await context.addInitScript(() => {
        addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
          console.error(`Against the content security policy: ${violatedDirective} ${blockedURI}`),
        );
      });
      await use(pageErrors);
      await pageErrors.verify();
    },
    { auto: true },
  ],

  // With the folder, so that it is removed after the products in it have stopped.
  startOwnProduct: async ({ context, dataDir: _ }, use, info) => {
    info.skip(hosted !== undefined, 'A backend of its own has the origin of the pages.');
    const started: Product[] = [];
    await use(async (options) => {
      const product = await startProduct(options);
      started.push(product);
      return product;
    });
    // Requests that are still in flight would fail once the product has stopped.
    for (const page of context.pages())
      if (info.status === info.expectedStatus) await page.goto('about:blank');
    for (const product of started) await product.stop();
  },

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names out of it
  dataDir: async ({}, use) => {
    const folder = newDataFolder();
    await use(folder);
    rmSync(folder, { recursive: true, force: true });
  },
});

/** The calls of a page, beside those for its scripts, that have no response yet. */
const openUrlsOf = new WeakMap<Page, () => Promise<string[]>>();

/** Turns of a page's event loop in which it reads a complete response, and sends what follows from it. */
const QUIET_TURNS = 10;

const QUIET_POLL_MS = 30;

/**
 * Lets `fastForward` and `runFor` of the page's clock wait until the page has the response to each of its calls, and to
 * those that follow from them: one that is still open would time out with the clock. Pages that a test opens itself have
 * no such clock.
 */
function moveClockWithoutOpenRequests(page: Page): void {
  const open = new Set<Request>();
  page.on('request', (request) => {
    if (request.resourceType() === 'fetch' && !request.url().includes('/_astro/')) open.add(request);
  });
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
  const openUrls = async () => {
    if (open.size === 0) await settle(page);
    return [...open].map((request) => request.url());
  };
  openUrlsOf.set(page, openUrls);
  const { clock } = page;
  for (const method of ['fastForward', 'runFor'] as const) {
    const move = clock[method].bind(clock);
    clock[method] = async (ticks) => {
      await waitUntilQuiet(page);
      await move(ticks);
    };
  }
}

/** Waits until the fixture's page has the response to each of its calls, and to those that follow from them. */
export async function waitUntilQuiet(page: Page): Promise<void> {
  await expect.poll(() => openUrlsOf.get(page)?.(), { intervals: [QUIET_POLL_MS] }).toEqual([]);
}

/** Moves the page's clock past the delays after which it repeats what failed for the first and the second time. */
export async function skipRepetitions(page: Page): Promise<void> {
  for (const delayMs of [1_000, 2_000]) await page.clock.fastForward(delayMs);
}

/** Waits in the page for an element that it shows for seconds only: to be called before what shows it. */
export function whenShown(page: Page, selector: string, text: string): Promise<unknown> {
  return page.waitForFunction(
    ([css, part]) =>
      [...document.querySelectorAll(css)].some(
        (one) => one.checkVisibility() && one.textContent.includes(part),
      ),
    [selector, text] as const,
  );
}

/** Waits until the page has read what it received, and sent what follows from that. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(takeTurns, QUIET_TURNS);
  // What was sent in the last turns has been reported before this returns.
  await page.evaluate(takeTurns, 1);
}

/** Runs in the page. By messages, because the clock of a test stops timers. */
async function takeTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) {
    const { port1, port2 } = new MessageChannel();
    await new Promise<void>((resolve) => {
      port1.onmessage = () => resolve();
      port2.postMessage(undefined);
    });
  }
}

class PageErrors {
  #logged: string[] = [];
  #expected: RegExp[] = [];

  add(error: string): void {
    this.#logged.push(error);
  }

  /** Expects errors that the test causes. Each must occur. */
  expect(...patterns: RegExp[]): void {
    this.#expected.push(...patterns);
  }

  async verify(): Promise<void> {
    // The browser may log an error after the page has shown its message.
    for (const pattern of this.#expected) {
      await expect
        .poll(() => this.#logged, 'expected errors of the page')
        .toContainEqual(expect.stringMatching(pattern));
    }
    const unexpected = this.#logged.filter((one) => !this.#expected.some((pattern) => pattern.test(one)));
    expect(unexpected, 'unexpected errors of the page').toEqual([]);
  }
}

/** What browsers have stored of the administrator's session, by origin, for the other tests of this worker. */
const sessions = new Map<string, { stored: [name: string, value: string][]; until: number }>();

/** An access token lives for 10 minutes, and is refreshed before. */
const SESSION_USE_MS = 5 * 60_000;

/** Opens the dashboard as the administrator, with the session of an earlier test where there is one. */
export async function signIn(page: Page, origin = ''): Promise<void> {
  // A page of the same origin without scripts.
  await page.goto(`${origin}/robots.txt`);
  const site = new URL(page.url()).origin;
  const session = sessions.get(site);
  if (session && Date.now() < session.until) {
    await page.evaluate((stored) => {
      for (const [name, value] of stored) localStorage.setItem(name, value);
    }, session.stored);
    await page.goto(`${origin}/admin/dashboard`);
    await expect(page.getByText(`Welcome, ${ADMIN.email}`)).toBeVisible();
    return;
  }
  await signInByForm(page, origin);
  const stored = await page.evaluate(() => Object.entries<string>({ ...localStorage }));
  sessions.set(site, { stored, until: Date.now() + SESSION_USE_MS });
}

/** Signs in on the login page. Ends on the dashboard. */
export async function signInByForm(page: Page, origin = '', admin = ADMIN): Promise<void> {
  await page.goto(`${origin}/admin/login`);
  await fillLogin(page, admin);
}

/** Signs in on the login page that is shown. Ends on the dashboard. */
export async function fillLogin(page: Page, { email, password } = ADMIN): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByText(`Welcome, ${email}`)).toBeVisible();
}

/** Whether the page is wider than the screen. */
export function scrollsHorizontally(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
}

export function headline(page: Page): Locator {
  return page.getByRole('heading', { level: 1 });
}

/** Rows of the dashboard. `Example 1` is not in the row of `Example 10`. */
export function rowOf(page: Page, text: string | RegExp): Locator {
  const whole = typeof text === 'string' ? new RegExp(`${text}(?!\\d)`) : text;
  return page.getByRole('row').filter({ hasText: whole });
}

/** The text of an amount's cell in the dashboard without the share of the price, which is read after the rows. */
export function withoutShare(text: string | null): string {
  return (text ?? '').replace(
    / (?:Full price )?(?:[\S\u00a0]+, )?(?:asking|(?:under )?\d+ % of) \$[\d,]+$/i,
    '',
  );
}

/** Number of columns in which the cards of the domains stand. */
export async function columnsOfCards(page: Page): Promise<number> {
  const lefts = await page
    .getByRole('radio')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().x));
  return new Set(lefts.map(Math.round)).size;
}

/** The fields of the offer form. */
export interface OfferInput {
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

/** Fills in the offer form. */
export async function fillOfferForm(page: Page, { amount, name, email }: OfferInput): Promise<void> {
  await page.getByLabel('Your Offer').fill(amount);
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Email', { exact: true }).fill(email);
}

/** Delays requests to a URL until the returned function is called. */
export async function holdRequests(page: Page, url: string | RegExp): Promise<() => void> {
  const gate = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    await gate.promise;
    await route.fallback();
  });
  return gate.resolve;
}
