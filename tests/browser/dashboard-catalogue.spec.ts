/** What the dashboard shows of the catalogue: asking prices, states, and its problems. */
import { readFileSync, writeFileSync } from 'node:fs';
import { eraseAllOffers, makeOffer, seedOffers } from '../support/calls.ts';
import { accessibilityChecker } from './accessibility/accessibility-checker.ts';
import { expect, holdRequests, rowOf, scrollsHorizontally, signIn } from './fixtures.ts';
import { MUNICH, PRICES, RESERVED, SOLD, test } from './shops/names.ts';

const ASKING_PRICES = '**/rest/v1/rpc/asking_prices';
const GONE = 'gone.example';
const NAMES = ['priced.example', MUNICH, SOLD, RESERVED, GONE];
/** One for each name, and three more. */
const OFFERS = NAMES.length + 3;
const MINUTE_MS = 60_000;
/** Of the price, or the price alone. */
const SHARE = /(?:^|, )(?:asking|(?:under )?\d+ % of) /i;

test.beforeAll(async ({ shop }) => {
  await eraseAllOffers(shop);
  for (const name of NAMES) await seedOffers(shop, 1, [name]);
  for (const [customer_name, offer_amount] of [
    ['Lee Chan', '12k'],
    ['Mary Moss', '$15,731'],
    ['Bea Baker', 'EUR 1,250,000'],
  ] as const)
    await makeOffer(shop, { domain_name: 'priced.example', offer_amount, customer_name });
});

test('below an amount stands its share of the price, and names that are not for sale or left the catalogue are marked', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const checkAccessibility = await accessibilityChecker(page);
  await signIn(page);
  const amount = (name: string) => rowOf(page, name).last().getByRole('cell').nth(1);
  await expect(amount('Lee Chan')).toHaveText('12k $12,000, 76 % of $15,731');
  await expect(amount('Mary Moss')).toHaveText('$15,731 Full price Asking $15,731');
  await expect(amount('Bea Baker')).toHaveText('EUR 1,250,000 Asking $15,731');
  // Owners write texts, not HTML.
  await expect(amount('münchen.example').getByText(SHARE)).toHaveText(`Asking ${PRICES[MUNICH]}`);
  await expect(amount(GONE).getByText(SHARE)).toHaveCount(0);
  const domain = (name: string) => rowOf(page, name).last().getByRole('cell').first();
  await expect(domain(SOLD)).toContainText('Sold');
  await expect(domain('bücher.example')).toHaveText('bücher.example Reserved');
  await expect(domain('priced.example')).toHaveText('priced.example');
  await expect(domain(GONE)).toHaveText(`${GONE} Not in the catalogue`);
  expect(await scrollsHorizontally(page)).toBe(false);
  await checkAccessibility('asking prices and states');
});

test('the deal of an accepted offer follows the state of its name', async ({ page }) => {
  await page.route('**/functions/v1/negotiation', (route) =>
    route.fulfill({
      json: {
        domain: 'priced.example',
        status: 'accepted',
        seen: 2,
        moves: [{ number: 1, side: 'buyer', kind: 'offer', amount: '$9', at: '2026-11-22T08:14:00Z' }],
        can: ['take_back'],
        deal: { reference: 'PRIC-7F3K', agreed_at: '2026-11-23T08:14:00Z', seen: 0, changes: [] },
      },
    }),
  );
  const checkAccessibility = await accessibilityChecker(page);
  await signIn(page);
  const panelOf = async (name: string) => {
    const row = rowOf(page, name).last();
    await row.getByRole('button', { name: /^(?:Answer|Open) the offer/ }).click();
    return row.getByRole('region', { name: /^Deal with/ });
  };
  const panel = await panelOf('priced.example');
  await expect(panel).toContainText('still for sale to others');
  await expect(panel.getByRole('button', { name: 'Reserve priced.example' })).toBeVisible();
  await checkAccessibility('an accepted offer', ['color-contrast']);

  // As after these commands.
  await page.route(ASKING_PRICES, (route) => {
    const { names } = route.request().postDataJSON() as { names: string[] };
    const listings = names
      .filter((name) => name !== GONE)
      .map((name) => ({ name, price: PRICES[name], state: name === SOLD ? 'sold' : 'reserved' }));
    return route.fulfill({ json: listings });
  });
  await page.evaluate(() => dispatchEvent(new Event('visibilitychange')));
  await expect(panel).toContainText(/Agreed.* · reserved/);
  await expect(rowOf(page, 'priced.example').last().getByRole('cell').first()).toContainText('Reserved');
  await expect(await panelOf(SOLD)).toContainText(/Agreed.* · sold on your pages/);
  await expect(await panelOf('bücher.example')).toContainText(/Agreed.* · reserved/);
  await expect(await panelOf(GONE)).toContainText(/Agreed.* · not in the catalogue/);
  await expect(page.getByRole('button', { name: 'Copy command' })).toHaveCount(0);
});

test('rows are shown while their prices are not read yet, and as before where they cannot be read, until they can', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expect(/status of 500.*asking_prices/);
  const { promise: read, resolve: respond } = Promise.withResolvers<void>();
  await page.route(ASKING_PRICES, async (route) => {
    await read;
    await route.fulfill({ status: 500, json: { message: 'resting' } });
  });
  const failed = page.waitForResponse(ASKING_PRICES);
  await signIn(page);
  await expect(page.getByRole('row')).toHaveCount(1 + OFFERS);
  await expect(page.getByText(SHARE)).toHaveCount(0);
  respond();
  await failed;
  await expect(page.getByRole('row')).toHaveCount(1 + OFFERS);
  await expect(page.getByText(SHARE)).toHaveCount(0);
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.unroute(ASKING_PRICES);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page.getByText(SHARE)).toHaveCount(OFFERS - 1);
});

test('the problems of the catalogue are shown until they are mended', async ({ page, shop }) => {
  const good = readFileSync(shop.catalogue, 'utf8');
  await page.clock.install();
  // All of it on one screen: of a row below the titles of the columns, no contrast can be measured.
  await page.setViewportSize({ width: 1280, height: 1_200 });
  const checkAccessibility = await accessibilityChecker(page);
  await signIn(page);
  await expect(page.getByText(SHARE)).toHaveCount(OFFERS - 1);
  const banner = page.getByRole('region', { name: 'Site' });
  await expect(banner).toHaveCount(0);
  writeFileSync(shop.catalogue, good.replace('"priced.example"', '"<img src=x>"').replace('"$99,173"', '""'));
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
      /^Please correct the catalogue:\n {2}\S*catalogue\.yaml:\d+:\d+ {2}entry 5 \(<img src=x>\), field name .*\n {2}\S*catalogue\.yaml:\d+:\d+ {2}entry 7 \(sold\.example\), field price /,
      { useInnerText: true },
    );
    await checkAccessibility('problems of the catalogue');

    // On a phone the banner alone is higher than the screen before the list is there.
    await page.setViewportSize({ width: 390, height: 400 });
    const release = await holdRequests(page, /\/rest\/v1\/offers\?/);
    await page.reload();
    await expect(banner).toBeVisible();
    release();
    await expect(page.getByText(SHARE)).toHaveCount(OFFERS - 1);
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
