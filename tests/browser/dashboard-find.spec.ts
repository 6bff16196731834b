/** Finding offers on the dashboard, undoing a status change, and an offer's history. */
import type { Page } from '@playwright/test';
import { eraseAllOffers, readAllOffers } from '../support/calls.ts';
import type { Product } from '../support/product.ts';
import { accessibilityChecker } from './accessibility/accessibility-checker.ts';
import {
  expect,
  fillLogin,
  LONG_LIST,
  rowOf,
  scrollsHorizontally,
  signIn,
  test,
  waitUntilQuiet,
} from './fixtures.ts';
import { customers, makeThreeOffers } from './offers.ts';

const PAGES = '**/rest/v1/rpc/offer_pages';

test.describe('finding offers', () => {
  test.beforeEach(({ product }) => eraseAllOffers(product));

  test('lists overdue offers, and those with the least time left first', async ({ page, product }) => {
    const [ada, grace] = await makeThreeOffers(product);
    await page.route('**/rest/v1/rpc/find_offers', async (route) => {
      const { filter } = route.request().postDataJSON();
      const response = await route.fetch();
      const { offers } = (await response.json()) as { offers: { id: string }[] };
      // The real database has none that is older than the test.
      const made = filter.only === 'overdue' ? offers.concat(await offersOf(product, [ada, grace])) : offers;
      await route.fulfill({ response, json: { offers: made } });
    });
    await signIn(page);
    await expect(page.getByRole('button', { name: /^overdue/i })).toHaveText('overdue 0');
    const sort = page.getByRole('combobox', { name: 'Sort' });
    await sort.selectOption('Urgent first');
    await expect(page).toHaveURL(/#sort=urgent$/);
    await expect(customers(page)).toHaveText(['Ada Lovelace', 'Grace Hopper', 'Alan Turing']);
    await rowOf(page, 'Ada').getByRole('combobox').selectOption('rejected');
    await expect(customers(page)).toHaveText(['Grace Hopper', 'Alan Turing', 'Ada Lovelace']);
    await page.getByRole('button', { name: /^overdue/i }).click();
    await expect(page).toHaveURL(/#only=overdue&sort=urgent$/);
    await expect(customers(page)).toHaveText(['Grace Hopper', 'Ada Lovelace']);
    await sort.selectOption('Newest first');
    await expect(page).toHaveURL(/#only=overdue$/);
    await waitUntilQuiet(page);
  });

  test('the view stands in the fragment, which is restored, and in no request line', async ({
    page,
    product,
  }) => {
    await makeThreeOffers(product);
    const lines: string[] = [];
    page.on('request', (request) => lines.push(`${request.url()} ${request.headers().referer ?? ''}`));
    await signIn(page);
    await page.getByRole('searchbox').fill('ada@example.com');
    await expect(page).toHaveURL(/#q=ada%40example\.com$/);
    await page.getByRole('button', { name: /^pending/i }).click();
    await expect(page).toHaveURL(/#q=ada%40example\.com&status=pending$/);
    await expect(customers(page)).toHaveText(['Ada Lovelace']);
    await page.goBack();
    await expect(page.getByRole('button', { name: /^pending/i })).toHaveAttribute('aria-pressed', 'false');
    await expect(page.getByRole('searchbox')).toHaveValue('ada@example.com');
    await page.goBack();
    await expect(customers(page)).toHaveCount(3);
    await expect(page.getByRole('searchbox')).toHaveValue('');
    await page.goForward();
    await expect(customers(page)).toHaveText(['Ada Lovelace']);
    await page.reload();
    await expect(customers(page)).toHaveText(['Ada Lovelace']);
    await expect(page.getByRole('searchbox')).toHaveValue('ada@example.com');
    await expect(page).toHaveTitle('(3) Domain Sales Admin');
    expect(lines.filter((line) => /ada(?:%40|@)example/.test(line))).toEqual([]);

    // What is still read would be rejected after Logout.
    await waitUntilQuiet(page);
    await page.getByRole('button', { name: 'Logout' }).click();
    await expect(page).toHaveURL(/\/admin\/login$/);
  });

  test('a view outlives the sign-in, and a link to an offer shows all offers', async ({ page, product }) => {
    const [ada] = await makeThreeOffers(product);
    await page.goto('/admin/dashboard#q=grace');
    await expect(page).toHaveURL(/\/admin\/login#q=grace$/);
    await fillLogin(page);
    await expect(customers(page)).toHaveText(['Grace Hopper']);
    await page.evaluate((id) => {
      location.hash = `offer=${id}`;
    }, ada);
    await expect(customers(page)).toHaveCount(3);
    await expect(rowOf(page, 'Ada')).toBeFocused();
    await page.goBack();
    await expect(customers(page)).toHaveText(['Grace Hopper']);
    await expect(page.locator('.link-mark')).toHaveCount(0);
  });

  test('shows the first rows of a long list before its index, and later pages', async ({
    page,
    longList,
  }) => {
    await signIn(page, longList.origin);
    await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', String(LONG_LIST + 1));
    const gate = Promise.withResolvers<void>();
    await page.route(PAGES, async (route) => {
      await gate.promise;
      await route.continue();
    });
    await page.getByRole('searchbox').fill('Example');
    await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', '101');
    await expect(rowOf(page, 'Example 1')).toBeVisible();
    const status = rowOf(page, 'Example 1').getByRole('combobox');
    await status.focus();
    gate.resolve();
    await waitUntilQuiet(page);
    await expect(status, 'as long as its row is in use').toBeFocused();
    await page.getByRole('searchbox').focus();
    await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', String(LONG_LIST + 1));
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await expect(rowOf(page, `Example ${LONG_LIST}`)).toBeVisible();
    await expect(page.getByRole('searchbox')).toHaveAccessibleDescription('2,500 offers found.');
  });

  test('is off where the database is older, in one sentence, and the plain list loads', async ({
    page,
    product,
    pageErrors,
  }) => {
    pageErrors.expect(/status of 404/);
    await makeThreeOffers(product);
    await page.route('**/rest/v1/rpc/schema_version', (route) =>
      route.fulfill({ status: 404, json: { code: 'PGRST202', message: 'no function' } }),
    );
    await signIn(page);
    await expect(page.getByRole('region', { name: 'Site' })).toContainText('npm run deploy:backend');
    await expect(customers(page)).toHaveCount(3);
    await expect(page.getByRole('searchbox')).toHaveCount(0);
    await page.evaluate(() => {
      location.hash = '#only=held';
    });
    await expect(customers(page)).toHaveCount(3);
  });

  test('on a phone one field has all filters, and the first offer begins on the first half of the screen', async ({
    page,
    product,
  }) => {
    await makeThreeOffers(product);
    await page.setViewportSize({ width: 390, height: 844 });
    await signIn(page);
    await expect(customers(page)).toHaveCount(3);
    await rowOf(page, 'Ada').getByRole('combobox').selectOption('rejected');
    const field = page.getByRole('combobox', { name: 'Offers' });
    await expect(field.locator('optgroup[label="Status"] option')).toHaveText([
      'All 3',
      'Pending 2',
      'Accepted 0',
      'Rejected 1',
      'Negotiating 0',
    ]);
    await expect(field.locator('optgroup[label="Only"] option')).toHaveText(['Overdue 0']);
    await expect(page.getByRole('button', { name: /^rejected/i })).toHaveCount(0);
    await field.selectOption('Rejected 1');
    await expect(page).toHaveURL(/#status=rejected$/);
    await expect(customers(page)).toHaveText(['Ada Lovelace']);
    await field.selectOption('All 3');
    await expect(customers(page)).toHaveCount(3);
    await page.reload();
    await expect(field).toHaveValue('all');
    await expect(customers(page)).toHaveCount(3);
    await waitUntilQuiet(page);
    expect((await rowOf(page, 'Alan').boundingBox())?.y).toBeLessThan(420);
    await page.setViewportSize({ width: 1280, height: 800 });
    await expect(field).toHaveCount(0);
    await page.getByRole('button', { name: /^rejected/i }).click();
    await expect(customers(page)).toHaveText(['Ada Lovelace']);
    await page.getByRole('button', { name: /^all/i }).click();
    await expect(customers(page)).toHaveCount(3);
  });

  test('fits screens, and “Show all” takes no line of its own', async ({ page, product }) => {
    await makeThreeOffers(product);
    await signIn(page);
    await expect(customers(page)).toHaveCount(3);
    // A banner that comes late, on a busy machine, moves the list.
    await waitUntilQuiet(page);
    const field = page.getByRole('searchbox');
    const showAll = page.getByRole('button', { name: 'Show all' });
    const topOfList = () =>
      page.getByRole('table').evaluate((table) => table.getBoundingClientRect().top + scrollY);
    for (const width of [1280, 1100, 768, 390, 320]) {
      await page.setViewportSize({ width, height: 800 });
      // There once the counts are.
      await expect(page.getByRole('combobox', { name: 'Sort' })).toBeVisible();
      const top = await topOfList();
      await field.fill('example.com');
      await expect(customers(page)).toHaveCount(3);
      await expect(showAll).toBeVisible();
      await expect.poll(topOfList, `${width}`).toBe(top);
      expect((await showAll.boundingBox())?.height).toBeGreaterThanOrEqual(44);
      expect(await scrollsHorizontally(page)).toBe(false);
      await showAll.click();
      await expect(field).toHaveValue('');
    }
  });
});

test.describe('undoing a status change', () => {
  test.beforeEach(async ({ page, product }) => {
    await eraseAllOffers(product);
    await makeThreeOffers(product);
    await signIn(page);
  });

  const notice = (page: Page) => page.getByRole('status').filter({ hasText: 'Undo' });

  test('the error of undoing a change of an offer that has left its list is shown above the list', async ({
    page,
    pageErrors,
  }) => {
    pageErrors.expect(/status of 500/, /Failed to update offer status/);
    await page.getByRole('searchbox').fill('ada love');
    await page.getByRole('button', { name: /^pending/i }).click();
    await expect(customers(page)).toHaveText(['Ada Lovelace']);
    await rowOf(page, 'Ada').getByRole('combobox').selectOption('rejected');
    await expect(page.getByRole('heading', { name: 'No offers found' })).toBeVisible();
    await page.route('**/rest/v1/offers?*', (route) =>
      route.request().method() === 'PATCH'
        ? route.fulfill({ status: 500, json: { message: 'The database is resting.' } })
        : route.continue(),
    );
    await notice(page).getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByRole('alert')).toHaveText('lap.app: The database is resting.');
    await page.getByRole('button', { name: 'Show all' }).click();
    // Now in its row.
    await expect(rowOf(page, 'Ada').getByRole('alert')).toHaveText('The database is resting.');
    await expect(page.getByRole('alert')).toHaveCount(1);
    await page.getByRole('button', { name: 'Dismiss error' }).click();
    await expect(page.getByRole('alert')).toHaveCount(0);
  });

  test('the notice covers no row and moves none', async ({ page }) => {
    for (const [width, status] of [
      [1280, 'accepted'],
      [390, 'rejected'],
    ] as const) {
      await page.setViewportSize({ width, height: 320 });
      await page.reload();
      const row = rowOf(page, 'Grace');
      await expect(row).toBeVisible();
      await waitUntilQuiet(page);
      // The notice has a line of its own on a phone.
      if (width === 390) await row.evaluate((element) => element.scrollIntoView({ block: 'start' }));
      const place = await row.boundingBox();
      await row.getByRole('combobox').selectOption(status);
      await expect(notice(page)).toContainText(`→ ${status}.`);
      await expect.poll(() => row.boundingBox()).toEqual(place);
      const bottom = await notice(page).evaluate((box) => box.getBoundingClientRect().bottom);
      const top = await page.getByRole('table').evaluate((table) => table.getBoundingClientRect().top);
      expect(bottom).toBeLessThanOrEqual(top);
      expect(await scrollsHorizontally(page)).toBe(false);
    }
  });
});

test('an opened offer moves the rows of a long list below it', async ({ page, longList }) => {
  await signIn(page, longList.origin);
  const [first, second] = [rowOf(page, 'Example 1'), rowOf(page, 'Example 2')];
  const toggle = first.getByRole('button', { name: /^(?:Answer|Open) the offer/ });
  await expect(first).toBeVisible();
  // A banner that comes late, on a busy machine, moves the rows away from the click.
  await waitUntilQuiet(page);
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await toggle.click();
    await expect(first.getByText(/Received/)).toBeVisible();
    await expect(async () => {
      const [above, below] = [await first.boundingBox(), await second.boundingBox()];
      expect(below?.y).toBeCloseTo((above?.y ?? 0) + (above?.height ?? 0), 0);
    }).toPass();
    expect(await scrollsHorizontally(page), `${width} pixels wide`).toBe(false);
    await toggle.click();
    await expect(first.getByText(/Received/)).toHaveCount(0);
  }
});

test('the dashboard is accessible with a search, an opened history and a change to undo', async ({
  page,
  product,
}) => {
  await eraseAllOffers(product);
  await makeThreeOffers(product);
  const checkAccessibility = await accessibilityChecker(page);
  await signIn(page);
  await page.getByRole('searchbox').fill('example.com');
  await expect(page.getByRole('searchbox')).toHaveAccessibleDescription('3 offers found.');
  await checkAccessibility('a search');
  const scrolled = () => page.evaluate(() => [document.documentElement.scrollHeight, scrollY]);
  const more = rowOf(page, 'Ada').getByRole('button', { name: /^More for/ });
  await more.scrollIntoViewIfNeeded();
  const before = await scrolled();
  await more.click();
  await expect(page.getByRole('button', { name: /^Remove/ })).toBeVisible();
  expect(await scrolled(), 'the menu of the last row moves nothing').toEqual(before);
  // The menu lies over the rows below it.
  await checkAccessibility('a menu', ['color-contrast']);
  await rowOf(page, 'Ada')
    .getByRole('button', { name: /^(?:Answer|Open) the offer/ })
    .click();
  await rowOf(page, 'Ada').getByRole('combobox').selectOption('accepted');
  await page.getByRole('button', { name: 'Undo' }).focus();
  await expect(page.getByRole('listitem').filter({ hasText: 'pending → accepted' })).toBeVisible();
  // The panel reaches over cells beside its own, where axe cannot determine the background.
  await checkAccessibility('a history and a change', ['color-contrast']);
});

/** Whole rows of these ids, newest first. */
async function offersOf(product: Product, ids: (string | undefined)[]) {
  return (await readAllOffers(product)).filter(({ id }) => ids.includes(id));
}
