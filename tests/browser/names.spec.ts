/** The page Names: the list, changes of the catalogue, and what follows from them. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { addVisits, eraseAllOffers, makeOffer, readAllOffers } from '../support/calls.ts';
import { accessibilityChecker } from './accessibility/accessibility-checker.ts';
import { expect, holdRequests, scrollsHorizontally, signIn, waitUntilQuiet } from './fixtures.ts';
import { test } from './shops/own-names.ts';

const CATALOGUE = '**/admin/catalogue';
const LIST = '**/rest/v1/rpc/list_names';
/** A change is live after a build in a process of its own. */
const BUILD_TIMEOUT_MS = 150_000;
const ALL = ['gone.example', 'kept.example', 'lap.example', 'plain.example', 'tide.example'];

async function openNames(page: Page): Promise<void> {
  await signIn(page);
  await page.getByRole('link', { name: 'Names' }).click();
  await expect(row(page, 'lap.example')).toBeVisible();
}

function row(page: Page, name: string): Locator {
  return page.getByRole('row').filter({ has: page.locator('td.name', { hasText: name }) });
}

function names(page: Page): Locator {
  return page.locator('td.name b');
}

/** Opens a name. @returns its panel */
async function open(page: Page, name: string): Promise<Locator> {
  await page.getByRole('button', { name: `Open ${name}` }).click();
  return page.getByRole('region', { name, exact: true });
}

/** Changes the file as the owner does by hand. */
function edit(file: string, from: string, to: string): void {
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(from);
  writeFileSync(file, text.replace(from, to));
}

