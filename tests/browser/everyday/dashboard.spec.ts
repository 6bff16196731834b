/** The offers, as the administrator reads, finds, changes and exports them every day. */
import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { OFFER_STATUSES } from '#contract/offer.ts';
import { changeStatusElsewhere, eraseAllOffers, makeOffer, readAllOffers } from '../../support/calls.ts';
import { ADMIN, type Product } from '../../support/product.ts';
import {
  expect,
  fillLogin,
  holdRequests,
  rowOf,
  signIn,
  test,
  waitUntilQuiet,
  whenShown,
  withoutShare,
} from '../fixtures.ts';
import { customers, makeThreeOffers } from '../offers.ts';

// Dates are in US English for every browser language, in the browser's time zone.
test.use({ locale: 'de-DE', timezoneId: 'America/New_York' });

const READS = '**/rest/v1/offers?*';

test.beforeEach(({ product }) => eraseAllOffers(product));

test('the list is empty, then loading, then has a row per offer, newest first, with every column', {
  tag: '@hosted',
}, async ({ page, product }) => {
  await signIn(page);
  await expect(page.getByRole('heading', { name: 'Domain Offers' })).toBeVisible();
  await expect(page.getByText('Manage and track all incoming domain purchase offers')).toBeVisible();
  await expect(page.getByText('No offers yet', { exact: true })).toBeVisible();
  await expect(
    page.getByText('Domain offers will appear here when customers submit them.', { exact: true }),
  ).toBeVisible();
  await expect(page.getByRole('table')).toHaveCount(0);
  await expect(page.getByText('Loading offers...')).toHaveCount(0);

  await makeOffer(product, { offer_amount: '1,000 €' });
  const first = await holdRequests(page, READS);
  await page.reload();
  await expect(page.getByRole('status')).toHaveText('Loading offers...');
  await expect(page.getByText('No offers yet')).toHaveCount(0);
  first();
  await expect(rowOf(page, 'Ada')).toBeVisible();
  await expect(page.getByText('Loading offers...')).toHaveCount(0);
  await page.unroute(READS);

  // Also those by which a poll would insert the next offer.
  const again = await holdRequests(page, READS);
  await makeOffer(product, {
    domain_name: 'host.example',
    offer_amount: 'make me smile',
    customer_name: 'Grace Hopper',
    customer_email: 'grace@example.com',
  });
  await expect(rowOf(page, 'Grace')).toHaveCount(0);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page.getByText('Loading offers...')).toBeVisible();
  await expect(rowOf(page, 'Ada')).toBeVisible();
  const marked = whenShown(page, 'tr:has(.new-mark)', 'Grace');
  again();
  await expect(rowOf(page, 'Grace')).toBeVisible();
  await expect(page.getByText('Loading offers...')).toHaveCount(0);
  await marked;

  await page.unroute(READS);
  await page.reload();
  await expect(page.getByRole('columnheader')).toHaveText([
    'Domain',
    'Offer',
    'Customer',
    'Email',
    'Date',
    'Status',
    'Actions',
  ]);
  const moment = /^[A-Z][a-z]{2} \d{1,2}, \d{4}, \d{1,2}:\d{2} [AP]M$/;
  expect(await cellsOfRows(page)).toEqual([
    [
      'host.example',
      'make me smile',
      'Grace Hopper',
      'grace@example.com',
      expect.stringMatching(moment),
      expect.stringMatching(/^pending2[34] h left$/),
    ],
    [
      'lap.app',
      '1,000 €',
      'Ada Lovelace',
      'ada@example.com',
      expect.stringMatching(moment),
      expect.stringMatching(/^pending2[34] h left$/),
    ],
  ]);
  const actions = page.getByLabel('Status of the offer of Grace Hopper for host.example');
  await expect(actions.getByRole('option')).toHaveText([...OFFER_STATUSES]);
  await expect(actions).toHaveValue('pending');
});

test('visitors’ input is shown as text only, without direction marks', async ({ page, product }) => {
  const texts = {
    offer_amount: '"><script>document.title = "taken"</script> 1,000 €',
    customer_name: '<img src=x onerror="document.title = \'taken\'"> \u202Egnp.exe',
    customer_email: 'ada?bcc=everyone&subject=x@example.com',
  };
  await makeOffer(product, texts);
  await makeOffer(product, { offer_amount: '=1+1', customer_name: '👩‍👩‍👧 e\u0301 \u05E2\u05D3' });
  await signIn(page);

  const [second = [], first = []] = await cellsOfRows(page);
  const shown = Object.values(texts).map((text) => text.replace('\u202E', ''));
  expect(first.slice(1, 4)).toEqual(shown);
  await expect(page.getByLabel(/\u202E/)).toHaveCount(0);
  expect(second.slice(1, 3)).toEqual(['=1+1', '👩‍👩‍👧 e\u0301 \u05E2\u05D3']);
  await expect(page.getByRole('table').getByRole('img')).toHaveCount(0);
  await expect(page).toHaveTitle(/^(?:\(2\) )?Domain Sales Admin$/);
});

