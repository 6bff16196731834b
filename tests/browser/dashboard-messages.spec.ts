/** How the dashboard keeps itself current: new offers, messages, and what is left of the 24 hours. */
import type { Locator, Page } from '@playwright/test';
import type { Offer } from '#contract/offer.ts';
import { eraseAllOffers, eraseCustomers, makeOffer, readAllOffers, seedOffers } from '../support/calls.ts';
import type { Product } from '../support/product.ts';
import { accessibilityChecker } from './accessibility/accessibility-checker.ts';
import {
  expect,
  fillLogin,
  holdRequests,
  LONG_LIST,
  rowOf,
  scrollsHorizontally,
  settle,
  signIn,
  test,
  waitUntilQuiet,
  whenShown,
} from './fixtures.ts';

const OFFERS = '**/rest/v1/offers?*';
const NEW_OFFERS = '**/rest/v1/rpc/new_offers';
const MESSAGE_STATUS = '**/rest/v1/rpc/message_status';
const NEGOTIATION = '**/functions/v1/negotiation';
const RETRY_MESSAGES = '**/rest/v1/rpc/retry_messages';
const POLL_INTERVAL_MS = 10_000;
const HOUR_MS = 3_600_000;

const SENT = {
  mail: 1,
  webhooks: 0,
  queued: 0,
  failed: 0,
  sent: 3,
  oldest_queued_at: null,
  last_sent_at: '2026-11-23T17:00:00+00:00',
  paused: 0,
  last_failure: null as object | null,
};
const REASON = '535 5.7.8 Authentication failed <b>for you</b>';
const FAILING = {
  ...SENT,
  queued: 2,
  last_failure: {
    reason: REASON,
    target_kind: 'mail',
    at: '2026-11-23T17:00:00+00:00',
    retry_at: '2026-11-23T18:05:00+00:00',
  },
};
const FAILURES = [
  {
    id: 7,
    kind: 'offer',
    domain: 'lap.app',
    offers: 1,
    reason: '550 5.1.1 <b>first</b>',
    target_kind: 'mail',
  },
  {
    id: 9,
    kind: 'overdue',
    domain: 'lap.app',
    offers: 12,
    reason: '404 no such channel',
    target_kind: 'webhook',
  },
];

test.use({ timezoneId: 'America/New_York' });

/** The server's functions for polling. New offers are those of the product; the status of messages is made up. */
class Server {
  status: object = SENT;
  retries = 0;
  /** Times of the requests of new offers. */
  polls = 0;

  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async serve(): Promise<void> {
    await this.page.route(NEW_OFFERS, (route) => {
      this.polls += 1;
      return route.continue();
    });
    await this.page.route(MESSAGE_STATUS, (route) => route.fulfill({ json: this.status }));
    await this.page.route(RETRY_MESSAGES, (route) => {
      this.retries += 1;
      this.status = SENT;
      return route.fulfill({ json: 2 });
    });
  }
}

/** Signs in to a dashboard whose clock the test moves on. */
async function openDashboard(page: Page, product: Product): Promise<Server> {
  const server = new Server(page);
  await server.serve();
  await page.clock.install();
  await signIn(page, product.origin);
  // Where the button was, there may be a row now.
  await page.mouse.move(1, 1);
  // What is read after the rows, such as prices, moves them.
  await waitUntilQuiet(page);
  return server;
}

async function poll(page: Page): Promise<void> {
  const response = page.waitForResponse(NEW_OFFERS);
  await page.clock.fastForward(POLL_INTERVAL_MS + 500);
  await (await response).finished();
}

