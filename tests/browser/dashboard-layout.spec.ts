/** What the dashboard's rows, filters and menus show at the widths that owners have. */
import type { Locator } from '@playwright/test';
import { seedOffers } from '../../node/commands/seed-offers.ts';
import { withProject } from '../../node/embedded-backend/with-project.ts';
import { makeOffer } from '../support/calls.ts';
import { expect, fillLogin, rowOf, scrollsHorizontally, signIn } from './fixtures.ts';
import { testWithShop } from './test-with-shop.ts';

const PRICES = ['$10,000', '$1,250,000', 'make me an offer of any kind, seven digits'];
const DOMAINS = PRICES.map((price, index) => ({ name: `november${index}.example`, price }));
const WIDTHS = [390, 1024, 1280, 1440, 1920];
const LONG_AMOUNT = 'Twelve thousand five hundred dollars, half now and half in March';
const LONG_EMAIL = 'margarethe.von-hohenstein@internationale-handelsgesellschaft.example';

/** Twice as wide as high. */
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 30"><path d="M0 0h60v30H0z"/></svg>`;

const test = testWithShop(
  {
    settings: { brokerUrl: 'https://broker.example/{domain}', offerMessage: true },
    domains: DOMAINS.map((domain) => ({ ...domain, description: 'A name.', hasBroker: false })),
  },
  { 'own/logo.svg': LOGO },
);

let ada = '';

test.beforeAll(async ({ shop }) => {
  await withProject({ dataDir: shop.dataDir, supabase: undefined }, (project) =>
    seedOffers(
      project,
      12,
      DOMAINS.map(({ name }) => name),
    ),
  );
  await makeOffer(shop, {
    domain_name: 'november1.example',
    offer_amount: LONG_AMOUNT,
    customer_name: 'Margarethe von Hohenstein',
    customer_email: LONG_EMAIL,
  });
  ada = await makeOffer(shop, {
    domain_name: 'november0.example',
    customer_name: 'Ada Lovelace',
    customer_email: 'ada.lovelace@example.com',
    message: `\n${'Is the name free? '.repeat(20)}\nSecond line.`,
  });
});

test('asking prices, dates and emails are readable in every filter and search', async ({ page }) => {
  await signIn(page);
  await expect(page.getByText(/^asking /)).toHaveCount(14);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    for (const view of ['', '#q=november', '#status=pending', '#domain=november1.example']) {
      await page.evaluate((fragment) => {
        location.hash = fragment;
      }, view);
      await expect(page.getByRole('table')).toHaveAttribute('aria-busy', 'false');
      const prices = page.getByText(/^asking /);
      await expect(prices).toHaveCount(await page.locator('tbody tr').count());
      expect(await cutTexts(prices), `${width} ${view}`).toEqual([]);
      expect(await scrollsHorizontally(page), `${width} ${view}`).toBe(false);
    }
    await page.evaluate(() => {
      location.hash = '';
    });
    await expect(page.getByText(/^asking /)).toHaveCount(14);
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
    expect(await cutTexts(page.locator('tbody td:nth-child(2) > bdi')), `${width}`).toEqual([]);
  }
});

test('the owner’s logo stands in place of the dot', async ({ page }) => {
  const logo = page.getByRole('heading', { level: 1 }).locator('img');
  await page.goto('/admin/login');
  await expect(logo).toBeVisible();
  await fillLogin(page);
  await expect(page.getByRole('heading', { name: 'Domain Sales Admin', exact: true })).toBeVisible();
  await expect(logo).toHaveJSProperty('complete', true);
  await expect(logo).not.toHaveJSProperty('naturalWidth', 0);
  const { width, height } = (await logo.boundingBox()) ?? {};
  expect([width, height]).toEqual([64, 32]);
});

test('menus and the four statuses stay inside the window', async ({ page }) => {
  await signIn(page);
  for (const width of [320, ...WIDTHS]) {
    await page.setViewportSize({ width, height: 800 });
    for (const status of await page.locator('.find fieldset button').all()) {
      await status.scrollIntoViewIfNeeded();
      await expect(status, `${width}`).toBeInViewport({ ratio: 1 });
    }
    // A select's menu stays inside by itself.
    const domain = page.getByRole('combobox', { name: 'Domain', exact: true });
    await domain.scrollIntoViewIfNeeded();
    await expect(domain, `${width}`).toBeInViewport({ ratio: 1 });
    expect(await page.evaluate(() => scrollX), `${width}`).toBe(0);
  }
});

test('a row shows the first line of its message, and a link in a mail opens it', async ({ page }) => {
  await page.goto(`/admin/dashboard#offer=${ada}`);
  await expect(page.getByText('Forgot your password?')).toHaveText(
    'Forgot your password? Run npm run admin -- password EMAIL on the server.',
  );
  await fillLogin(page);
  const row = rowOf(page, 'Ada Lovelace');
  await expect(row).toBeFocused();
  const history = row.getByRole('region', { name: 'History' });
  await expect(history.getByRole('group', { name: 'Message' })).toContainText('Second line.');
  await expect(history).toContainText('Received');
  const line = row.locator('.message-line');
  await expect(line).toHaveText(/^Is the name free\? /);
  await expect(line).not.toContainText('Second line.');
  await expect(page.locator('.message-line')).toHaveCount(1);
  await expect(row.getByRole('cell')).toHaveCount(7);
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    expect((await line.boundingBox())?.height, 'one line').toBeLessThan(30);
    const [opened, whole] = [await history.boundingBox(), await row.boundingBox()];
    // On a phone a marked row has padding on both sides.
    expect(opened?.width, 'as wide as its row').toBeGreaterThan((whole?.width ?? 0) - 40);
    expect(await scrollsHorizontally(page)).toBe(false);
  }
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
