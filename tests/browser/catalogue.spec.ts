/** What the site's owner does with the catalogue, and what visitors then see. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { callFunction, readAllOffers } from '../support/calls.ts';
import { copyOfProject, type Product, startProduct } from '../support/product.ts';
import { test as base, expect, fillOfferForm, submitButton } from './fixtures.ts';

/** Is read as münchen.example. */
const MUNICH = 'xn--mnchen-3ya.example';
const CATALOGUE = 'src/content/catalogue.yaml';

interface EditedFixtures {
  /** A product whose owner has edited the catalogue: see `edit`. */
  edited: Product;
}

const test = base.extend<object, EditedFixtures>({
  edited: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names out of it
    async ({}, use) => {
      const project = copyOfProject();
      rewrite(project.folder, edit);
      const product = await startProduct({ project: project.folder });
      await use(product);
      await product.stop();
      project.remove();
    },
    { scope: 'worker', timeout: 150_000 },
  ],
  baseURL: ({ edited }, use) => use(edited.origin),
});

// In one worker: each would build the site for itself.
test.describe.configure({ mode: 'default' });

/** Sells host.example, adds three more, writes more about lap.app, and gives an address. */
function edit(catalogue: string): string {
  const [kept = ''] = catalogue.split('  - name: host.example');
  return (
    kept
      .replace(
        /(name: lap\.app[\s\S]*?description:) .*/,
        '$1 The description that the owner has just written.\n    about: |\n      # History\n\n      Since **2009**, [never used](https://archive.example). <script>alert(1)</script>',
      )
      .replace(/^ {2}languages:/m, '  contact: owner@example.com\n$&') +
    ['fresh.example', 'fourth.example', MUNICH]
      .map(
        (name) => `  - { name: ${name}, price: $1, description: A name., hasBroker: ${name === MUNICH} }\n`,
      )
      .join('')
  );
}

test('the owner’s longer text is shown below the form, without scripts', async ({ page }) => {
  await page.goto('/sites/lap.app/');
  const about = page.getByRole('region', { name: 'About lap.app' });
  await expect(about.getByRole('heading', { name: 'History', level: 3 })).toBeVisible();
  await expect(about.getByRole('link', { name: 'never used' })).toHaveAttribute(
    'href',
    'https://archive.example',
  );
  await expect(about).toContainText('Since 2009, never used. <script>alert(1)</script>');
  await page.goto('/de/sites/lap.app/');
  await expect(page.getByRole('heading', { name: 'Über lap.app' })).toBeVisible();
  await page.goto('/sites/sample.app/');
  await expect(page.getByRole('heading', { name: 'About' })).toHaveCount(0);
  expect(await page.content()).not.toContain('never used');
});

test('the owner’s contact email is in the footer of every page', async ({ page, pageErrors }) => {
  pageErrors.expect(/404 \(Not Found\)/);
  for (const path of ['/', '/sites/lap.app/', '/de/sites/lap.app/', '/nothing-here']) {
    await page.goto(path);
    const link = page.getByRole('contentinfo').getByRole('link', { name: 'owner@example.com' });
    await expect(link).toHaveAttribute('href', 'mailto:owner@example.com');
  }
});

test('six domains are shown in three columns, on a phone in one, and a single one in the first of three', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/');
  await expect(page.getByRole('radio')).toHaveCount(6);
  expect(await columnsOfCards(page)).toBe(3);
  await page.setViewportSize({ width: 360, height: 800 });
  expect(await columnsOfCards(page)).toBe(1);

  // A single card has the same classes as six (DomainCards.astro).
  await page.setViewportSize({ width: 1280, height: 800 });
  for (let left = 5; left > 0; left -= 1)
    await page
      .locator('.card')
      .last()
      .evaluate((one) => one.remove());
  await expect(page.getByRole('radio')).toHaveCount(1);
  const widths = await page
    .getByRole('group')
    .evaluate((cards) => [cards.clientWidth, cards.querySelector('.card')?.clientWidth ?? 0]);
  expect(Math.floor((widths[0] ?? 0) / (widths[1] ?? 1))).toBe(3);
});