test.describe('the list', () => {
  test('has states with counts, questions and an order, which stand in the fragment', async ({ page }) => {
    await openNames(page);
    await expect(page).toHaveURL(/\/admin\/names$/);
    await expect(page).toHaveTitle('Names - Domain Sales Admin');
    await expect(page.getByRole('link', { name: 'Names' })).toHaveAttribute('aria-current', 'page');
    await expect(names(page)).toHaveText(ALL);
    const filter = page.getByRole('group', { name: 'Filter' });
    await expect(filter.getByRole('button')).toHaveText([
      'All 5',
      'For sale 3',
      'Reserved 1',
      'Sold 1',
      /^With offers/,
      'No price 1',
    ]);
    await filter.getByRole('button', { name: /^Reserved/ }).click();
    await expect(names(page)).toHaveText(['kept.example']);
    await expect(page).toHaveURL(/#state=reserved$/);
    await page.goBack();
    await expect(names(page)).toHaveText(ALL);
    await filter.getByRole('button', { name: /^With offers/ }).click();
    await expect(page).toHaveURL(/#only=offers$/);
    await filter.getByRole('button', { name: /^No price/ }).click();
    await expect(names(page)).toHaveText(['plain.example']);
    await page.getByRole('button', { name: 'Show all' }).first().click();

    const title = (name: string) => page.getByRole('columnheader', { name });
    await expect(title('Name')).toHaveAttribute('aria-sort', 'ascending');
    await page.getByRole('button', { name: 'Name', exact: true }).click();
    await expect(title('Name')).toHaveAttribute('aria-sort', 'descending');
    await expect(names(page)).toHaveText([...ALL].reverse());
    await expect(page.getByRole('combobox', { name: 'Sort' })).toHaveValue('name true');
    await page.getByRole('combobox', { name: 'Sort' }).selectOption('Highest price first');
    await expect(title('Price')).toHaveAttribute('aria-sort', 'descending');
    await expect(page).toHaveURL(/#sort=price$/);

    await page.getByRole('searchbox').fill('tid');
    await expect(names(page)).toHaveText(['tide.example']);
    await page.getByRole('searchbox').fill('nothing like it');
    await expect(page.getByRole('heading', { name: 'No names found' })).toBeVisible();
    await page.getByRole('link', { name: 'Offers' }).click();
    await expect(page.getByRole('heading', { name: 'Domain Offers' })).toBeVisible();
    await expect(page).toHaveURL(/\/admin\/dashboard$/);
    await page.goBack();
    await expect(page.getByRole('searchbox')).toHaveValue('nothing like it');
    await waitUntilQuiet(page);
  });

  test('has the visits of each name, for eyes and screen readers, as columns and as cards', async ({
    page,
    shop,
  }) => {
    await addVisits(shop, { 'tide.example': 412, 'lap.example': 7 });
    await openNames(page);
    const cell = (name: string, column: string) => row(page, name).locator(`td.${column}`);
    await expect(cell('tide.example', 'visits_7')).toHaveText('412');
    await expect(cell('tide.example', 'visits_30')).toHaveText('412too few to say');
    const line = cell('tide.example', 'year').getByRole('img', { name: /oldest first: (?:0, ){11}412$/ });
    await expect(line).toBeVisible();
    await expect(cell('plain.example', 'visits_30')).toHaveText('0too few to say');
    await expect(
      page.getByText('Visits of browsers over https, without robots, by day in UTC.'),
    ).toBeVisible();
    await page.getByRole('button', { name: 'Visits, 30 d' }).click();
    await expect(page.getByRole('columnheader', { name: 'Visits, 30 d' })).toHaveAttribute(
      'aria-sort',
      'descending',
    );
    await expect(names(page)).toHaveText([/tide/, /lap/, /gone/, /kept/, /plain/]);
    await expect(page).toHaveURL(/#sort=visits_30$/);
    const panel = await open(page, 'lap.example');
    await expect(panel).toContainText(
      '7 visits in 30 days (7 in 7), none sent, none agreed: too few to say a share',
    );
    await page.getByRole('searchbox').fill('plain');
    await expect(names(page)).toHaveText(['plain.example']);
    const title = page.getByRole('columnheader', { name: 'Visits, 30 d' });
    await expect(title, 'of a list without any visits').toBeVisible();
    await page.getByRole('searchbox').fill('');
    await page.setViewportSize({ width: 390, height: 800 });
    await expect(page.getByRole('combobox', { name: 'Sort' })).toHaveValue('visits_30 true');
    await expect(cell('tide.example', 'visits_30')).toBeVisible();
    expect(await scrollsHorizontally(page)).toBe(false);
    await waitUntilQuiet(page);
  });

  test('is shown after signing in, and its script is loaded for it alone', async ({ page }) => {
    const scripts: string[] = [];
    page.on('request', (request) => scripts.push(request.url()));
    const isLoaded = () => scripts.some((url) => /NamesPage[^/]*\.js$/.test(url));
    await signIn(page);
    await expect(page.getByRole('heading', { name: 'Domain Offers' })).toBeVisible();
    await waitUntilQuiet(page);
    expect(isLoaded()).toBe(false);
    await page.goto('/admin/names#state=sold');
    await expect(names(page)).toHaveText(['gone.example']);
    expect(isLoaded()).toBe(true);
    await waitUntilQuiet(page);
    await page.getByRole('button', { name: 'Logout' }).click();
    await expect(page).toHaveURL(/\/admin\/login$/);
  });

  test('of 10,000 names has the rows in view, read by page', async ({ page }) => {
    const pages: number[] = [];
    await page.route(LIST, (route) => {
      const { page: number } = route.request().postDataJSON() as { page: number };
      pages.push(number);
      const listed = Array.from({ length: 100 }, (_, n) => ({
        name: `name-${String(number * 100 + n).padStart(5, '0')}.example`,
        state: 'for_sale',
        price: '$1,000',
        open: 0,
        best: null,
        agreed: null,
        last_offer_at: null,
      }));
      return route.fulfill({ json: { total: 10_000, names: listed } });
    });
    await signIn(page);
    await page.getByRole('link', { name: 'Names' }).click();
    await expect(row(page, 'name-00000.example')).toBeVisible();
    await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', '10001');
    await waitUntilQuiet(page);
    expect(pages).toEqual([0]);
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await expect(row(page, 'name-09999.example')).toBeVisible();
    expect(pages.filter((number) => number !== 0 && number < 98)).toEqual([]);
    expect(await page.getByRole('row').count()).toBeLessThan(80);
    await waitUntilQuiet(page);
  });

  test('fits every width, as a table or as cards', async ({ page }) => {
    await openNames(page);
    for (const width of [320, 390, 768, 1024, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await scrollsHorizontally(page), `${width}`).toBe(false);
      expect((await page.locator('thead').boundingBox())?.width === 1, `${width}`).toBe(width < 1280);
      await open(page, 'tide.example');
      expect(await scrollsHorizontally(page), `${width}, open`).toBe(false);
      await page.getByRole('button', { name: 'Close tide.example' }).click();
    }
    await page.setViewportSize({ width: 390, height: 800 });
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name: 'Choose several' }).click();
    await page.getByLabel('Choose lap.example').check();
    await expect(page.getByRole('group', { name: 'Chosen names' })).toContainText('1 chosen of 5');
    expect(await scrollsHorizontally(page)).toBe(false);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('group', { name: 'Chosen names' })).toHaveCount(0);
    await waitUntilQuiet(page);
  });
});

test.describe('changes', () => {
  test.beforeEach(({ shop }) => eraseAllOffers(shop));

  test('one is in the file and the list at once, on the pages soon, and can be undone', async ({
    page,
    shop,
  }) => {
    // A build takes more than a minute on a busy machine.
    test.slow();
    await openNames(page);
    const panel = await open(page, 'lap.example');
    const save = panel.getByRole('button', { name: 'Save' });
    await expect(save).toHaveAttribute('aria-disabled', 'true');
    await panel.getByLabel('Price').fill('$7,777');
    await expect(save).toHaveAttribute('aria-disabled', 'false');
    // Enter saves.
    await panel.getByLabel('Price').press('Enter');
    await expect(panel.getByText(/^Saved \d/)).toBeVisible();
    await expect(row(page, 'lap.example')).toContainText('$7,777');
    expect(readFileSync(shop.catalogue, 'utf8')).toContain('$7,777');
    await expect(panel.locator('[data-step="done"]')).toHaveCount(3, { timeout: BUILD_TIMEOUT_MS });
    const html = await (await page.request.get(`${shop.origin}/sites/lap.example/`)).text();
    expect(html).toContain('$7,777');

    await panel.getByRole('button', { name: 'History of lap.example' }).click();
    await expect(panel.getByRole('region', { name: 'History' })).toContainText('price $10,000 → $7,777');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(row(page, 'lap.example')).toContainText('$10,000');
    await expect(panel.getByLabel('Price')).toHaveValue('$10,000');
    await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);
    expect(readFileSync(shop.catalogue, 'utf8')).not.toContain('$7,777');
    await waitUntilQuiet(page);
  });

  test('a value that was changed by hand is shown, and what the catalogue rejects says why at its field', async ({
    page,
    shop,
    pageErrors,
  }) => {
    pageErrors.expect(/status of 409/, /status of 422/, /Failed to change names/);
    await openNames(page);
    const panel = await open(page, 'tide.example');
    await panel.getByLabel('Price').fill('$8,000');
    edit(shop.catalogue, '$7,500', '$7,600');
    await panel.getByRole('button', { name: 'Save' }).click();
    await expect(panel.getByRole('alert')).toContainText(
      'Nothing was saved: this was changed in the meantime.',
    );
    await expect(panel.getByText('Now $7,600')).toBeVisible();
    await expect(panel.getByLabel('Price')).toHaveValue('$8,000');
    await panel.getByRole('button', { name: 'Save' }).click();
    await expect(panel.getByText(/^Saved \d/)).toBeVisible();
    expect(readFileSync(shop.catalogue, 'utf8')).toContain('$8,000');

    await panel.getByLabel('Minimum').fill('ask me');
    await panel.getByRole('button', { name: 'Save' }).click();
    await expect(panel.getByRole('alert')).toHaveText('Nothing was saved: please correct what is marked.');
    await expect(panel.getByLabel('Minimum')).toHaveAccessibleDescription(/an amount with its currency/);
    await panel.getByRole('button', { name: 'Close' }).click();
    await expect(panel.getByText('Close without saving?')).toBeVisible();
    await panel.getByRole('button', { name: 'Discard' }).click();
    await expect(page.getByRole('button', { name: 'Open tide.example' })).toBeFocused();
    await waitUntilQuiet(page);
  });

  test('a default stands behind its field, and an own description is counted and kept in its language', async ({
    page,
    shop,
    pageErrors,
  }) => {
    pageErrors.expect(/ERR_FAILED/, /Failed to read the catalogue/);
    await page.route(CATALOGUE, (route) => route.abort());
    await openNames(page);
    const panel = await open(page, 'plain.example');
    await expect(panel.getByRole('alert')).toContainText('Failed to read the catalogue.');
    await page.unroute(CATALOGUE);
    await panel.getByRole('button', { name: 'Try again' }).click();
    await expect(panel.getByLabel('Minimum')).toHaveAttribute('placeholder', '25%');
    await expect(panel.getByLabel('Minimum')).toHaveAccessibleDescription('default');
    await panel.getByLabel('Description, German').fill('Ganz einfach.');
    await expect(panel.getByText(/^13 of \d+$/)).toBeVisible();
    await panel.getByLabel('Description, English').fill('Just plain.');
    await panel.getByRole('button', { name: 'Save' }).click();
    await expect(panel.getByText(/^Saved \d/)).toBeVisible();
    await expect(row(page, 'plain.example')).toContainText('Just plain.');
    expect(readFileSync(shop.catalogue, 'utf8')).toContain('Ganz einfach.');
    await waitUntilQuiet(page);
  });

  test('several names get one state and prices by a list', async ({ page }) => {
    await openNames(page);
    for (const name of ['lap.example', 'plain.example']) await page.getByLabel(`Choose ${name}`).check();
    const bar = page.getByRole('group', { name: 'Chosen names' });
    await bar.getByRole('button', { name: 'Reserve' }).click();
    await expect(row(page, 'lap.example')).toContainText('Reserved');
    await expect(row(page, 'plain.example')).toContainText('Reserved');
    await expect(bar).toHaveCount(0);
    await expect(page.getByRole('status').filter({ hasText: 'Undo' })).toContainText('2 names: Reserved.');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(row(page, 'plain.example')).toContainText('For sale');

    for (const name of ['lap.example', 'kept.example']) await page.getByLabel(`Choose ${name}`).check();
    await bar.getByRole('button', { name: 'Set prices' }).click();
    const prices = page.getByRole('form', { name: 'Set prices for 2 names' });
    await expect(prices.getByLabel('Names and prices')).toBeFocused();
    const looks = (await prices.getByRole('button').all()).map((button) =>
      button.evaluate((element) => getComputedStyle(element).backgroundColor),
    );
    const [cancel, nothing] = await Promise.all(looks);
    expect(nothing, 'Set 0 prices').toBe(cancel);
    await prices
      .getByLabel('Names and prices')
      .fill('lap.example $9,000\nkept.exampel €800\nkept.example soon');
    const lines = prices.getByRole('list', { name: 'Preview' }).getByRole('listitem');
    await expect(lines).toHaveText([
      /lap\.example.*\$10,000.*\$9,000.*−10 %/,
      /is none of your names/,
      /has no price that can be read/,
    ]);
    await prices.getByRole('button', { name: 'Set 1 price' }).click();
    await expect(row(page, 'lap.example')).toContainText('$9,000');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(row(page, 'lap.example')).toContainText('$10,000');

    await page.getByLabel('Choose lap.example').check();
    await bar.getByRole('button', { name: 'Set prices' }).click();
    await page.getByLabel('Names and prices').fill('lap.example $9,000');
    const set = page.getByRole('button', { name: 'Set 1 price' });
    await expect(set).toHaveAttribute('aria-disabled', 'false');
    const release = await holdRequests(page, CATALOGUE);
    await set.click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'History', exact: true }).click();
    release();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(row(page, 'lap.example')).toContainText('$10,000');
    await expect(page.getByRole('region', { name: 'History' }), 'opened before the response').toBeVisible();
    await waitUntilQuiet(page);
  });

  test('new names are added by a pasted list, without hosts of the site, and move no focus once they are live', async ({
    page,
    shop,
  }) => {
    await openNames(page);
    await page.getByRole('button', { name: 'New names' }).click();
    const form = page.getByRole('form', { name: 'New names' });
    await form.getByLabel('Names and prices').fill('one.example $100\ntwo.example\nnames.example $5');
    await expect(form.getByRole('listitem').filter({ hasText: 'names.example' })).toContainText('host');
    await form.getByRole('button', { name: 'Add 2 names' }).click();
    await expect(page.getByText('2 names added.')).toBeVisible();
    expect(readFileSync(shop.catalogue, 'utf8')).toContain('one.example');
    const price = (await open(page, 'tide.example')).getByLabel('Price');
    await price.fill('$32');
    await expect(row(page, 'one.example')).toBeVisible({ timeout: BUILD_TIMEOUT_MS });
    await waitUntilQuiet(page);
    await page.keyboard.type('1');
    await expect(price).toHaveValue('$321');
    await waitUntilQuiet(page);
  });

  test('the other offers of a reserved name are declined with one note, unless it is undone', async ({
    page,
    shop,
  }) => {
    for (const customer_name of ['Ada Lovelace', 'Grace Hopper'])
      await makeOffer(shop, { domain_name: 'tide.example', customer_name, offer_amount: '$6,000' });
    await page.clock.install();
    await openNames(page);
    await expect(row(page, 'tide.example')).toContainText('2 open');
    const panel = await open(page, 'tide.example');
    await panel.getByText('Reserved', { exact: true }).click();
    await panel.getByRole('button', { name: 'Save' }).click();
    await panel.getByRole('button', { name: 'Decline the 2 other offers' }).click();
    await panel.getByLabel('Note to all').fill('It is reserved, sorry.');
    const decline = panel.getByRole('button', { name: 'Decline 2 offers' });
    const others = panel.getByRole('region', { name: 'Other offers' });
    await decline.click();
    await panel.getByRole('button', { name: 'Undo' }).click();
    await expect(others, 'in place of Undo').toBeFocused();
    await expect(panel.getByLabel('Note to all')).toHaveValue('It is reserved, sorry.');
    await decline.click();
    await page.clock.fastForward(10_000);
    await expect(panel.getByText('2 offers declined.')).toBeVisible();
    await expect(others).toBeFocused();
    const statuses = (await readAllOffers(shop)).map(({ status }) => status);
    expect(statuses).toEqual(['rejected', 'rejected']);
    await panel.getByText('For sale', { exact: true }).click();
    await panel.getByRole('button', { name: 'Save' }).click();
    await expect(row(page, 'tide.example')).toContainText('For sale');
    await waitUntilQuiet(page);
  });

  test('the keyboard alone changes a name, also while the values of the other names are being read', async ({
    page,
  }) => {
    const answer = Promise.withResolvers<void>();
    await page.route(CATALOGUE, async (route) => {
      const { names = [] } = route.request().postDataJSON() as { names?: string[] };
      if (names.length > 1) await answer.promise;
      await route.continue();
    });
    await openNames(page);
    await page.getByRole('button', { name: 'Open plain.example' }).focus();
    await page.keyboard.press('Enter');
    const panel = page.getByRole('region', { name: 'plain.example', exact: true });
    await expect(panel.getByRole('radio', { name: 'For sale' })).toBeChecked();
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowRight');
    await expect(panel.getByRole('radio', { name: 'Reserved' })).toBeChecked();
    await page.keyboard.press('Tab');
    await expect(panel.getByLabel('Price')).toBeFocused();
    await page.keyboard.type('$32');
    answer.resolve();
    // The prices of the list come from the catalogue's file.
    await expect(row(page, 'lap.example').locator('td.price')).toContainText('min.');
    await page.keyboard.type('1');
    await page.keyboard.press('Enter');
    await expect(row(page, 'plain.example')).toContainText('$321');
    await expect(row(page, 'plain.example')).toContainText('Reserved');
    await page.getByRole('button', { name: 'Open gone.example' }).focus();
    await page.keyboard.press('Control+z');
    await expect(row(page, 'plain.example')).toContainText('No price');
    await waitUntilQuiet(page);
  });
});

