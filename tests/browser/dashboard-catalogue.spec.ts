/** What the dashboard shows of the catalogue: asking prices, states, and its problems. */
import { readFileSync, writeFileSync } from 'node:fs';
import { seedOffers } from '../../node/commands/seed-offers.ts';
import { withProject } from '../../node/embedded-backend/with-project.ts';
import { makeOffer } from '../support/calls.ts';
import { accessibilityChecker } from './accessibility/accessibility-checker.ts';
import { expect, holdRequests, rowOf, scrollsHorizontally, signIn } from './fixtures.ts';
import { testWithShop } from './test-with-shop.ts';

const PRICES = '**/rest/v1/rpc/asking_prices';
/** Owners write texts, not HTML. */
const HTML_PRICE = '<b>$1</b> or more, and please ask first';
const DOMAINS = [
  { name: 'priced.example', price: '$10,000' },
  { name: 'html.example', price: HTML_PRICE },
  { name: 'a-name-sold.example', price: '$99,173', state: 'sold' },
  { name: 'reserved.example', price: '$1,250,000', state: 'reserved' },
];
const GONE = 'gone.example';
/** One for each domain, one for the domain that is gone, and another one. */
const OFFERS = DOMAINS.length + 2;
const MINUTE_MS = 60_000;

const test = testWithShop({
  settings: { brokerUrl: 'https://broker.example/{domain}' },
  domains: DOMAINS.map((domain) => ({ ...domain, description: 'A name.', hasBroker: false })),
});

test.beforeAll(async ({ shop }) => {
  await withProject({ dataDir: shop.dataDir, supabase: undefined }, async (project) => {
    for (const name of [...DOMAINS.map((domain) => domain.name), GONE]) await seedOffers(project, 1, [name]);
  });
  await makeOffer(shop, {
    domain_name: 'priced.example',
    offer_amount: 'EUR 1,250,000',
    customer_name: 'Ada',
  });
});

test('asking prices stand beside the amounts, and names that are not for sale or left the catalogue are marked', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const checkAccessibility = await accessibilityChecker(page);
  await signIn(page);
  const amount = (name: string) => rowOf(page, name).last().getByRole('cell').nth(1);
  const asking = (name: string) => amount(name).getByText(/^asking /);
  await expect(asking('priced.example')).toHaveText('asking $10,000');
  await expect(asking('priced.example')).toBeVisible();
  await expect(asking('html.example')).toHaveText(`asking ${HTML_PRICE}`);
  await expect(asking(GONE)).toHaveCount(0);
  const domain = (name: string) => rowOf(page, name).last().getByRole('cell').first();
  await expect(domain('a-name-sold')).toContainText('Sold');
  await expect(domain('reserved.example')).toHaveText('reserved.example Reserved');
  await expect(domain('priced.example')).toHaveText('priced.example');
  await expect(domain(GONE)).toHaveText(`${GONE} Not in the catalogue`);
  expect(await scrollsHorizontally(page)).toBe(false);
  await checkAccessibility('asking prices and states');
});

test('the panel of an accepted offer follows the state of its name', async ({ page }) => {
  await page.route('**/functions/v1/negotiation', (route) =>
    route.fulfill({
      json: {
        domain: 'priced.example',
        status: 'accepted',
        seen: 2,
        moves: [{ number: 1, side: 'buyer', kind: 'offer', amount: '$9', at: '2026-11-22T08:14:00Z' }],
        can: ['take_back'],
      },
    }),
  );
  const checkAccessibility = await accessibilityChecker(page);
  await signIn(page);
  const panelOf = async (name: string) => {
    const row = rowOf(page, name).last();
    await row.getByRole('button', { name: /^History/ }).click();
    return row.getByRole('region', { name: /^Answer to/ });
  };
  const panel = await panelOf('priced.example');
  await expect(panel).toContainText('The name is still for sale until you reserve it on the server:');
  await expect(panel.getByRole('code')).toHaveText(
    'npm run catalogue -- reserve priced.example && npm run build',
  );
  await checkAccessibility('an accepted offer', ['color-contrast']);

  // As after these commands.
  await page.route(PRICES, (route) => {
    const { names } = route.request().postDataJSON() as { names: string[] };
    const listings = DOMAINS.map(({ state = 'reserved', ...domain }) => ({ ...domain, state }));
    return route.fulfill({ json: listings.filter(({ name }) => names.includes(name)) });
  });
  await page.evaluate(() => dispatchEvent(new Event('visibilitychange')));
  await expect(panel).toContainText('The name is reserved: it takes no other offers.');
  await expect(rowOf(page, 'priced.example').last().getByRole('cell').first()).toContainText('Reserved');
  await expect(await panelOf('a-name-sold')).toContainText('The name is marked as sold');
  await expect(await panelOf('reserved.example')).toContainText('The name is reserved');
  await expect(await panelOf(GONE)).toContainText('The name is not in the catalogue');
  await expect(page.getByRole('button', { name: 'Copy command' })).toHaveCount(0);
});

