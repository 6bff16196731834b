/** What the dashboard's rows, filters and menus show at the widths that owners have. */
import type { Locator } from '@playwright/test';
import { eraseAllOffers, makeOffer, readAllOffers, seedOffers } from '../support/calls.ts';
import { expect, scrollsHorizontally, signIn } from './fixtures.ts';
import { MUNICH, test } from './shops/names.ts';

/** With prices of different lengths. */
const NAMES = ['io.example', 'internationalization.example', MUNICH];
const WIDTHS = [390, 1024, 1280, 1440, 1920];
const LONG_AMOUNT = 'Twelve thousand five hundred dollars, half now and half in March';
const LONG_EMAIL = 'margarethe.von-hohenstein@internationale-handelsgesellschaft.example';

test.beforeAll(async ({ shop }) => {
  await eraseAllOffers(shop);
  await seedOffers(shop, 13, NAMES);
  await makeOffer(shop, {
    domain_name: 'internationalization.example',
    offer_amount: LONG_AMOUNT,
    customer_name: 'Margarethe von Hohenstein',
    customer_email: LONG_EMAIL,
  });
});

test('asking prices, dates and emails are readable in every filter and search', async ({ page, shop }) => {
  const offers = await readAllOffers(shop);
  const pending = offers.filter(({ status }) => status === 'pending').length;
  const ofDomain = offers.filter(({ domain_name }) => domain_name === 'internationalization.example').length;
  await signIn(page);
  await expect(page.locator('tbody .asking')).toHaveCount(14);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    for (const [view, term, rows] of [
      ['', '', 14],
      ['#q=example', 'example', 14],
      ['#status=pending', '', pending],
      ['#domain=internationalization.example', '', ofDomain],
    ] as const) {
      await page.evaluate((fragment) => {
        location.hash = fragment;
      }, view);
      await expect(page.getByRole('searchbox')).toHaveValue(term);
      await expect(page.getByRole('table')).toHaveAttribute('aria-busy', 'false');
      await expect(page.locator('tbody tr')).toHaveCount(rows);
      const prices = page.locator('tbody .asking');
      await expect(prices).toHaveCount(rows);
      expect(await cutTexts(prices), `${width} ${view}`).toEqual([]);
      expect(await scrollsHorizontally(page), `${width} ${view}`).toBe(false);
    }
    await page.evaluate(() => {
      location.hash = '';
    });
    await expect(page.locator('tbody .asking')).toHaveCount(14);
    // Where there is the least room, one part of an email may be wider than its column.
    const emails = width === 1024 ? [] : await linesOf(page.locator('tbody a bdi'));
    for (const lines of emails) {
      for (const line of lines.slice(0, -1)) expect(line, `${width}`).toMatch(/[@.-]$/);
    }
    const dates = await linesOf(page.locator('tbody time'));
    for (const [day, ...more] of dates.filter((lines) => lines.length > 1)) {
      expect(day, `${width}`).toMatch(/^[A-Z][a-z]{2} \d{1,2}, \d{4}, ?$/);
      expect(more).toHaveLength(1);
    }
    expect(await cutTexts(page.locator('tbody td[data-column="Offer"] > bdi')), `${width}`).toEqual([]);
  }
});

test('menus and the four statuses stay inside the window', async ({ page }) => {
  await signIn(page);
  const statuses = page.locator('.find fieldset button');
  // The last is there once the counts are.
  await expect(statuses).toHaveText([
    /^all/,
    /^pending/,
    /^accepted/,
    /^rejected/,
    /^negotiating/,
    /^overdue/,
  ]);
  for (const width of [320, ...WIDTHS]) {
    await page.setViewportSize({ width, height: 800 });
    const field = page.getByRole('combobox', { name: 'Offers' });
    for (const status of width < 768 ? [field] : await statuses.all()) {
      await status.scrollIntoViewIfNeeded();
      await expect(status, `${width}`).toBeInViewport({ ratio: 1 });
    }
    if (width === 320) await page.getByRole('button', { name: 'Domain, Export' }).click();
    // A select's menu stays inside by itself.
    const domain = page.getByRole('combobox', { name: 'Domain', exact: true });
    await domain.scrollIntoViewIfNeeded();
    await expect(domain, `${width}`).toBeInViewport({ ratio: 1 });
    expect(await page.evaluate(() => scrollX), `${width}`).toBe(0);
  }
});