test('a row has the commands at the edge and with a hosted project, and the whole one where the file cannot be written', async ({
  page,
  context,
  pageErrors,
}) => {
  pageErrors.expect(/status of 404/);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  for (const [respond, text, command] of [
    [
      { status: 404, json: { error: 'x', code: 'not_found' } },
      'The catalogue is a file on the computer that builds the pages.',
      'npm run catalogue -- reserve lap.example && npm run build',
    ],
    [
      {
        json: {
          file: 'read_only',
          command: 'cd /srv/shop && sudo -u shop npm run catalogue --',
          problem: 'The file cannot be written: it belongs to another user.',
          languages: ['en'],
          max_description: 160,
          shown: 'own/catalogue.yaml',
          names: {},
          build: { status: 'idle', about_seconds: null, changes: [], live: [] },
        },
      },
      'The file cannot be written: it belongs to another user.',
      'cd /srv/shop && sudo -u shop npm run catalogue -- reserve lap.example',
    ],
  ] as const) {
    await page.route(CATALOGUE, (route) => route.fulfill(respond));
    await openNames(page);
    await expect(page.getByRole('checkbox')).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'New names' })).toHaveCount(0);
    const panel = await open(page, 'lap.example');
    await expect(panel).toContainText(text);
    await panel.getByRole('button', { name: `Copy command ${command}` }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(command);
    await expect(panel.getByRole('textbox')).toHaveCount(0);
    await waitUntilQuiet(page);
    await page.unroute(CATALOGUE);
  }
});