test.describe('new offers', () => {
  test.beforeEach(({ product }) => eraseAllOffers(product));

  test('appear without a reload, the first one too, marked until they were on the screen, and count in the title', async ({
    page,
    product,
  }) => {
    await openDashboard(page, product);
    await expect(page.getByText('No offers yet')).toBeVisible();
    await expect(page).toHaveTitle('Domain Sales Admin');
    await makeOffer(product);
    await poll(page);
    await expect(rowOf(page, 'Ada')).toBeVisible();
    await expect(page).toHaveTitle('(1) Domain Sales Admin');
    await page.clock.fastForward(2_500);
    await expect(rowOf(page, 'Ada').getByText('New', { exact: true })).toHaveCount(0);

    await makeOffer(product, { customer_name: 'Grace Hopper' });
    const marked = whenShown(page, 'tr:has(.new-mark)', 'Grace');
    await poll(page);
    await expect(page.getByRole('row')).toHaveCount(3);
    await expect(page.getByRole('row').nth(1)).toContainText('Grace Hopper');
    await expect(page).toHaveTitle('(2) Domain Sales Admin');
    await expect(rowOf(page, 'Ada').getByText('New', { exact: true })).toHaveCount(0);
    await marked;
    await expect(rowOf(page, 'Grace').getByRole('cell')).toHaveCount(7);
    await page.clock.fastForward(2_500);
    await expect(page.getByText('New', { exact: true })).toHaveCount(0);
    await rowOf(page, 'Ada').getByRole('combobox').selectOption('accepted');
    await expect(page).toHaveTitle('(1) Domain Sales Admin');
  });

  test('are announced while the pointer or the focus is in the list, and inserted by a click', async ({
    page,
    product,
  }) => {
    await makeOffer(product);
    await openDashboard(page, product);
    const row = rowOf(page, 'Ada');
    await expect(row).toBeVisible();
    for (const [use, names] of [
      [() => row.hover(), ['Grace Hopper', 'Alan Turing']],
      [() => row.getByRole('combobox').focus(), ['Kurt Gödel', 'Emmy Noether']],
    ] as const) {
      await use();
      const place = await row.boundingBox();
      for (const customer_name of names) await makeOffer(product, { customer_name });
      await poll(page);
      const bar = page.getByRole('status').getByRole('button', { name: '2 new offers', exact: true });
      await expect(bar).toBeVisible();
      for (const name of names) await expect(rowOf(page, name)).toHaveCount(0);
      await expect.poll(() => row.boundingBox()).toEqual(place);
      await bar.press('Enter');
      for (const name of names) await expect(rowOf(page, name)).toBeVisible();
      await expect(bar).toHaveCount(0);
      await expect(page.getByRole('heading', { name: 'Domain Offers' })).toBeFocused();
      await page.mouse.move(1, 1);
    }

    await row.getByRole('combobox').focus();
    await makeOffer(product, { customer_name: 'Mary Shelley' });
    await poll(page);
    const release = await holdRequests(page, OFFERS);
    await page.getByRole('button', { name: '1 new offer', exact: true }).press('Enter');
    await page.getByRole('searchbox').focus();
    release();
    await expect(rowOf(page, 'Mary Shelley')).toBeVisible();
    await settle(page);
    await expect(page.getByRole('searchbox'), 'entered before the list was read').toBeFocused();
  });

  test('are announced in a scrolled list, which stays where it is', async ({ page, product }) => {
    await seedOffers(product, 60);
    await openDashboard(page, product);
    for (const [width, customer_name] of [
      [1280, 'Ada Lovelace'],
      [360, 'Grace Hopper'],
    ] as const) {
      await page.mouse.move(1, 1);
      await page.setViewportSize({ width, height: 720 });
      await page.reload();
      await expect(rowOf(page, 'Example 40')).toBeVisible();
      await waitUntilQuiet(page);
      await rowOf(page, 'Example 40').scrollIntoViewIfNeeded();
      const place = await rowOf(page, 'Example 40').boundingBox();
      await makeOffer(product, { customer_name });
      await poll(page);
      const bar = page.getByRole('button', { name: '1 new offer', exact: true });
      await expect(bar).toBeInViewport({ ratio: 1 });
      await expect.poll(() => rowOf(page, 'Example 40').boundingBox()).toEqual(place);
      expect(await scrollsHorizontally(page), `${width} pixels wide`).toBe(false);
      await bar.click();
      await expect(rowOf(page, customer_name)).toBeInViewport();
    }
  });

  test('in a long list are inserted with its index', async ({ page, longList }) => {
    await openDashboard(page, longList);
    const table = page.getByRole('table', { name: 'Domain Offers' });
    await expect(table).toHaveAttribute('aria-rowcount', String(LONG_LIST + 1));
    await makeOffer(longList);
    await poll(page);
    await expect(table).toHaveAttribute('aria-rowcount', String(LONG_LIST + 2));
    await expect(rowOf(page, 'Lovelace')).toHaveAttribute('aria-rowindex', '2');
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    const last = rowOf(page, `Example ${LONG_LIST}`);
    await expect(last).toHaveAttribute('aria-rowindex', String(LONG_LIST + 2));
    await eraseCustomers(longList, ['ada@example.com']);
  });

  test('are requested only while the tab is visible and the session lasts, which they do not extend', async ({
    page,
    product,
  }) => {
    await makeOffer(product);
    const server = await openDashboard(page, product);
    await expect(page).toHaveTitle('(1) Domain Sales Admin');
    await expect.poll(() => server.polls).toBe(1);
    await setVisibility(page, 'hidden');
    await waitUntilQuiet(page);
    const hidden = server.polls;
    await page.clock.runFor(10 * POLL_INTERVAL_MS);
    expect(server.polls).toBe(hidden);
    await makeOffer(product, { customer_name: 'Grace Hopper' });
    await setVisibility(page, 'visible');
    await expect(rowOf(page, 'Grace')).toBeVisible();

    await waitUntilQuiet(page);
    const extensions: string[] = [];
    page.on('request', (request) => {
      if (/extend_admin_session|grant_type=refresh_token/.test(request.url())) extensions.push(request.url());
    });
    for (let round = 0; round < 8; round += 1) await poll(page);
    expect(extensions).toEqual([]);
    const signedOut = page.waitForResponse('**/auth/v1/logout?*');
    await page.getByRole('button', { name: 'Logout' }).click();
    await expect(page).toHaveTitle('Admin Access');
    await (await signedOut).finished();
    const before = server.polls;
    await page.clock.runFor(3 * POLL_INTERVAL_MS);
    expect(server.polls).toBe(before);
  });
});