test('a selected status is saved and keeps the focus; one that another admin changed meanwhile is shown', {
  tag: '@hosted',
}, async ({ page, product, pageErrors }) => {
  pageErrors.expect(/changed in the meantime/);
  const id = await makeOffer(product);
  await signIn(page);
  const select = rowOf(page, 'Ada').getByRole('combobox');
  await expect(select).toBeVisible();
  // Any status may follow any other; back to the first in the end.
  for (const status of ['accepted', 'rejected', 'negotiating', 'pending', 'rejected']) {
    await select.selectOption(status);
    await expect(statusCell(page, 'Ada')).toHaveText(status);
    await expect.poll(() => storedStatus(product, 'Ada')).toBe(status);
  }
  await page.reload();
  await expect(statusCell(page, 'Ada')).toHaveText('rejected');
  await expect(select).toHaveValue('rejected');
  await expect(page.getByRole('alert')).toHaveCount(0);

  // The list is read again.
  await makeOffer(product, { customer_name: 'Grace Hopper' });
  await select.focus();
  await page.keyboard.press('ArrowDown');
  await expect(statusCell(page, 'Ada')).toHaveText('negotiating');
  await expect(rowOf(page, 'Grace')).toBeVisible();
  await expect(select).toBeFocused();
  await page.keyboard.type('r');
  await expect(statusCell(page, 'Ada')).toHaveText('rejected');
  await expect(select).toBeFocused();

  await expect.poll(() => storedStatus(product, 'Ada')).toBe('rejected');
  await waitUntilQuiet(page);
  await changeStatusElsewhere(product, id, 'negotiating');
  await select.selectOption('accepted');
  await expect(page.getByRole('alert')).toHaveText(
    'This offer was changed in the meantime. The list has been reloaded.',
  );
  await expect(statusCell(page, 'Ada')).toHaveText('negotiating');
  await expect(select).toHaveValue('negotiating');
  expect(await storedStatus(product, 'Ada')).toBe('negotiating');
  await select.selectOption('accepted');
  await expect(statusCell(page, 'Ada')).toHaveText('accepted');
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a status can be changed with the keyboard alone', async ({ page, product }) => {
  await makeOffer(product);
  await signIn(page);
  await expect(rowOf(page, 'Ada')).toBeVisible();
  // Sort and this filter are there once the counts are.
  await expect(page.getByRole('button', { name: /^overdue/ })).toBeVisible();
  for (const stop of [
    page.getByRole('link', { name: 'Offers' }),
    page.getByRole('link', { name: 'Names' }),
    page.getByRole('button', { name: 'Refresh' }),
    page.getByRole('button', { name: 'Logout' }),
    page.getByRole('button', { name: 'How' }),
    page.getByRole('button', { name: 'Dismiss for a week' }),
    page.getByRole('searchbox'),
    page.getByRole('combobox', { name: 'Sort' }),
    page.getByRole('button', { name: 'Export' }),
    ...['all', 'pending', 'accepted', 'rejected', 'negotiating', 'overdue'].map((status) =>
      page.getByRole('button', { name: new RegExp(`^${status}`) }),
    ),
    page.getByRole('link', { name: 'ada@example.com' }),
    page.getByLabel('Status of the offer of Ada Lovelace for lap.app'),
  ]) {
    await page.keyboard.press('Tab');
    await expect(stop).toBeFocused();
    expect(await hasFocusRing(stop)).toBe(true);
  }
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(statusCell(page, 'Ada')).toHaveText('negotiating');
  await page.keyboard.press('Tab');
  await expect(rowOf(page, 'Ada').getByRole('button', { name: /^(?:Answer|Open) the offer/ })).toBeFocused();
  // Status, email, six filters, Export, Sort, search, Undo, the two words of the banner, Logout.
  for (let stops = 0; stops < 15; stops += 1) await page.keyboard.press('Shift+Tab');
  await expect(page.getByRole('button', { name: 'Logout' })).toBeFocused();
  // The list is read again after the change, which would be rejected after Logout.
  await waitUntilQuiet(page);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Admin Access' })).toBeFocused();
});

