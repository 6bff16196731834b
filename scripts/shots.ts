/**
 * `npm run shots`: pictures of every page and state, light and dark, wide and narrow, in shots/; they are looked at,
 * not asserted. `npm run shots -- --readme` also renews the ones in the README.
 */
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, chromium, type Page } from '@playwright/test';
import { ADMIN, type Product, startProduct } from '../tests/product.ts';
import { findBrowser } from './find-browser.ts';
import { sayAndExit } from './say-and-exit.ts';

const FOLDER = 'shots';

/** One state of one page: how a person gets there. */
type Scene = (page: Page, product: Product) => Promise<void>;

const FORM = { offer: '€12,500', name: 'Ada Lovelace', email: 'ada@example.com' };

const SCENES: Record<string, Scene> = {
  // First, while the desk holds nothing but what makeOffers made.
  desk: async (page, { origin }) => {
    await open(page, `${origin}/admin/login`);
    await signIn(page, ADMIN.password);
    await page.getByRole('row').nth(3).waitFor();
  },
  home: (page, { origin }) => open(page, origin),
  domain: openDomain,
  'offer-ready': async (page, product) => {
    await openDomain(page, product);
    await fill(page);
  },
  'offer-submitted': async (page, product) => {
    await openDomain(page, product);
    await fill(page);
    await page.getByRole('button', { name: 'Submit Offer' }).click();
    await page.getByText('Offer Submitted!').waitFor();
  },
  'offer-refused': async (page, product) => {
    await page.route('**/functions/v1/order-submit', (route) =>
      route.fulfill({
        status: 429,
        json: { error: 'Too many offers at once. Please try again in 4 minutes.' },
      }),
    );
    await openDomain(page, product);
    await fill(page);
    await page.getByRole('button', { name: 'Submit Offer' }).click();
    await page.getByRole('alert').waitFor();
  },
  'bot-check-failed': async (page, product) => {
    await page.route('**/functions/v1/bot-check', (route) => route.abort());
    await openDomain(page, product);
    await page.getByLabel('Your Offer').fill(FORM.offer);
    await page.getByText('CAPTCHA failed to load').waitFor();
  },
  'not-found': (page, { origin }) => open(page, `${origin}/nothing-here`),
  'sign-in': (page, { origin }) => open(page, `${origin}/admin/login`),
  'sign-in-refused': async (page, { origin }) => {
    await open(page, `${origin}/admin/login`);
    await signIn(page, 'not the password');
    await page.getByRole('alert').waitFor();
  },
  'desk-empty': async (page, { origin }) => {
    await page.route('**/rest/v1/offers**', (route) => route.fulfill({ json: [] }));
    await open(page, `${origin}/admin/login`);
    await signIn(page, ADMIN.password);
    await page.getByText('No offers yet').waitFor();
  },
  'desk-failed': async (page, { origin }) => {
    await page.route('**/rest/v1/offers**', (route) => route.abort());
    await open(page, `${origin}/admin/login`);
    await signIn(page, ADMIN.password);
    await page.getByRole('alert').waitFor();
  },
};

const WIDTHS = { wide: 1280, narrow: 360 };
const SCHEMES = ['light', 'dark'] as const;

/** What the README shows, and of which picture. */
const README = { storefront: 'domain-wide-light', desk: 'desk-wide-light' };

try {
  const { values } = parseArgs({ options: { readme: { type: 'boolean', default: false } } });
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER);
  const product = await startProduct();
  const browser = await chromium.launch({
    executablePath: findBrowser() ?? chromium.executablePath(),
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    await makeOffers(product, browser);
    for (const [name, scene] of Object.entries(SCENES)) await takeAll(browser, product, name, scene);
  } finally {
    await browser.close();
    await product.stop();
  }
  if (values.readme) {
    for (const [name, shot] of Object.entries(README)) {
      copyFileSync(join(FOLDER, `${shot}.png`), `docs/pictures/${name}.png`);
    }
  }
} catch (error) {
  sayAndExit(error);
}

async function takeAll(browser: Browser, product: Product, name: string, scene: Scene): Promise<void> {
  for (const [size, width] of Object.entries(WIDTHS)) {
    for (const colorScheme of SCHEMES) {
      const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
      const page = await context.newPage();
      await scene(page, product);
      await page.screenshot({ path: join(FOLDER, `${name}-${size}-${colorScheme}.png`), fullPage: true });
      await context.close();
    }
  }
  console.log(`  ${name}`);
}

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
}

function openDomain(page: Page, { port }: Product): Promise<void> {
  return open(page, `http://lap.app.localhost:${port}`);
}

async function fill(page: Page): Promise<void> {
  await page.getByLabel('Your Offer').fill(FORM.offer);
  await page.getByLabel('Name').fill(FORM.name);
  await page.getByLabel('Email').fill(FORM.email);
  await page.getByRole('button', { name: 'Submit Offer', disabled: false }).waitFor();
}

async function signIn(page: Page, password: string): Promise<void> {
  await page.getByLabel('Email').fill(ADMIN.email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In' }).click();
}

/** A desk as an owner might find it: made through the form, like everybody's. */
async function makeOffers(product: Product, browser: Browser): Promise<void> {
  const page = await browser.newPage();
  for (const [domain, offer, name] of [
    ['sample.app', '$14,000', 'Grace Hopper'],
    ['site.example', '3,500 € if it can be this week', 'Jean-Baptiste Grenouille'],
    ['host.example', '$9,000', 'Barbara Liskov'],
    ['lap.app', '£8,200', 'Alan Turing'],
  ] as const) {
    await open(page, `http://${domain}.localhost:${product.port}`);
    await fill(page);
    await page.getByLabel('Your Offer').fill(offer);
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Email').fill(`${name.split(' ')[0]?.toLowerCase()}@example.com`);
    await page.getByRole('button', { name: 'Submit Offer' }).click();
    await page.getByText('Offer Submitted!').waitFor();
  }
  await open(page, `${product.origin}/admin/login`);
  await signIn(page, ADMIN.password);
  for (const [row, status] of ['negotiating', 'rejected', 'pending', 'accepted'].entries()) {
    if (status === 'pending') continue;
    const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH');
    await page.getByRole('combobox').nth(row).selectOption(status);
    await saved;
  }
  await page.close();
}