test('the page is accessible in every state', async ({ page, shop, pageErrors }) => {
  test.slow();
  pageErrors.expect(/status of 422/, /Failed to change names/);
  await eraseAllOffers(shop);
  await makeOffer(shop, { domain_name: 'lap.example', offer_amount: '$9,000' });
  const check = await accessibilityChecker(page);
  const checkAccessibility = async (state: string) => {
    // Otherwise the titles of the columns, which stick to the top, may cover a row.
    await page.evaluate(() => scrollTo(0, 0));
    await check(state);
  };
  await openNames(page);
  await checkAccessibility('the list');
  const panel = await open(page, 'lap.example');
  await panel.getByLabel('Price').fill('$10,500');
  await checkAccessibility('an open name');
  await panel.getByLabel('Minimum').fill('ask me');
  await panel.getByRole('button', { name: 'Save' }).click();
  await expect(panel.getByRole('alert')).toBeVisible();
  await checkAccessibility('a wrong value');
  await panel.getByLabel('Minimum').fill('');
  await panel.getByText('Reserved', { exact: true }).click();
  await panel.getByRole('button', { name: 'Save' }).click();
  await panel.getByRole('button', { name: 'Decline the other offer' }).click();
  await panel.getByRole('button', { name: 'History of lap.example' }).click();
  await expect(panel.getByRole('region', { name: 'History' })).toContainText('state For sale → Reserved');
  await checkAccessibility('saved, with another offer and the history');
  await panel.getByRole('button', { name: 'Close' }).click();
  await page.getByLabel('Choose tide.example').check();
  await checkAccessibility('a name chosen');
  await page.getByRole('button', { name: 'Set prices' }).click();
  await page.getByLabel('Names and prices').fill('tide.example $1\nunknown.example $1');
  await expect(page.getByRole('button', { name: 'Set 1 price' })).toBeVisible();
  await checkAccessibility('prices');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'New names' }).click();
  await page.getByLabel('Names and prices').fill('new.example $1\nnames.example');
  await expect(page.getByRole('button', { name: 'Add 1 name' })).toBeVisible();
  await checkAccessibility('new names');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(row(page, 'lap.example')).toContainText('For sale');
  await page.getByRole('searchbox').fill('nothing');
  await expect(page.getByRole('heading', { name: 'No names found' })).toBeVisible();
  await checkAccessibility('nothing found');
  await waitUntilQuiet(page);
});