test('an edited description is shown on the cards', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByText('The description that the owner has just written.')).toBeVisible();
});

test('a domain added to the catalogue has its own page and accepts offers', async ({ page, edited }) => {
  await page.goto(`http://fresh.example:${edited.port}/`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Own fresh.example Domain');
  await expect(page.getByRole('radio', { checked: true })).toHaveValue('fresh.example');
  await fillOfferForm(page, { amount: '5 €', name: 'Grace', email: 'grace@example.com' });
  await submitButton(page).click();
  await expect(page.getByRole('heading', { name: 'Offer Submitted!' })).toBeVisible();
});

test('an internationalised name is shown decoded, and its offer carries the punycode name', async ({
  page,
  edited,
}) => {
  const headline = page.getByRole('heading', { level: 1 });
  const form = page.getByRole('form');
  const broker = page.getByRole('link', { name: 'Use Broker for münchen.example' });
  await page.goto(`http://${MUNICH}:${edited.port}/`);
  await expect(headline).toHaveText('Own münchen.example Domain');
  await expect(page).toHaveTitle('münchen.example is for sale: make an offer');
  expect(await page.locator('body').innerText()).not.toContain('xn--');
  await page.getByRole('radio', { name: 'fresh.example' }).check();
  await expect(headline).toHaveText('Own fresh.example Domain');
  await page.getByRole('radio', { name: 'münchen.example' }).check();
  await expect(page.getByRole('radio', { checked: true })).toHaveValue(MUNICH);
  await expect(headline).toHaveText('Own münchen.example Domain');
  await expect(form).toContainText('for münchen.example');
  await expect(broker).toHaveAttribute('href', `https://broker.example/domains/${MUNICH}`);
  await fillOfferForm(page, { amount: '5 €', name: 'Karl', email: 'karl@example.com' });
  await submitButton(page).click();
  await expect(page.getByRole('status').filter({ hasText: 'Offer Submitted!' })).toContainText(
    'münchen.example',
  );
  expect(await page.locator('body').innerText()).not.toContain('xn--');
  const offers = await readAllOffers(edited);
  expect(offers.find(({ customer_email }) => customer_email === 'karl@example.com')?.domain_name).toBe(
    MUNICH,
  );
});

test('a domain removed from the catalogue has no page and accepts no offers', async ({
  page,
  edited,
  pageErrors,
}) => {
  pageErrors.expect(/status of 404/);
  await page.goto(`http://host.example:${edited.port}/`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Own a Premium Domain');
  await expect(page.getByText('host.example')).toHaveCount(0);
  expect((await page.goto('/sites/host.example/'))?.status()).toBe(404);
  const rejected = await callFunction(edited, 'order-submit', {
    domain_name: 'host.example',
    offer_amount: '$1',
    customer_name: 'Ada',
    customer_email: 'ada@example.com',
    turnstile_token: 'of another time',
  });
  expect([rejected.status, await rejected.text()]).toEqual([
    422,
    expect.stringContaining('not for sale here'),
  ]);
  expect((await callFunction(edited, 'bot-check?domain=host.example')).status).toBe(422);
  expect((await callFunction(edited, 'bot-check')).status).toBe(200);
});

function rewrite(folder: string, change: (catalogue: string) => string): void {
  const file = join(folder, CATALOGUE);
  const before = readFileSync(file, 'utf8');
  const after = change(before);
  if (after === before) throw new Error('The catalogue has changed: this edit does nothing any more.');
  writeFileSync(file, after);
}

async function columnsOfCards(page: Page): Promise<number> {
  const cards = await page
    .getByRole('radio')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().x));
  return new Set(cards.map(Math.round)).size;
}