test.describe('the banner of messages', () => {
  const banner = (page: Page) => page.getByRole('region', { name: 'Messages' });

  test('says in one line that nothing is configured, how to change that, and nothing for a week once dismissed', async ({
    page,
    product,
  }) => {
    await eraseAllOffers(product);
    const server = new Server(page);
    server.status = { ...SENT, mail: 0, webhooks: 0 };
    await server.serve();
    await makeOffer(product);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.clock.install();
    await signIn(page);
    await expect(banner(page)).toContainText('No message is sent when an offer arrives.');
    await expect(rowOf(page, 'Ada')).toBeInViewport({ ratio: 1 });
    await expect(banner(page).getByText('MAIL_TO=')).toBeHidden();
    await banner(page).getByRole('button', { name: 'How' }).click();
    for (const setting of ['SMTP_URL=', 'MAIL_TO=', 'NOTIFY_URL='])
      await expect(banner(page).getByText(setting)).toBeVisible();
    expect(await scrollsHorizontally(page)).toBe(false);

    await banner(page).getByRole('button', { name: 'Dismiss for a week' }).click();
    await expect(banner(page)).toHaveCount(0);
    await expect(page.getByRole('heading', { name: 'Domain Offers' })).toBeFocused();
    await page.reload();
    await expect(rowOf(page, 'Ada')).toBeVisible();
    await expect(banner(page)).toHaveCount(0);
    // What fails shows all the same, and cannot be dismissed.
    server.status = FAILING;
    await page.reload();
    await expect(banner(page)).toContainText('2 messages not sent.');
    await expect(banner(page).getByRole('button', { name: 'Dismiss for a week' })).toHaveCount(0);
    server.status = { ...SENT, mail: 0, webhooks: 0 };
    await page.clock.setFixedTime(Date.now() + 8 * 24 * 3_600_000);
    await page.reload();
    await expect(banner(page)).toContainText('No message is sent when an offer arrives.');
  });

  test('shows a failure with its reason, and Retry sends again and keeps the focus', async ({
    page,
    product,
  }) => {
    const server = await openDashboard(page, product);
    await expect(banner(page)).toHaveCount(0);
    server.status = FAILING;
    await poll(page);
    await expect(banner(page)).toContainText('2 messages not sent.');
    await expect(banner(page)).toContainText(`Last response of the mail server: ${REASON}`);
    await expect(banner(page)).toContainText('Next try: Nov 23, 2026, 1:05 PM.');
    const retry = banner(page).getByRole('button', { name: 'Retry', exact: true });
    await expect(retry).toHaveAccessibleDescription(/535 5\.7\.8/);
    await retry.press('Enter');
    await expect(banner(page)).toHaveCount(0);
    expect(server.retries).toBe(1);
    // Not lost with the button.
    await expect(page.getByRole('heading', { name: 'Domain Offers' })).toBeFocused();
  });

  test('lists each failed message with its own reason, until it is dismissed', async ({ page }) => {
    const server = new Server(page);
    server.status = { ...FAILING, failed: 2, failures: FAILURES };
    await server.serve();
    const dismissed: unknown[] = [];
    await page.route('**/rest/v1/rpc/dismiss_message', (route) => {
      dismissed.push(route.request().postDataJSON());
      server.status = { ...FAILING, failed: 1, failures: FAILURES.slice(1) };
      return route.fulfill({ json: 1 });
    });
    await signIn(page);
    const items = banner(page).getByRole('listitem');
    await expect(items).toHaveText([
      'New offer for lap.app. Response of the mail server: 550 5.1.1 <b>first</b>',
      'Reminder for 12 offers. Response of the webhook: 404 no such channel',
    ]);
    await expect(banner(page)).toContainText(`Last response of the mail server: ${REASON}`);
    await banner(page).getByRole('button', { name: 'Dismiss New offer for lap.app' }).press('Enter');
    await expect(items).toHaveCount(1);
    expect(dismissed).toEqual([{ id: 7 }]);
    await expect(banner(page)).toBeFocused();
  });

  test('moves no row of a scrolled list', async ({ page, product }) => {
    await eraseAllOffers(product);
    await seedOffers(product, 60);
    const server = await openDashboard(page, product);
    await rowOf(page, 'Example 40').scrollIntoViewIfNeeded();
    const top = async () => (await rowOf(page, 'Example 40').boundingBox())?.y ?? NaN;
    const place = await top();
    const height = () => page.evaluate(() => document.documentElement.scrollHeight);
    const before = await height();
    server.status = { ...SENT, mail: 0 };
    await poll(page);
    await expect.poll(height).toBeGreaterThan(before);
    // Scrolling has whole pixels.
    await expect.poll(async () => Math.abs((await top()) - place)).toBeLessThan(1);
  });
});

