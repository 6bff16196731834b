/** The list of offers: how it looks, what it shows while it cannot be loaded, and many rows. */
import type { Locator, Page } from '@playwright/test';
import type { Offer } from '#contract/offer.ts';
import { addHeldOffers, eraseAllOffers, makeOffer, seedOffers } from '../support/calls.ts';
import { accessibilityChecker } from './accessibility/accessibility-checker.ts';
import {
  expect,
  holdRequests,
  LONG_LIST,
  rowOf,
  scrollsHorizontally,
  signIn,
  test,
  waitUntilQuiet,
} from './fixtures.ts';
import { customers } from './offers.ts';

// Dates are in US English for every browser language, in the browser's time zone.
test.use({ locale: 'de-DE', timezoneId: 'America/New_York' });

const READS = '**/rest/v1/offers?*';

test.describe('the list of offers', () => {
  test.beforeEach(({ product }) => eraseAllOffers(product));

  test('dates are in US English and the admin’s time zone, and each status has its own colour in both schemes', async ({
    page,
    product,
  }) => {
    await seedOffers(product, 4);
    for (const customer_name of ['From the future', 'Summer', 'Winter'])
      await makeOffer(product, { customer_name });
    // As the embedded backend writes a time, and as a hosted one does.
    const times: Record<string, Partial<Offer>> = {
      Winter: { created_at: '2026-11-20T18:05:07.282+00:00', status: 'accepted' },
      Summer: { created_at: '2026-07-01T03:30:00.123456+00:00', status: 'accepted' },
      'From the future': { status: 'escalated' },
    };
    await rewriteOffers(page, ({ customer_name }) => times[customer_name] ?? {});
    await signIn(page);
    await expect(rowOf(page, 'Winter').getByRole('cell').nth(4)).toHaveText('Nov 20, 2026, 1:05 PM');
    await expect(rowOf(page, 'Summer').getByRole('cell').nth(4)).toHaveText('Jun 30, 2026, 11:30 PM');
    // Not every browser reads a time with a space in it; the form with T is everybody's.
    await expect(rowOf(page, 'Winter').getByRole('time')).toHaveAttribute(
      'datetime',
      '2026-11-20T18:05:07.282+00:00',
    );
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const [status, colour] of [
        ['pending', 'yellow'],
        ['accepted', 'green'],
        ['rejected', 'red'],
        ['negotiating', 'blue'],
        ['escalated', 'grey'],
      ] as const) {
        const badge = page.locator('.badge', { hasText: status }).first();
        expect(await colourOf(badge), `${status}, ${colorScheme}`).toBe(colour);
      }
      await expect(rowOf(page, 'From the future').getByRole('combobox')).toHaveValue('escalated');
    }
  });

  test('the list of offers fits screens with the longest texts', async ({ page, product }) => {
    await makeOffer(product);
    await makeOffer(product, {
      offer_amount: 'W'.repeat(500),
      customer_name: 'M'.repeat(200),
      customer_email: `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.example`,
    });
    await page.route('**/rest/v1/offers?*', async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replaceAll('lap.app', `${'w'.repeat(59)}.app`);
      await route.fulfill({ response, body });
    });
    await signIn(page);
    await expect(rowOf(page, 'Ada')).toBeVisible();
    // Banners and filters may come after the rows.
    await waitUntilQuiet(page);
    for (const width of [320, 360, 768, 1024, 1100, 1280]) {
      await page.setViewportSize({ width, height: 640 });
      // What is drawn by the width follows it.
      await expect(page.getByRole('combobox', { name: 'Offers' })).toHaveCount(width < 768 ? 1 : 0);
      expect(await scrollsHorizontally(page), `${width} pixels wide`).toBe(false);
      // What comes after the name in its line: the date in a card.
      const next = `td[data-column="${width < 1120 ? 'Date' : 'Offer'}"]`;
      const [name, beside] = await Promise.all(
        ['td[data-column="Domain"] > bdi', next].map((cell) =>
          rowOf(page, 'Ada').locator(cell).boundingBox(),
        ),
      );
      expect((name?.x ?? 0) + (name?.width ?? 0), `${width} pixels wide`).toBeLessThanOrEqual(beside?.x ?? 0);
      for (const control of await page.getByRole('combobox').or(page.getByRole('button')).all()) {
        const box = await control.boundingBox();
        expect(box?.height, `${width} pixels wide`).toBeGreaterThanOrEqual(44);
        expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
      }
    }
  });
});