test('a search finds customer, email, domain and amount, from three characters on', {
  tag: '@hosted',
}, async ({ page, product }) => {
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

test('filters show one status, with counts, or one domain; a changed offer leaves them, and the focus is not lost', {
  tag: '@hosted',
}, async ({ page, product }) => {
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

  await page.getByRole('button', { name: /^pending/i }).click();
  await expect(customers(page)).toHaveText(['Alan Turing', 'Ada Lovelace']);
  await rowOf(page, 'Ada').getByRole('combobox').focus();
  await rowOf(page, 'Ada').getByRole('combobox').selectOption('rejected');
  await expect(customers(page)).toHaveText(['Alan Turing']);
  await expect(page.getByRole('heading', { name: 'Domain Offers' })).toBeFocused();
});

test('Export downloads what the filter shows', { tag: '@hosted' }, async ({ page, product }) => {
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
      '\uFEFFid,domain_name,offer_amount,customer_name,customer_email,created_at,status,current_amount,agreed_amount,value,currency,' +
        'current_value,current_currency,agreed_value,agreed_currency,reference,pay_by,paid_at,transferred_at,sold_at',
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

test('a button and a key undo a change, which is saved at once; after Logout there is none to undo', {
  tag: '@hosted',
}, async ({ page, product }) => {
  await makeThreeOffers(product);
  await signIn(page);
  const notice = page.getByRole('status').filter({ hasText: 'Undo' });
  const ada = rowOf(page, 'Ada').getByRole('combobox');
  await ada.selectOption('accepted');
  await expect(notice).toContainText('lap.app: pending → accepted.');
  await expect.poll(() => storedStatus(product, 'Ada')).toBe('accepted');
  await notice.getByRole('button', { name: 'Undo' }).press('Enter');
  await expect(notice).toHaveCount(0);
  await expect(ada).toHaveValue('pending');
  await expect(ada).toBeFocused();
  await expect.poll(() => storedStatus(product, 'Ada')).toBe('pending');

  await ada.selectOption('rejected');
  await rowOf(page, 'Grace').getByRole('combobox').selectOption('negotiating');
  await expect(notice).toContainText('host.example: pending → negotiating.');
  await page.getByRole('searchbox').focus();
  await page.keyboard.press('Control+z');
  await expect(notice).toHaveCount(1);
  await ada.focus();
  await page.keyboard.press('Control+z');
  await expect.poll(() => storedStatus(product, 'Grace')).toBe('pending');
  await waitUntilQuiet(page);
  expect(await storedStatus(product, 'Ada')).toBe('rejected');

  await rowOf(page, 'Grace').getByRole('combobox').selectOption('accepted');
  await expect(notice).toHaveCount(1);
  // The list is read again after the change, which would be rejected after Logout.
  await waitUntilQuiet(page);
  await page.getByRole('button', { name: 'Logout' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Admin Access' })).toBeVisible();
  await fillLogin(page);
  await expect(rowOf(page, 'Ada')).toBeVisible();
  await expect(notice).toHaveCount(0);
});

test('the history of an offer opens in its row, with each change, and follows the next one', {
  tag: '@hosted',
}, async ({ page, product }) => {
  await makeThreeOffers(product);
  await signIn(page);
  const row = rowOf(page, 'Ada');
  const button = row.getByRole('button', { name: /^(?:Answer|Open) the offer of Ada Lovelace for lap.app$/ });
  await expect(button).toHaveAttribute('aria-expanded', 'false');
  await button.press('Enter');
  await expect(button).toHaveAttribute('aria-expanded', 'true');
  const history = row.getByRole('region', { name: 'History' });
  await expect(history).toHaveAttribute('id', (await button.getAttribute('aria-controls')) ?? '');
  await expect(history).toContainText('Received');
  await expect(history).not.toContainText('No changes');
  // The steps of its deal are listed above, as soon as they are read.
  const entries = history.getByRole('region', { name: 'Timeline' }).getByRole('listitem');
  await row.getByRole('combobox').selectOption('accepted');
  await expect(entries.nth(1)).toContainText(new RegExp(`pending → accepted.* by ${ADMIN.email}`));
  await row.getByRole('combobox').selectOption('rejected');
  await expect(entries.nth(2)).toContainText(new RegExp(`accepted → rejected.* by ${ADMIN.email}`));
  await expect(row.getByRole('cell')).toHaveCount(7);
  await expect(row.getByRole('combobox')).toHaveCount(1);
  await button.click();
  await expect(history).toHaveCount(0);
});

test('a click on a row opens and closes it, unless it is on a control or at the end of a selection', async ({
  page,
  product,
}) => {
  await makeThreeOffers(product);
  await signIn(page);
  const row = rowOf(page, 'Ada');
  const history = row.getByRole('region', { name: 'History' });
  const name = row.getByRole('cell').nth(2).locator('bdi');
  // A banner that comes late, on a busy machine, moves the row away from the click.
  await waitUntilQuiet(page);
  await name.click();
  await expect(history).toBeVisible();
  await history.getByText('Received').click();
  await expect(history).toBeVisible();
  await row.getByRole('cell').first().click();
  await expect(history).toHaveCount(0);

  const menu = row.getByRole('button', { name: 'More for the offer of Ada Lovelace for lap.app' });
  await menu.click();
  await row.getByRole('separator').click();
  await row.getByRole('button', { name: 'Copy email' }).click();
  await page.keyboard.press('Escape');
  await expect(menu).toBeFocused();
  await expect(menu).toHaveAttribute('aria-expanded', 'false');
  await menu.click();
  await row.getByRole('combobox').click();
  await expect(menu).toHaveAttribute('aria-expanded', 'false');
  await page.keyboard.press('Escape');
  const box = await name.boundingBox();
  if (!box) throw new Error('The name has no box.');
  await page.mouse.move(box.x + 1, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 1, box.y + box.height / 2);
  await page.mouse.up();
  expect(await page.evaluate(() => String(getSelection()))).toContain('Ada');
  await expect(history).toHaveCount(0);
  await row.getByRole('cell').first().click();
  await expect(history, 'the next click').toBeVisible();

  const button = row.getByRole('button', { name: 'Answer the offer of Ada Lovelace for lap.app' });
  await expect(button).toHaveText('Answer');
  await row.getByRole('combobox').selectOption('rejected');
  await expect(row.getByRole('button', { name: 'Open the offer of Ada' })).toHaveText('Open');
});

test('removing an offer asks, names customer and domain, and deletes that offer alone', {
  tag: '@hosted',
}, async ({ page, product }) => {
  await makeThreeOffers(product);
  await signIn(page);
  const row = rowOf(page, 'Ada');
  const menu = row.getByRole('button', { name: /^More for/ });
  // A banner that comes late, on a busy machine, moves the row away from the click.
  await waitUntilQuiet(page);
  await menu.click();
  await expect(row.locator('.menu > :last-child')).toHaveText('Remove…');
  const remove = row.getByRole('button', { name: 'Remove the offer of Ada Lovelace for lap.app' });
  await remove.click();
  const question = page.getByRole('dialog', { name: 'Remove the offer of Ada Lovelace for lap.app?' });
  await expect(question).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(menu).toBeFocused();
  await menu.press('Enter');
  await remove.press('Enter');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(customers(page)).toHaveCount(3);
  await menu.press('Enter');
  await remove.press('Enter');
  const response = Promise.withResolvers<void>();
  await page.route('**/rest/v1/rpc/remove_offer', async (route) => {
    await response.promise;
    await route.continue();
  });
  await question.getByRole('button', { name: 'Remove' }).click();
  await question.getByRole('button', { name: 'Cancel' }).click({ force: true });
  await page.keyboard.press('Escape');
  await expect(question, 'what is being removed cannot be cancelled').toContainText('Removing...');
  response.resolve();
  await expect(customers(page)).toHaveText(['Alan Turing', 'Grace Hopper']);
  await expect(page.getByRole('heading', { name: 'Domain Offers' })).toBeFocused();
  expect(await readAllOffers(product)).toHaveLength(2);
});

/** The texts of every row without shares of asking prices; Actions left out. */
async function cellsOfRows(page: Page): Promise<string[][]> {
  await expect(page.getByRole('cell').first()).toBeVisible();
  const rows = await page
    .getByRole('row')
    .filter({ has: page.getByRole('combobox') })
    .all();
  return Promise.all(
    rows.map(async (row) => {
      const texts = await row.getByRole('cell').allTextContents();
      return texts.slice(0, ACTIONS).map(withoutShare);
    }),
  );
}
const [STATUS, ACTIONS] = [5, 6];

/** The badge of a row. */
function statusCell(page: Page, text: string): Locator {
  return rowOf(page, text).getByRole('cell').nth(STATUS).locator('.badge');
}

async function storedStatus(product: Product, name: string): Promise<string | undefined> {
  return (await readAllOffers(product)).find(({ customer_name }) => customer_name.startsWith(name))?.status;
}

function hasFocusRing(element: Locator): Promise<boolean> {
  return element.evaluate((focused) => getComputedStyle(focused).outlineStyle !== 'none');
}