test.describe('the row of an offer', () => {
  test.beforeEach(({ product }) => eraseAllOffers(product));

  test('shows what is left of the 24 hours while it is pending, and follows the clock', async ({
    page,
    product,
  }) => {
    const ages = new Map([
      ['Fresh', 0.975],
      ['Urgent', 20.5],
      ['Late', 27.975],
      ['Done', 27.5],
    ]);
    for (const customer_name of ages.keys()) await makeOffer(product, { customer_name });
    const server = new Server(page);
    await server.serve();
    await page.clock.install();
    const now = await page.evaluate(() => Date.now());
    await rewriteOffers(page, ({ customer_name }) => ({
      created_at: new Date(now - (ages.get(customer_name) ?? 0) * HOUR_MS).toISOString(),
      status: customer_name === 'Done' ? 'accepted' : 'pending',
    }));
    await signIn(page);
    const status = (name: string) => rowOf(page, name).getByRole('cell').nth(5);
    await expect(status('Fresh')).toHaveText('pending23 h left');
    await expect(status('Urgent')).toHaveText('pending3 h left');
    await expect(status('Late')).toHaveText('pendingOverdue by 3 h');
    await expect(status('Done')).toHaveText('accepted');
    for (const [name, tone] of [
      ['Fresh', 'yours'],
      ['Urgent', 'yours'],
      ['Late', 'overdue'],
    ] as const)
      await expect(status(name).locator('.time-left')).toHaveAttribute('data-tone', tone);
    for (const name of ages.keys()) {
      await expect(rowOf(page, name).getByRole('cell')).toHaveCount(7);
      await expect(rowOf(page, name).getByRole('combobox')).toHaveCount(1);
    }
    // Less than the life of a token: with another one the server's time would count.
    await page.clock.fastForward(HOUR_MS / 30);
    await expect(status('Fresh')).toHaveText('pending22 h left');
    await expect(status('Late')).toHaveText('pendingOverdue by 4 h');
  });

  test('has the error of its update, and the list that of its loading: they cover nothing and can be dismissed', async ({
    page,
    product,
    pageErrors,
  }) => {
    pageErrors.expect(/status of 500/, /Failed to update offer status/, /The database is resting/);
    await seedOffers(product, 60);
    await makeOffer(product, { offer_amount: 'what it is worth to me '.repeat(20).trim() });
    await openDashboard(page, product);
    for (const [width, status] of [
      [1280, 'accepted'],
      [360, 'rejected'],
    ] as const) {
      await page.setViewportSize({ width, height: 720 });
      await page.route(OFFERS, (route) =>
        route.request().method() === 'PATCH' ? route.fulfill({ status: 500, json: {} }) : route.continue(),
      );
      for (const name of ['Lovelace', 'Example 40']) {
        const row = rowOf(page, name);
        await row.getByRole('combobox').selectOption(status);
        const alert = row.getByRole('alert');
        await expect(alert).toHaveText('Failed to update offer status');
        await expect(row.getByRole('combobox')).not.toHaveValue(status);
        await expect(row.getByRole('cell').nth(5)).not.toContainText(status);
        await expect(alert).toBeInViewport({ ratio: 1 });
        await expect(row.getByRole('cell')).toHaveCount(7);
        expect(await overlaps(row.locator('.row-error'))).toEqual([]);
        expect(await scrollsHorizontally(page), `${width} pixels wide`).toBe(false);
      }
      await expect(page.getByRole('alert')).toHaveCount(2);
      const row = rowOf(page, 'Example 40');
      await row.getByRole('button', { name: 'Dismiss error' }).press('Enter');
      await expect(page.getByRole('alert')).toHaveCount(1);
      await expect(row.getByRole('combobox')).toBeFocused();
      await page.unroute(OFFERS);
      await rowOf(page, 'Lovelace').getByRole('combobox').selectOption(status);
      await expect(page.getByRole('alert')).toHaveCount(0);
    }
    await page.setViewportSize({ width: 1280, height: 720 });
    await waitUntilQuiet(page);
    await page.route(OFFERS, (route) =>
      route.fulfill({ status: 500, json: { message: 'The database is resting.' } }),
    );
    await page.getByRole('button', { name: 'Refresh' }).click();
    const alert = page.getByRole('alert');
    await expect(alert).toHaveText('The database is resting.');
    await expect(rowOf(page, 'Lovelace')).toBeVisible();
    const bottom = await alert.evaluate((box) => box.getBoundingClientRect().bottom);
    const top = await page.getByRole('table').evaluate((table) => table.getBoundingClientRect().top);
    expect(bottom).toBeLessThan(top);
    await page.getByRole('button', { name: 'Dismiss error' }).click();
    await expect(alert).toHaveCount(0);
  });
});