test('the list is the same as before where prices cannot be read, until they can', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expect(/status of 500.*asking_prices/);
  await page.route(PRICES, (route) => route.fulfill({ status: 500, json: { message: 'resting' } }));
  const failed = page.waitForResponse(PRICES);
  await signIn(page);
  await failed;
  await expect(page.getByRole('row')).toHaveCount(1 + OFFERS);
  await expect(page.getByText(/^asking /)).toHaveCount(0);
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.unroute(PRICES);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page.getByText(/^asking /)).toHaveCount(OFFERS - 1);
});

test('rows are shown while their prices are not read yet', async ({ page }) => {
  const release = await holdRequests(page, PRICES);
  await signIn(page);
  await expect(page.getByRole('row')).toHaveCount(1 + OFFERS);
  await expect(page.getByText(/^asking /)).toHaveCount(0);
  release();
  await expect(page.getByText(/^asking /)).toHaveCount(OFFERS - 1);
});

test('the problems of the catalogue are shown until they are mended', async ({ page, shop }) => {
  const good = readFileSync(shop.catalogue, 'utf8');
  await page.clock.install();
  // All of it on one screen: of a row below the titles of the columns, no contrast can be measured.
  await page.setViewportSize({ width: 1280, height: 1_200 });
  const checkAccessibility = await accessibilityChecker(page);
  await signIn(page);
  await expect(page.getByText(/^asking /)).toHaveCount(OFFERS - 1);
  const banner = page.getByRole('region', { name: 'Site' });
  await expect(banner).toHaveCount(0);
  writeFileSync(
    shop.catalogue,
    good.replace('"priced.example"', '"<img src=x>"').replace('"$1,250,000"', '""'),
  );
  try {
    // The report is cached for a second.
    await expect(async () => {
      await page.clock.fastForward(MINUTE_MS + 500);
      await expect(banner).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await expect(banner.getByRole('alert')).toHaveText(
      'The catalogue or the site’s branding has problems; the last good pages are served.',
    );
    const problems = banner.getByRole('group', { name: 'Problems' });
    await expect(problems).toHaveText(
      /^Please correct the catalogue:\n {2}\S*catalogue\.yaml:\d+:\d+ {2}entry 1 \(<img src=x>\), field name .*\n {2}\S*catalogue\.yaml:\d+:\d+ {2}entry 4 \(reserved\.example\), field price /,
      { useInnerText: true },
    );
    await checkAccessibility('problems of the catalogue');

    // On a phone the banner alone is higher than the screen before the list is there.
    await page.setViewportSize({ width: 390, height: 400 });
    const release = await holdRequests(page, /\/rest\/v1\/offers\?/);
    await page.reload();
    await expect(banner).toBeVisible();
    release();
    await expect(page.getByText(/^asking /)).toHaveCount(OFFERS - 1);
    expect(await page.evaluate(() => scrollY)).toBe(0);
    expect(await scrollsHorizontally(page)).toBe(false);
  } finally {
    writeFileSync(shop.catalogue, good);
  }
  await expect(async () => {
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(banner).toHaveCount(0, { timeout: 1_000 });
  }).toPass();
});
