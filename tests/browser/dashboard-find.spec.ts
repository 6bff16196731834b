/** Finding offers on the dashboard, undoing a status change, and an offer's history. */
import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { eraseAllOffers, makeOffer, readAllOffers } from '../support/calls.ts';
import { ADMIN, type Product } from '../support/product.ts';
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

const FIND = '**/rest/v1/rpc/find_offers';
const HISTORY = '**/rest/v1/rpc/offer_history';
const PAGES = '**/rest/v1/rpc/offer_pages';

test.describe('finding offers', () => {
  test.beforeEach(({ product }) => eraseAllOffers(product));

  test('searches customer, email, domain and amount, from three characters on', async ({ page, product }) => {
    await makeThreeOffers(product);
    await signIn(page);
    const field = page.getByRole('searchbox', { name: 'Search offers' });
    await expect(field).toHaveAccessibleDescription('Finds from three characters on.');
    for (const [text, names] of [
      ['ada love', ['Ada Lovelace']],
      ['GRACE@EXAMPLE', ['Grace Hopper']],
      ['host.ex', ['Grace Hopper']],
      ['100%', ['Alan Turing']],
      ['example.com', ['Alan Turing', 'Grace Hopper', 'Ada Lovelace']],
    ] as const) {
      await field.fill(text);
      await expect(customers(page)).toHaveText([...names]);
      await expect(field).toHaveAccessibleDescription(
        names.length === 1 ? '1 offer found.' : `${names.length} offers found.`,
      );
    }
    await field.fill('ad');
    await expect(field).toHaveAccessibleDescription('Type at least three characters.');
    await expect(customers(page)).toHaveCount(3);
    await field.fill('nobody');
    await expect(page.getByRole('heading', { name: 'No offers found' })).toBeVisible();
    await expect(page.getByText('No offers yet')).toHaveCount(0);
    await expect(field).toBeFocused();
    // Nor is the list empty, or the field gone, while all offers are loaded again.
    const loading = Promise.withResolvers<void>();
    await page.route('**/rest/v1/**', (route) => loading.promise.then(() => route.continue()));
    await field.clear();
    await expect(page.getByText('Loading offers...')).toBeVisible();
    await expect(page.getByText('No offers')).toHaveCount(0);
    await expect(field).toBeFocused();
    loading.resolve();
    await expect(customers(page)).toHaveCount(3);
    await expect(field).toBeFocused();
    await field.fill('nobody');
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect(customers(page)).toHaveCount(3);
    await expect(field).toHaveValue('');
    await expect(page.getByRole('row').nth(1).getByRole('combobox')).toHaveCount(1);
  });

  test('filters by status, with counts, and by domain', async ({ page, product }) => {
    await makeThreeOffers(product);
    await signIn(page);
    const status = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}`, 'i') });
    await expect(status('pending')).toHaveText('pending 3');
    await rowOf(page, 'Grace').getByRole('combobox').selectOption('accepted');
    await expect(status('pending')).toHaveText('pending 2');
    await expect(status('accepted')).toHaveText('accepted 1');
    await status('accepted').click();
    await expect(status('accepted')).toHaveAttribute('aria-pressed', 'true');
    await expect(customers(page)).toHaveText(['Grace Hopper']);
    await status('accepted').click();
    await expect(customers(page)).toHaveCount(3);

    const domains = page.getByRole('combobox', { name: 'Domain', exact: true });
    await expect(domains.getByRole('option')).toHaveText(['All domains', 'host.example', 'lap.app']);
    await domains.selectOption('host.example');
    await expect(customers(page)).toHaveText(['Grace Hopper']);
    await domains.selectOption('All domains');
    await expect(customers(page)).toHaveCount(3);
  });

  test('lists overdue offers, and those with the least time left first', async ({ page, product }) => {
    const [ada, grace] = await makeThreeOffers(product);
    await page.route('**/rest/v1/rpc/find_offers', async (route) => {
      const { filter } = route.request().postDataJSON();
      const response = await route.fetch();
      const { offers } = (await response.json()) as { offers: { id: string }[] };
      // The real database has none that is older than the test.
      const made = filter.overdue ? offers.concat(await offersOf(product, [ada, grace])) : offers;
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

  test('Export downloads what the filter shows', async ({ page, product }) => {
    await makeThreeOffers(product);
    await makeOffer(product, { customer_name: '=Mallory', customer_email: 'mallory@example.net' });
    await signIn(page);
    const download = async () => {
      const started = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export' }).click();
      const file = await started;
      expect(file.suggestedFilename()).toBe('offers.csv');
      const lines = readFileSync(await file.path(), 'utf8')
        .trimEnd()
        .split('\r\n');
      expect(lines[0]).toBe(
        '\uFEFFid,domain_name,offer_amount,customer_name,customer_email,created_at,status',
      );
      return lines.slice(1);
    };
    expect(await download()).toEqual([
      expect.stringContaining(",'=Mallory,mallory@example.net,"),
      expect.stringContaining(',Alan Turing,alan@example.com,'),
      expect.stringContaining(',host.example,"1,000 €",Grace Hopper,grace@example.com,'),
      expect.stringContaining(',Ada Lovelace,ada@example.com,'),
    ]);
    await page.getByRole('searchbox').fill('grace');
    await expect(customers(page)).toHaveText(['Grace Hopper']);
    expect(await download()).toEqual([expect.stringContaining(',Grace Hopper,')]);
  });

  test('a changed offer leaves the list of one status, and the focus is not lost', async ({
    page,
    product,
  }) => {
    await makeThreeOffers(product);
    await signIn(page);
    await page.getByRole('button', { name: /^pending/i }).click();
    await expect(customers(page)).toHaveCount(3);
    await rowOf(page, 'Ada').getByRole('combobox').focus();
    await rowOf(page, 'Ada').getByRole('combobox').selectOption('rejected');
    await expect(customers(page)).toHaveText(['Alan Turing', 'Grace Hopper']);
    await expect(page.getByRole('heading', { name: 'Domain Offers' })).toBeFocused();
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

    await page.getByRole('button', { name: 'Logout' }).click();
    await expect(page).toHaveURL(/\/admin\/login$/);
  });

  test('a view outlives the sign-in, and a link to an offer shows all offers', async ({ page, product }) => {
    const [ada] = await makeThreeOffers(product);
    await page.goto('/admin/dashboard#q=grace');
    await expect(page).toHaveURL(/\/admin\/login#q=grace$/);
    await signInHere(page);
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
    gate.resolve();
    await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', String(LONG_LIST + 1));
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await expect(rowOf(page, `Example ${LONG_LIST}`)).toBeVisible();
    await expect(page.getByRole('searchbox')).toHaveAccessibleDescription('2,500 offers found.');
  });

  test('without a filter no offer is read by find_offers', async ({ page, product }) => {
    await makeThreeOffers(product);
    const found: string[] = [];
    await page.route(FIND, (route) => {
      found.push(route.request().url());
      return route.continue();
    });
    await signIn(page);
    await expect(customers(page)).toHaveCount(3);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(page.getByRole('table')).toHaveAttribute('aria-busy', 'false');
    expect(found).toEqual([]);
  });

  test('is hidden where the database has no such functions', async ({ page, product, pageErrors }) => {
    pageErrors.expect(/status of 404/);
    await makeThreeOffers(product);
    await page.route('**/rest/v1/rpc/offer_counts', (route) =>
      route.fulfill({ status: 404, json: { code: 'PGRST202', message: 'no function' } }),
    );
    await signIn(page);
    await expect(customers(page)).toHaveCount(3);
    await expect(page.getByRole('searchbox')).toHaveCount(0);
  });

  test('fits screens, and “Show all” takes no line of its own', async ({ page, product }) => {
    await makeThreeOffers(product);
    await signIn(page);
    const field = page.getByRole('searchbox');
    const showAll = page.getByRole('button', { name: 'Show all' });
    const topOfList = () =>
      page.getByRole('table').evaluate((table) => table.getBoundingClientRect().top + scrollY);
    for (const width of [1280, 1100, 768, 390, 320]) {
      await page.setViewportSize({ width, height: 800 });
      const last = page.locator('.find > :last-child');
      await expect(last, 'shown, so that no line is empty').toBeVisible();
      const top = await topOfList();
      await field.fill('example.com');
      await expect(customers(page)).toHaveCount(3);
      await expect(showAll).toBeVisible();
      expect(await topOfList(), `${width}`).toBe(top);
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

  test('a button and a key set the former status, and the change itself is saved at once', async ({
    page,
    product,
  }) => {
    const ada = rowOf(page, 'Ada').getByRole('combobox');
    await ada.selectOption('accepted');
    await expect(notice(page)).toContainText('lap.app: pending → accepted.');
    await expect.poll(() => statusOf(product, 'Ada')).toBe('accepted');
    await notice(page).getByRole('button', { name: 'Undo' }).press('Enter');
    await expect(notice(page)).toHaveCount(0);
    await expect(ada).toHaveValue('pending');
    await expect(ada).toBeFocused();
    await expect.poll(() => statusOf(product, 'Ada')).toBe('pending');

    await ada.selectOption('rejected');
    await rowOf(page, 'Grace').getByRole('combobox').selectOption('negotiating');
    await expect(notice(page)).toContainText('host.example: pending → negotiating.');
    await page.getByRole('searchbox').focus();
    await page.keyboard.press('Control+z');
    await expect(notice(page)).toHaveCount(1);
    await ada.focus();
    await page.keyboard.press('Control+z');
    await expect.poll(() => statusOf(product, 'Grace')).toBe('pending');
    expect(await statusOf(product, 'Ada')).toBe('rejected');
  });

  test('the former status of an offer that has left its list can be set', async ({ page }) => {
    await page.getByRole('button', { name: /^pending/i }).click();
    await rowOf(page, 'Ada').getByRole('combobox').selectOption('rejected');
    await expect(customers(page)).toHaveText(['Alan Turing', 'Grace Hopper']);
    await page.keyboard.press('Control+z');
    await expect(customers(page)).toHaveText(['Alan Turing', 'Grace Hopper', 'Ada Lovelace']);
  });

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

  test('the notice does not come back after Logout', async ({ page }) => {
    await rowOf(page, 'Ada').getByRole('combobox').selectOption('accepted');
    await expect(notice(page)).toHaveCount(1);
    // The list is read again after the change, which would be rejected after Logout.
    await waitUntilQuiet(page);
    await page.getByRole('button', { name: 'Logout' }).press('Enter');
    await expect(page.getByRole('heading', { name: 'Admin Access' })).toBeVisible();
    await fillLogin(page);
    await expect(rowOf(page, 'Ada')).toBeVisible();
    await expect(notice(page)).toHaveCount(0);
  });

  for (const width of [1280, 390]) {
    test(`the notice covers no row and moves none, ${width} pixels wide`, async ({ page }) => {
      await page.setViewportSize({ width, height: 320 });
      const row = rowOf(page, 'Grace');
      await expect(row).toBeVisible();
      // The notice has a line of its own on a phone.
      if (width === 390) await row.evaluate((element) => element.scrollIntoView({ block: 'start' }));
      const place = await row.boundingBox();
      await row.getByRole('combobox').selectOption('accepted');
      await expect(notice(page)).toContainText('pending → accepted.');
      await expect.poll(() => row.boundingBox()).toEqual(place);
      const bottom = await notice(page).evaluate((box) => box.getBoundingClientRect().bottom);
      const top = await page.getByRole('table').evaluate((table) => table.getBoundingClientRect().top);
      expect(bottom).toBeLessThanOrEqual(top);
      expect(await scrollsHorizontally(page)).toBe(false);
    });
  }
});

test.describe('the history of an offer', () => {
  test.beforeEach(({ product }) => eraseAllOffers(product));

  test('opens in its row, with each change, and follows the next one', async ({ page, product }) => {
    await makeThreeOffers(product);
    await signIn(page);
    const row = rowOf(page, 'Ada');
    const button = row.getByRole('button', { name: 'History of the offer of Ada Lovelace for lap.app' });
    await expect(button).toHaveAttribute('aria-expanded', 'false');
    await button.press('Enter');
    await expect(button).toHaveAttribute('aria-expanded', 'true');
    const history = row.getByRole('region', { name: 'History' });
    await expect(history).toHaveAttribute('id', (await button.getAttribute('aria-controls')) ?? '');
    await expect(history).toContainText('Received');
    await expect(history).toContainText('No changes yet.');
    await row.getByRole('combobox').selectOption('accepted');
    await expect(history.getByRole('listitem').nth(1)).toContainText(`pending → accepted by ${ADMIN.email}`);
    await row.getByRole('combobox').selectOption('rejected');
    await expect(history.getByRole('listitem').nth(2)).toContainText(`accepted → rejected by ${ADMIN.email}`);
    await expect(row.getByRole('cell')).toHaveCount(7);
    await expect(row.getByRole('combobox')).toHaveCount(1);
    await button.click();
    await expect(history).toHaveCount(0);
  });

  test('shows that it is loading, and an error that can be tried again', async ({
    page,
    product,
    pageErrors,
  }) => {
    pageErrors.expect(/status of 500/, /Failed to load the history/);
    await makeThreeOffers(product);
    await signIn(page);
    const gate = Promise.withResolvers<void>();
    await page.route(HISTORY, async (route) => {
      await gate.promise;
      await route.fulfill({ status: 500, json: {} });
    });
    const row = rowOf(page, 'Grace');
    await row.getByRole('button', { name: /^History/ }).click();
    await expect(row.getByText('Loading history...')).toBeVisible();
    gate.resolve();
    await expect(row.getByText('Failed to load the history.')).toBeVisible();
    await page.unroute(HISTORY);
    await row.getByRole('button', { name: 'Try again' }).click();
    await expect(row.getByText('No changes yet.')).toBeVisible();
  });

  test('moves the rows of a long list below it', async ({ page, longList }) => {
    await signIn(page, longList.origin);
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      await page.reload();
      const [first, second] = [rowOf(page, 'Example 1'), rowOf(page, 'Example 2')];
      await expect(first).toBeVisible();
      // A banner that comes late, on a busy machine, moves the rows away from the click.
      await waitUntilQuiet(page);
      await first.getByRole('button', { name: /^History/ }).click();
      await expect(first.getByText(/Received/)).toBeVisible();
      await expect(async () => {
        const [above, below] = [await first.boundingBox(), await second.boundingBox()];
        expect(below?.y).toBeCloseTo((above?.y ?? 0) + (above?.height ?? 0), 0);
      }).toPass();
      expect(await scrollsHorizontally(page), `${width} pixels wide`).toBe(false);
    }
  });
});

test.describe('removing an offer', () => {
  test('asks, names customer and domain, and deletes that offer alone', async ({ page, product }) => {
    await eraseAllOffers(product);
    await makeThreeOffers(product);
    await signIn(page);
    const row = rowOf(page, 'Ada');
    await row.getByRole('button', { name: /^History/ }).click();
    const remove = row.getByRole('button', { name: 'Remove' });
    // A banner that comes late, on a busy machine, moves the row away from the click.
    await waitUntilQuiet(page);
    await remove.click();
    const question = page.getByRole('dialog', { name: 'Remove the offer of Ada Lovelace for lap.app?' });
    await expect(question).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(question).toBeHidden();
    await expect(remove).toBeFocused();
    await remove.press('Enter');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(customers(page)).toHaveCount(3);
    await remove.press('Enter');
    await question.getByRole('button', { name: 'Remove' }).click();
    await expect(customers(page)).toHaveText(['Alan Turing', 'Grace Hopper']);
    await expect(page.getByRole('heading', { name: 'Domain Offers' })).toBeFocused();
    expect(await readAllOffers(product)).toHaveLength(2);
  });

  test('shows that it failed', async ({ page, product, pageErrors }) => {
    pageErrors.expect(/status of 500/, /Failed to remove the offer/);
    await eraseAllOffers(product);
    await makeThreeOffers(product);
    let calls = 0;
    await page.route('**/rest/v1/rpc/remove_offer', (route) => {
      calls += 1;
      return route.fulfill({ status: 500, json: {} });
    });
    await signIn(page);
    const row = rowOf(page, 'Ada');
    await row.getByRole('button', { name: /^History/ }).click();
    await row.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await expect(row.getByRole('alert')).toHaveText('Failed to remove the offer.');
    // Escape is no answer, whatever the answer before it was, which some browsers leave.
    await row.getByRole('button', { name: 'Remove' }).click();
    const question = page.getByRole('dialog');
    expect(await question.evaluate((dialog: HTMLDialogElement) => dialog.returnValue)).toBe('');
    await page.keyboard.press('Escape');
    await expect(question).toHaveCount(0);
    await row.getByRole('button', { name: 'Remove' }).click();
    const again = page.waitForResponse('**/rest/v1/rpc/remove_offer');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await again;
    await waitUntilQuiet(page);
    expect(calls).toBe(2);
    await expect(customers(page)).toHaveCount(3);
  });
});

test('the dashboard is accessible with a search, an opened history and a change to undo', async ({
  page,
  product,
}) => {
  test.slow();
  await eraseAllOffers(product);
  await makeThreeOffers(product);
  const checkAccessibility = await accessibilityChecker(page);
  await signIn(page);
  await page.getByRole('searchbox').fill('example.com');
  await expect(page.getByRole('searchbox')).toHaveAccessibleDescription('3 offers found.');
  await checkAccessibility('a search');
  await rowOf(page, 'Ada')
    .getByRole('button', { name: /^History/ })
    .click();
  await rowOf(page, 'Ada').getByRole('combobox').selectOption('accepted');
  await page.getByRole('button', { name: 'Undo' }).focus();
  await expect(page.getByText('pending → accepted by')).toBeVisible();
  // The panel reaches over cells beside its own, where axe cannot determine the background.
  await checkAccessibility('a history and a change', ['color-contrast']);
});

async function statusOf(product: Product, name: string): Promise<string | undefined> {
  return (await readAllOffers(product)).find(({ customer_name }) => customer_name.startsWith(name))?.status;
}

/** Whole rows of these ids, newest first. */
async function offersOf(product: Product, ids: (string | undefined)[]) {
  return (await readAllOffers(product)).filter(({ id }) => ids.includes(id));
}

/** By Ada, then Grace, then Alan. @returns their ids */
async function makeThreeOffers(product: Product): Promise<string[]> {
  return [
    await makeOffer(product),
    await makeOffer(product, {
      domain_name: 'host.example',
      customer_name: 'Grace Hopper',
      customer_email: 'grace@example.com',
      offer_amount: '1,000 €',
    }),
    await makeOffer(product, {
      customer_name: 'Alan Turing',
      customer_email: 'alan@example.com',
      offer_amount: '100% of it',
    }),
  ];
}

async function signInHere(page: Page): Promise<void> {
  await page.getByLabel('Email').fill(ADMIN.email);
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
  await page.getByRole('button', { name: 'Sign In' }).click();
}

/** The cells of the column Customer. */
function customers(page: Page): Locator {
  return page.locator('tbody tr > td:nth-child(3)');
}