test.describe('a link to an offer', () => {
  test.beforeEach(({ product }) => eraseAllOffers(product));

  test('leads to its row through the sign-in, and marks it; that of an unknown offer shows a notice', async ({
    page,
    product,
  }) => {
    const id = await makeOffer(product);
    const other = await makeOffer(product, { customer_name: 'Grace Hopper' });
    await new Server(page).serve();
    await page.goto(`/admin/dashboard#offer=${id}`);
    await expect(page).toHaveURL(new RegExp(`/admin/login#offer=${id}$`));
    await fillLogin(page);
    await expect(page).toHaveURL(new RegExp(`/admin/dashboard#offer=${id}$`));
    await expect(rowOf(page, 'Ada')).toBeFocused();
    await expect(rowOf(page, 'Ada').locator('.link-mark')).toHaveCount(1);
    await page.keyboard.press('Tab');
    await expect(rowOf(page, 'Ada').getByRole('link')).toBeFocused();
    const release = await holdRequests(page, OFFERS);
    await page.evaluate((other) => {
      location.hash = `offer=${other}`;
    }, other);
    const note = rowOf(page, 'Ada').getByLabel('Note');
    await note.focus();
    release();
    await expect(rowOf(page, 'Grace').getByRole('button', { name: 'Send' })).toBeVisible();
    await expect(note, 'entered before the offer was found').toBeFocused();
    await page.goto('/admin/dashboard#offer=00000000-0000-4000-8000-000000000000');
    const notice = page.getByText('The offer of this link was not found. It may have been erased.');
    await expect(notice).toBeVisible();
    await page.getByRole('button', { name: 'Dismiss notice' }).click();
    await expect(notice).toHaveCount(0);
  });

  test('leads to a row of a later page of a long list', async ({ page, longList }) => {
    await new Server(page).serve();
    await signIn(page, longList.origin);
    const offer = (await readAllOffers(longList))[1_777];
    const release = await holdRequests(page, NEGOTIATION);
    await page.evaluate((id) => {
      location.hash = `offer=${id}`;
    }, offer?.id);
    const row = rowOf(page, 'Example 1778');
    await expect(row).toBeFocused();
    await expect(row).toBeInViewport({ ratio: 1 });
    release();
    // The row is now higher than before, perhaps than the window.
    await expect(row.getByRole('button', { name: 'Send' })).toBeInViewport({ ratio: 1 });
    await expect(row.getByRole('combobox')).toBeInViewport({ ratio: 1 });
    await expect(row).toHaveAttribute('aria-rowindex', '1779');
  });
});