test('the rows come with the scripts that the page names, supabase-js after them, and an opened row with its own, which may fail', async ({
  page,
  product,
  pageErrors,
}) => {
  pageErrors.expect(/ERR_FAILED/, /dynamically imported module/, /Failed to load the moves/);
  await eraseAllOffers(product);
  await makeOffer(product);
  await signIn(page);
  const loaded = new Set<string>();
  page.on('request', (request) => {
    if (request.resourceType() === 'script') loaded.add(new URL(request.url()).pathname.slice(1));
  });
  await page.reload();
  await expect(rowOf(page, 'Ada')).toBeVisible();
  await waitUntilQuiet(page);
  const html = await (await page.request.get('/admin/dashboard')).text();
  const named = new Set(html.match(/_astro\/[^"]+\.js/g));
  expect([...named].filter((path) => !loaded.has(path))).toEqual([]);
  const later = () => [...loaded].filter((path) => !named.has(path)).sort();
  await expect
    .poll(later)
    .toEqual([expect.stringMatching(/\/calls\./), expect.stringMatching(/\/supabase-client\./)]);

  const script = '**/_astro/OfferHistory.*.js';
  await page.route(script, (route) => route.abort());
  const open = page.getByRole('button', { name: /^Answer the offer/ });
  const history = page.getByRole('region', { name: 'History' });
  await open.click();
  await expect(history.getByRole('alert')).toHaveText(/^Failed to show the history and the answer: /);
  await page.unroute(script);
  await history.getByRole('button', { name: 'Reload' }).click();
  const moves = '**/functions/v1/negotiation';
  await page.route(moves, (route) => route.abort());
  await open.click();
  await expect(history.getByRole('alert')).toContainText('Failed to load the moves.');
  await page.unroute(moves);
  await history.getByRole('button', { name: 'Try again' }).click();
  await expect(history.getByRole('button', { name: 'Send' })).toBeVisible();
});

test('held offers are a filter, and in no other list', async ({ page, product }) => {
  await eraseAllOffers(product);
  await signIn(page);
  await expect(page.getByText('No offers yet')).toBeVisible();
  await expect(page.getByText('held for review')).toHaveCount(0);

  await makeOffer(product);
  await addHeldOffers(product, ['Held 1', 'Held 2', 'Held 3']);
  await page.getByRole('button', { name: 'Refresh' }).click();
  const table = page.getByRole('table', { name: 'Domain Offers' });
  const held = page.getByRole('button', { name: /^held/i });
  await expect(page.getByText('Without 3 offers held for review')).toBeVisible();
  await expect(table.getByRole('combobox')).toHaveCount(1);
  await expect(held).toHaveText('held 3');
  const titles = await table.getByRole('columnheader').allTextContents();

  await held.click();
  await expect(page).toHaveURL(/#only=held$/);
  await expect(table.getByText(/^Held \d$/)).toHaveText(['Held 3', 'Held 2', 'Held 1']);
  await expect(table.getByRole('columnheader')).toHaveText(titles);
  await expect(page.getByRole('table')).toHaveCount(1);
  await rowOf(page, 'Held 2').getByRole('combobox').selectOption('accepted');
  await expect(statusOf(page, 'Held 2')).toHaveText('accepted');
  // Shown before it is saved.
  await waitUntilQuiet(page);
  await page.reload();
  await expect(statusOf(page, 'Held 2')).toHaveText('accepted');
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(table.getByRole('combobox')).toHaveCount(1);
});

test('open offers of a customer for one name are one row, until the earlier ones are shown', async ({
  page,
  product,
}) => {
  await eraseAllOffers(product);
  const [first = ''] = [
    await makeOffer(product, { offer_amount: '$1,000' }),
    await makeOffer(product, { customer_name: 'Grace Hopper' }),
    await makeOffer(product, { offer_amount: '$2,000' }),
    await makeOffer(product, { offer_amount: '$3,000' }),
  ];
  const checkAccessibility = await accessibilityChecker(page);
  await signIn(page);
  const amounts = page.locator('tbody td[data-column="Offer"] > bdi');
  await expect(amounts).toHaveText(['$3,000', '$12,000']);
  await expect(page.getByRole('button', { name: 'all 4' })).toBeVisible();
  await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', '5');
  const earlier = page.getByRole('button', { name: '2 earlier of Ada Lovelace for lap.app' });
  await earlier.press('Enter');
  await expect(amounts).toHaveText(['$3,000', '$2,000', '$1,000', '$12,000']);
  for (const row of await page.locator('tbody').getByRole('row').all()) {
    await expect(row.getByRole('cell')).toHaveCount(7);
    await expect(row.getByRole('combobox')).toHaveCount(1);
  }
  await checkAccessibility('earlier offers of a customer');
  // An open row stays, with what is typed in it.
  await page
    .getByRole('button', { name: /^Answer the offer of Ada/ })
    .nth(2)
    .click();
  await earlier.click();
  await expect(amounts).toHaveText(['$3,000', '$1,000', '$12,000']);
  // Not as the newest any more.
  await rowOf(page, '3,000').getByRole('combobox').selectOption('rejected');
  await expect(page.getByRole('button', { name: '1 earlier of Ada Lovelace for lap.app' })).toBeVisible();
  await page.goto(`/admin/dashboard#offer=${first}`);
  await page.reload();
  await expect(rowOf(page, '1,000')).toBeFocused();
});

test.describe('a list of offers that cannot be loaded', () => {
  test.beforeEach(({ product }) => eraseAllOffers(product));

  test('a failed load goes on by itself, says so, and shows its message until there is a list', async ({
    page,
    product,
    pageErrors,
  }) => {
    // A poll may begin while the browser is offline.
    pageErrors.expect(/net::ERR_(FAILED|INTERNET_DISCONNECTED)/, /Failed to fetch offers/);
    await makeOffer(product);
    await page.clock.install();
    await page.route(READS, (route) => route.abort());
    await signIn(page);
    const message = page.getByRole('alert');
    await expect(message).toHaveText('Failed to fetch offers');
    expect(await colourOf(message)).toBe('red');
    await expect(page.getByText('No offers yet')).toHaveCount(0);
    await expect(page.getByText('Trying again every 20 seconds.')).toBeVisible();
    await page.unroute(READS);
    const release = await holdRequests(page, READS);
    const retried = page.waitForRequest(READS);
    await page.clock.fastForward(20_500);
    await retried;
    await expect(message).toHaveText('Failed to fetch offers');
    release();
    await expect(rowOf(page, 'Ada')).toBeVisible();
    await expect(message).toHaveCount(0);

    // At once where the network is back.
    await page.unroute(READS);
    await page.route(READS, (route) => route.abort());
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(message).toHaveText('Failed to fetch offers');
    await expect(rowOf(page, 'Ada')).toBeVisible();
    await expect(page.getByText('Loading offers...')).toHaveCount(0);
    await expect(page.getByText('Trying again every 20 seconds.')).toBeVisible();
    await page.unroute(READS);
    await page.context().setOffline(true);
    await page.context().setOffline(false);
    await expect(message).toHaveCount(0);
  });
});

test.describe('many offers', () => {
  test('all of 1,100 offers are on the page, each once', async ({ page, startOwnProduct }) => {
    // All rows are drawn at once, which takes a busy machine its time.
    test.setTimeout(120_000);
    const product = await startOwnProduct();
    await seedOffers(product, 1_100);
    await signIn(page, product.origin);
    const rows = page.locator('tr');
    await expect(rows).toHaveCount(1 + 1_100, { timeout: 30_000 });
    await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', '1101');
    expect(await numbersOfRows(page)).toEqual(Array.from({ length: 1_100 }, (_, at) => at + 1));
    await rows.last().scrollIntoViewIfNeeded();
    await expect(rows.last().getByRole('combobox')).toBeInViewport();
  });

  test('the end of a long list does not move during scrolling', async ({ page, longList }) => {
    await page.setViewportSize({ width: 1280, height: 720 });
    await signIn(page, longList.origin);
    await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', String(LONG_LIST + 1));
    // A banner that comes late moves the rows.
    await waitUntilQuiet(page);
    const height = await heightOf(page);
    for (const part of [0.25, 0.5, 0.75]) {
      await scrollToPart(page, part);
      await expect.poll(() => textInTheMiddle(page)).toMatch(/Example \d/);
      expect(await heightOf(page)).toBe(height);
    }
  });

  test('an error in the middle of a long list covers no column title and no focus', async ({
    page,
    longList,
    pageErrors,
  }) => {
    pageErrors.expect(/net::ERR_FAILED/, /Failed to fetch offers/);
    await signIn(page, longList.origin);
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 720 });
      await page.reload();
      await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', String(LONG_LIST + 1));
      await page.route(READS, (route) => route.abort());
      await scrollToPart(page, 0.5);

      const message = page.getByRole('alert');
      await expect(message).toBeInViewport({ ratio: 1 });
      const { y: top = 0, height = 0 } = (await message.boundingBox()) ?? {};
      const titles = page.getByRole('columnheader').first();
      if (width === 1280) expect(top).toBeGreaterThan(await bottomOf(titles));
      // Nor what the keyboard reaches next, in either direction.
      await page.unroute(READS);
      await scrollToPart(page, 0.4);
      await expect.poll(() => textInTheMiddle(page)).toMatch(/Example \d/);
      await waitUntilQuiet(page);
      await page.getByRole('table').getByRole('combobox').last().focus();
      await expect(message).toBeInViewport({ ratio: 1 });
      for (let stop = 0; stop < 30; stop += 1) {
        await page.keyboard.press('Shift+Tab');
        const { y = 0 } = (await page.locator(':focus').boundingBox()) ?? {};
        expect(y, `${width} pixels wide`).toBeGreaterThan(top + height);
      }
    }
  });

  test('each offer of a long list can be reached with few rows in the page', { tag: '@hosted' }, async ({
    page,
    longList,
  }) => {
    // The bench has 100,000.
    const last = rowOf(page, `Example ${LONG_LIST}`);
    await signIn(page, longList.origin);
    await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', String(LONG_LIST + 1));
    for (const [width, status] of [
      [1280, 'negotiating'],
      [360, 'rejected'],
    ] as const) {
      await page.setViewportSize({ width, height: 720 });
      // On a narrow screen the filters and the lines of settings stand above the list.
      if (width === 360) await rowOf(page, 'Example 1').scrollIntoViewIfNeeded();
      await expect(rowOf(page, 'Example 1')).toBeInViewport();
      expect(await numberOfNodes(page)).toBeLessThan(MOST_NODES);

      await scrollToPart(page, 0.5);
      await expect.poll(() => textInTheMiddle(page)).toMatch(/Example 1[0-4]\d{2}(?!\d)/);
      expect(await numberOfNodes(page)).toBeLessThan(MOST_NODES);

      await expect(async () => {
        await page.keyboard.press('End');
        await expect(last).toBeInViewport({ timeout: 2_000 });
      }).toPass();
      await expect(last).toHaveAttribute('aria-rowindex', String(LONG_LIST + 1));
      expect(await numberOfNodes(page)).toBeLessThan(MOST_NODES);
      const numbers = await numbersOfRows(page);
      const first = LONG_LIST - numbers.length + 1;
      expect(numbers).toEqual(Array.from(numbers, (_, at) => first + at));

      await last.getByRole('combobox').selectOption(status);
      await expect(statusOf(page, `Example ${LONG_LIST}`)).toHaveText(status);
      await expect(last).toBeInViewport();

      await scrollToPart(page, 0);
      if (width === 360) await rowOf(page, 'Example 1').scrollIntoViewIfNeeded();
      await expect(rowOf(page, 'Example 1')).toBeInViewport();
      expect(await numberOfNodes(page)).toBeLessThan(MOST_NODES);
    }
  });
});

/** A page of 1,100 offers has some 22,000 nodes; a long list's must not grow with it. */
const MOST_NODES = 2_500;

function numberOfNodes(page: Page): Promise<number> {
  return page.evaluate(() => document.querySelectorAll('*').length);
}

/** The column of the status. */
const STATUS = 5;

/** The badge of a row. */
function statusOf(page: Page, text: string): Locator {
  return rowOf(page, text).getByRole('cell').nth(STATUS).locator('.badge');
}

/** The numbers of the made-up customers that have a row on the page, in its order. */
async function numbersOfRows(page: Page): Promise<number[]> {
  const texts = await customers(page).allTextContents();
  return texts.flatMap((text) => (/ Example (\d+)$/.exec(text) ?? []).slice(1)).map(Number);
}

/** What stands in the row in the middle of the screen. */
function textInTheMiddle(page: Page): Promise<string> {
  return page.evaluate(() => {
    const middle = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
    return middle?.closest('tr')?.textContent ?? '';
  });
}

async function bottomOf(element: Locator): Promise<number> {
  const { y = 0, height = 0 } = (await element.boundingBox()) ?? {};
  return y + height;
}

function heightOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollHeight);
}

function scrollToPart(page: Page, part: number): Promise<void> {
  return page.evaluate((to) => scrollTo(0, to * document.documentElement.scrollHeight), part);
}

/** Lets the page see offers that the real database would not hold. */
async function rewriteOffers(page: Page, change: (offer: Offer) => Partial<Offer>): Promise<void> {
  await page.route(READS, async (route) => {
    const response = await route.fetch();
    const offers = (await response.json()) as Offer[];
    await route.fulfill({ response, json: offers.map((offer) => ({ ...offer, ...change(offer) })) });
  });
}

/** What a person would call the colour of a text. */
function colourOf(text: Locator): Promise<string> {
  return text.evaluate((element) => {
    const [red = 0, green = 0, blue = 0] = (getComputedStyle(element).color.match(/\d+/g) ?? []).map(Number);
    const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
    if (most - least < 20) return 'grey';
    const place =
      most === red
        ? (green - blue) / (most - least)
        : most === green
          ? 2 + (blue - red) / (most - least)
          : 4 + (red - green) / (most - least);
    const hue = (place * 60 + 360) % 360;
    if (hue < 20 || hue > 340) return 'red';
    if (hue < 65) return 'yellow';
    return hue < 170 ? 'green' : 'blue';
  });
}