test('a row has one colour for what waits, dates in one line with how long ago, and soft texts where nothing is to do', async ({
  page,
  shop,
}) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await signIn(page);
  await expect(page.locator('tbody .asking')).toHaveCount(14);
  const dates = page.locator('tbody time');
  expect((await linesOf(dates)).every((lines) => lines.length === 1)).toBe(true);
  await expect(dates.first()).toHaveAttribute('data-ago', /^\d+ (?:min|h|d) ago$/);
  const isIn = (element: Locator, colour: string) => expect(element).toHaveCSS('color', `rgb(${colour})`);
  const [ink, soft, accent] = ['19, 19, 24', '92, 93, 102', '42, 35, 224'];
  const waiting = page
    .getByRole('row')
    .filter({ has: page.getByText('Answer', { exact: true }) })
    .first();
  await isIn(waiting.locator('.open'), accent);
  await isIn(waiting.locator('td[data-column="Domain"] > bdi'), ink);
  await isIn(waiting.locator('.email'), ink);
  const rejected = page
    .getByRole('row')
    .filter({ has: page.locator('[data-status="rejected"]') })
    .first();
  for (const column of ['Domain', 'Offer', 'Customer', 'Email', 'Date']) {
    await isIn(rejected.locator(`td[data-column="${column}"]`), soft);
    await expect(rejected.locator(`td[data-column="${column}"]`)).toHaveCSS('font-weight', '400');
  }
  expect((await readAllOffers(shop)).some(({ status }) => status === 'rejected')).toBe(true);
});

test('on a phone the first offer begins within 320 pixels, below the banner', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page);
  await expect(page.getByRole('region', { name: 'Messages' })).toBeVisible();
  await expect(page.locator('tbody .asking')).toHaveCount(14);
  const top = () =>
    page
      .locator('tbody tr')
      .first()
      .evaluate((row) => row.getBoundingClientRect().top);
  expect(await top()).toBeLessThanOrEqual(320);
  const domain = page.getByRole('combobox', { name: 'Domain', exact: true });
  await expect(domain).toBeHidden();
  await page.getByRole('button', { name: 'Domain, Export' }).click();
  await domain.selectOption(NAMES[0] ?? '');
  await page.getByRole('button', { name: 'Domain, Export' }).click();
  await expect(domain, 'while it filters').toBeVisible();
});

/** The texts that an element does not show in full. */
function cutTexts(elements: Locator): Promise<string[]> {
  return elements.evaluateAll((all) =>
    all
      .filter((element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        const cell = element.closest('td')?.getBoundingClientRect();
        return [...range.getClientRects()].some(
          ({ left, right, bottom }) =>
            !cell || left < cell.left - 1 || right > cell.right + 1 || bottom > cell.bottom + 4,
        );
      })
      .map((element) => element.textContent ?? ''),
  );
}

/** The lines in which texts are drawn. */
function linesOf(elements: Locator): Promise<string[][]> {
  return elements.evaluateAll((all) =>
    all.map((element) => {
      const lines: string[] = [];
      let top = -Infinity;
      const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      for (let node = texts.nextNode(); node; node = texts.nextNode()) {
        for (const [index, letter] of [...(node.textContent ?? '')].entries()) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + 1);
          const box = range.getBoundingClientRect();
          if (box.width > 0 && box.top > top + 4) {
            lines.push('');
            top = box.top;
          }
          lines[lines.length - 1] += letter;
        }
      }
      return lines;
    }),
  );
}

test('a chosen move of an opened row stays below the titles of the columns', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 500 });
  await signIn(page);
  await page
    .getByRole('button', { name: /^Answer the offer/ })
    .first()
    .click();
  const choice = page.getByText('Counter', { exact: true });
  await choice.click();
  await choice.evaluate((label) => scrollBy(0, label.getBoundingClientRect().top - 10));
  expect(
    await choice.evaluate((label) => {
      const { left, width, top } = label.getBoundingClientRect();
      const shown = document.elementFromPoint(left + width / 2, Math.max(top + 4, 12));
      return [top < 30, shown?.closest('thead') !== null];
    }),
  ).toEqual([true, true]);
});

test('a menu that opens upwards in the first row lies above the titles of the columns', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 500 });
  await signIn(page);
  await page.getByRole('searchbox').fill('Margarethe');
  await expect(page.getByRole('button', { name: /^More for/ })).toHaveCount(1);
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await page.getByRole('button', { name: /^More for/ }).click();
  const covered = await page.locator('thead').evaluate((titles) => {
    const { bottom } = titles.getBoundingClientRect();
    const menu = document.querySelector('.menu');
    const { top = 0, right = 0 } = menu?.getBoundingClientRect() ?? {};
    return [top < bottom, menu?.contains(document.elementFromPoint(right - 20, bottom - 8))];
  });
  expect(covered).toEqual([true, true]);
});

test('what opens in the soft row of a rejected offer is not soft', async ({ page }) => {
  await signIn(page);
  await page.getByRole('searchbox').fill('Margarethe');
  const row = page.locator('tbody tr', { hasText: 'Margarethe' });
  await row.getByRole('combobox').selectOption('rejected');
  const colorOf = (shown: Locator) => shown.evaluate((element) => getComputedStyle(element).color);
  const ink = await colorOf(page.locator('body'));
  await expect.poll(() => colorOf(row.getByText('Margarethe von Hohenstein').first())).not.toBe(ink);
  await row.getByRole('button', { name: /^Open the offer/ }).click();
  expect(await colorOf(page.getByRole('heading', { name: 'Timeline' }))).toBe(ink);
});