test('the clock of the tests moves once the page has its responses', async ({ page, product }) => {
  await openDashboard(page, product);
  const release = await holdRequests(page, OFFERS);
  await page.getByRole('button', { name: 'Refresh' }).click();
  const now = () => page.evaluate(() => Date.now());
  const before = await now();
  const moved = page.clock.fastForward(HOUR_MS);
  await settle(page);
  expect((await now()) - before).toBeLessThan(HOUR_MS);
  release();
  await moved;
  expect((await now()) - before).toBeGreaterThan(HOUR_MS);
  await expect(page.getByText('Failed to fetch offers')).toHaveCount(0);
});

test('the dashboard is accessible with everything it can show', async ({ page, product, pageErrors }) => {
  pageErrors.expect(/status of 500/, /Failed to/);
  await eraseAllOffers(product);
  await seedOffers(product, 5);
  const checkAccessibility = await accessibilityChecker(page);
  const server = new Server(page);
  server.status = { ...SENT, mail: 0 };
  await server.serve();
  await page.clock.install();
  await signIn(page);
  await page.goto('/admin/dashboard#offer=00000000-0000-4000-8000-000000000000');
  await expect(page.getByRole('button', { name: 'Dismiss notice' })).toBeVisible();
  await checkAccessibility('nothing configured, an unknown offer');

  const [marked] = await readAllOffers(product);
  server.status = { ...FAILING, failed: 2, failures: FAILURES, rejected_confirmations: [marked?.id] };
  // A row that stays below the pointer, though the banner grows.
  await rowOf(page, 'Example 5').hover();
  await makeOffer(product);
  await poll(page);
  await expect(page.getByRole('button', { name: '1 new offer' })).toBeVisible();
  await page.route(OFFERS, (route) => route.fulfill({ status: 500, json: {} }));
  await page.locator('tbody').getByRole('combobox').first().selectOption('accepted');
  await expect(page.getByRole('alert')).toBeVisible();
  await checkAccessibility('messages failing, a new offer, an error of a row');

  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page.getByText('Failed to fetch offers')).toBeVisible();
  await page.unroute(OFFERS);
  server.status = SENT;
  const isMarked = whenShown(page, '.new-mark', 'New');
  await page.getByRole('button', { name: '1 new offer' }).click();
  await isMarked;
  await checkAccessibility('all sent, a new row');
});

async function setVisibility(page: Page, state: DocumentVisibilityState): Promise<void> {
  await page.evaluate((visibilityState) => {
    Object.defineProperty(document, 'visibilityState', { value: visibilityState, configurable: true });
    Object.defineProperty(document, 'hidden', { value: visibilityState === 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  }, state);
}

/** Changes what the page reads, where the real database would not hold it. */
async function rewriteOffers(page: Page, change: (offer: Offer) => Partial<Offer>): Promise<void> {
  await page.route(OFFERS, async (route) => {
    const response = await route.fetch();
    const offers = (await response.json()) as Offer[];
    await route.fulfill({ response, json: offers.map((offer) => ({ ...offer, ...change(offer) })) });
  });
}

/** The elements with a text or control that a box overlaps, the box's own and those around it excepted. */
function overlaps(box: Locator): Promise<string[]> {
  return box.evaluate((own) => {
    const { left, right, top, bottom } = own.getBoundingClientRect();
    return [...document.querySelectorAll('td *')]
      .filter((other) => !own.contains(other) && !other.contains(own) && other.checkVisibility())
      .filter((other) => {
        const rect = other.getBoundingClientRect();
        return rect.left < right && rect.right > left && rect.top < bottom && rect.bottom > top;
      })
      .map((other) => other.outerHTML.slice(0, 120));
  });
}
