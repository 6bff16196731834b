/** The dashboard in a browser that translates it. */
import type { Locator, Page } from '@playwright/test';
import { eraseAllOffers, makeOffer } from '../support/calls.ts';
import { ADMIN } from '../support/product.ts';
import { expect, holdRequests, rowOf, signIn, test, waitUntilQuiet, whenShown } from './fixtures.ts';
import { translate } from './translator.ts';

const COUNTS = '**/rest/v1/rpc/offer_counts';
const MESSAGE_STATUS = '**/rest/v1/rpc/message_status';
const REASON = '535 5.7.8 Authentication failed';
const FAILURE = { id: 7, kind: 'offer', domain: 'lap.app', offers: 1, reason: REASON, target_kind: 'mail' };
const SENT = { mail: 1, webhooks: 0, queued: 0, failed: 0, sent: 3, paused: 0 };
const FAILING = { ...SENT, queued: 2, last_failure: { reason: REASON, target_kind: 'mail' } };

test('every control of a translated dashboard works, and what it changes is shown', async ({
  page,
  context,
  product,
  pageErrors,
}) => {
  // Uses every control in turn.
  test.slow();
  pageErrors.expect(/status of 401/, /status of 500/, /Failed to/);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await eraseAllOffers(product);
  await makeOffer(product);
  await makeOffer(product, { customer_name: 'Grace Hopper', domain_name: 'host.example' });
  const counts = { held: 2, low: 1, overdue: 1 };
  await page.route(COUNTS, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), ...counts } });
  });
  let status: object = { ...SENT, mail: 0 };
  await page.route(MESSAGE_STATUS, (route) => route.fulfill({ json: status }));
  const banner = page.getByRole('region', { name: 'Messages' });
  const showMessages = async (next: object, text: string) => {
    // A read under way would have the status before.
    await waitUntilQuiet(page);
    status = next;
    await comeBack(page);
    await expect(banner).toContainText(text);
  };
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  await page.clock.install();
  /** Stops the page's timers, so that a text stays that is shown for seconds. */
  const stopTimers = async () => {
    await waitUntilQuiet(page);
    const now = await page.evaluate(() => Date.now());
    await page.clock.pauseAt(now + 5_000);
  };

  await page.goto('/admin/login');
  await expect(button('Sign In')).toBeVisible();
  await translate(page);
  const unusedControls = await followControls(page);
  await page.getByLabel('Email').fill(ADMIN.email);
  await page.getByLabel('Password', { exact: true }).fill('wrong');
  await button('Show password').click();
  await button('Hide password').click();
  await button('Sign In').click();
  await expect(page.getByRole('alert')).not.toBeEmpty();
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
  await button('Sign In').click();
  await expect(rowOf(page, 'Ada')).toBeVisible();

  await test.step('the banner of messages', async () => {
    await expect(banner).toContainText('No message is sent');
    await button('How').click();
    await expect(banner.getByText('MAIL_TO=')).toBeVisible();
    await button('How').click();
    await expect(banner.getByText('MAIL_TO=')).toBeHidden();
    await button('Dismiss for a week').click();
    await expect(banner).toHaveCount(0);
    await showMessages({ ...SENT, queued: 2 }, '2 messages on the way.');
    await showMessages({ ...SENT, paused: 1 }, '1 message from before the restore is not sent.');
    await showMessages({ ...SENT, paused: 2 }, 'To send them, run npm run messages -- resume.');
    await showMessages({ ...SENT, queued: 1 }, '1 message on the way.');
    await showMessages({ ...FAILING, failed: 1, failures: [FAILURE] }, 'Response of the mail server');
    await page.route('**/rest/v1/rpc/dismiss_message', (route) => route.fulfill({ json: true }));
    status = FAILING;
    await button('Dismiss New offer for lap.app').click();
    await expect(banner).toContainText(`Last response of the mail server: ${REASON}`);
    await showMessages(
      { ...FAILING, last_failure: { reason: '404', target_kind: 'webhook' } },
      'Last response of the webhook: 404',
    );
    await showMessages({ ...SENT, failed: 1 }, '1 message not sent.');
    const RETRY = '**/rest/v1/rpc/retry_messages';
    await page.route(RETRY, (route) => route.fulfill({ status: 500, json: {} }));
    await button('Retry').click();
    await expect(banner).toContainText('Retry failed.');
    await page.route(RETRY, (route) => route.fulfill({ json: 1 }));
    status = { ...SENT, queued: 1 };
    const release = await holdRequests(page, RETRY);
    await button('Retry').click();
    await expect(banner).toContainText('Retrying...');
    await expect(banner).not.toContainText('Retry failed.');
    release();
    await expect(banner).toContainText('Next try: within a minute.');
    status = SENT;
    await comeBack(page);
    await expect(banner).toHaveCount(0);
  });

  await test.step('search and filters', async () => {
    const heading = page.locator('.heading');
    await expect(heading).toContainText('Without 2 offers held for review: see Held.');
    await button(/^held/).click();
    await expect(heading).toContainText('Held for review: these offers arrived');
    await button(/^low/).click();
    await expect(heading).toContainText('Low: these offers are below the minimum');
    counts.held = 1;
    await button('Refresh').click();
    for (const name of ['overdue', 'all', 'accepted', 'rejected', 'negotiating', 'pending']) {
      await button(new RegExp(`^${name}`)).click();
      await expect(heading).toContainText('Without 1 offer held for review: see Held.');
    }
    counts.held = 0;
    await button('Show all').click();
    await button('Refresh').click();
    await expect(heading).not.toContainText('held for review');
    await page.getByRole('searchbox').fill('grace');
    await expect(page.getByText('1 offer found.')).toBeVisible();
    await button('Show all').click();
    await expect(page.getByText('Finds from three characters on.')).toBeVisible();
    await page.getByRole('combobox', { name: 'Sort' }).selectOption('Urgent first');
    await page.getByRole('combobox', { name: 'Domain' }).selectOption('lap.app');
    await expect(page.getByText('1 offer found.')).toBeVisible();
    await button('Show all').click();
    await button('Export').click();
    await expect(button('Export')).toHaveText('Export');
  });

  await test.step('rows', async () => {
    const undo = page.getByRole('status').filter({ hasText: 'Undo' });
    const select = (name: string) => rowOf(page, name).getByRole('combobox');
    // Another choice before it is sent would take its place.
    const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
    await select('Ada').selectOption('accepted');
    await expect(undo).toContainText('lap.app: pending → accepted.');
    await saved;
    await select('Grace').selectOption('rejected');
    await expect(undo).toContainText('host.example: pending → rejected.');
    await button('Undo').click();
    await expect(rowOf(page, 'Grace').locator('.badge')).toHaveText('pending');
    await select('Ada').selectOption('pending');
    await expect(rowOf(page, 'Ada').locator('.badge')).toHaveText('pending');
    await expect(rowOf(page, 'Ada')).toContainText('h left');
    const copied = [whenShown(page, 'tr', 'Copied'), whenShown(page, '[aria-live]', 'Email copied')];
    await button('More for the offer of Ada').click();
    await button('Copy email of Ada').click();
    await Promise.all(copied);
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('ada@example.com');
    await expect(rowOf(page, 'Ada')).not.toContainText('Copied');
    await button('More for the offer of Ada').click();
    await page.getByRole('link', { name: 'Offers' }).click();
    await rowOf(page, 'Ada').getByRole('link').first().click();

    const OFFERS = '**/rest/v1/offers?*';
    await page.route(OFFERS, (route) => route.fulfill({ status: 500, json: { message: 'Resting.' } }));
    await select('Ada').selectOption('accepted');
    await expect(rowOf(page, 'Ada').getByRole('alert')).toHaveText('Resting.');
    await button('Dismiss error').click();
    await button('Refresh').click();
    await expect(page.getByRole('alert')).toHaveText('Resting.');
    await page.unroute(OFFERS);
    await button('Dismiss error').click();
    await makeOffer(product, { customer_name: 'Alan Turing' });
    await select('Ada').focus();
    await comeBack(page);
    const marked = whenShown(page, 'tr:has(.new-mark)', 'Alan');
    await button('1 new offer').click();
    await marked;
    await expect(rowOf(page, 'Alan').getByText('New', { exact: true })).toHaveCount(0);
    for (const earlier of ['1 earlier', '2 earlier']) {
      await makeOffer(product, { customer_name: 'Alan Turing' });
      await select('Ada').focus();
      await comeBack(page);
      await button('1 new offer').click();
      await button(`${earlier} of Alan Turing for lap.app`).click();
    }
    await expect(rowOf(page, 'Alan')).toHaveCount(1);
    await page.evaluate(() => {
      location.hash = '#offer=00000000-0000-4000-8000-000000000000';
    });
    await button('Dismiss notice').click();
  });

  await test.step('an opened row', async () => {
    const row = rowOf(page, 'Ada');
    const panel = row.getByRole('region', { name: /^Answer to/ });
    const press = (name: string) => panel.getByRole('button', { name, exact: true }).click();
    const HISTORY = '**/rest/v1/rpc/offer_history';
    const NEGOTIATION = '**/functions/v1/negotiation';
    for (const url of [HISTORY, NEGOTIATION])
      await page.route(url, (route) => route.fulfill({ status: 500, json: {} }));
    await row.getByRole('button', { name: /^(?:Answer|Open) the offer/ }).click();
    await expect(row).toContainText('Failed to load the history.');
    await expect(row).toContainText('Failed to load the moves.');
    await page.unroute(HISTORY);
    await page.unroute(NEGOTIATION);
    // That of the history. The moves are read again by themselves.
    await row.getByRole('button', { name: 'Try again' }).first().click();
    await page.clock.fastForward(20_000);
    await expect(row).toContainText(/accepted → pending.* by /);

    for (const kind of ['Decline', 'Accept', 'Counter'])
      await panel.getByRole('radio', { name: kind }).check();
    for (const days of [3, 14, 7]) {
      const until = panel.getByText(/^until /);
      const before = await until.textContent();
      await panel.getByRole('radio', { name: `${days} days`, exact: true }).check();
      await expect(until).not.toHaveText(before ?? '');
    }
    await panel.getByLabel('Your amount').fill('$14,000');
    await panel.getByLabel('Note').fill('Escrow is fine.');
    await page.route(NEGOTIATION, (route) => route.fulfill({ status: 500, json: { error: 'Resting.' } }));
    await press('Send');
    await expect(panel.getByRole('alert')).toHaveText('Resting.');
    await page.unroute(NEGOTIATION);
    await press('Send');
    await expect(row).toContainText('You countered $14,000');
    await expect(panel.getByRole('alert')).toHaveCount(0);
    await stopTimers();
    await press('Copy link');
    await press('Copied');
    await page.clock.resume();
    await press('New link');
    await expect(panel.getByRole('button', { name: 'Copy link' })).toBeEnabled();
    await panel.getByRole('link', { name: 'Write mail' }).click();

    await panel.getByRole('radio', { name: 'Decline' }).check();
    await press('Send');
    await expect(panel).toContainText('You declined.');
    const open = row.getByRole('button', { name: /^Open the offer/ });
    await open.click();
    await expect(panel).toHaveCount(0);
    await open.click();
    await expect(panel).toContainText('You declined.');
    const other = rowOf(page, 'Grace');
    const otherPanel = other.getByRole('region', { name: /^Answer to/ });
    await other.getByRole('button', { name: /^(?:Answer|Open) the offer/ }).click();
    await otherPanel.getByRole('radio', { name: 'Accept' }).check();
    // The change of the status is read once the move is shown, and stands before the deal's reference.
    const readHistory = await holdRequests(page, HISTORY);
    await otherPanel.getByRole('button', { name: 'Send' }).click();
    const deal = other.getByRole('region', { name: /^Deal with/ });
    const pressInDeal = (name: string) => other.getByRole('button', { name, exact: true }).click();
    await expect(deal).toContainText('Agreed: $12,000');
    await expect(other).toContainText(/ · reference HOST-/);
    readHistory();
    await expect(other).toContainText(/pending → accepted · reference HOST-/);
    await stopTimers();
    await pressInDeal('Copy reference of Grace Hopper');
    await deal.getByRole('button', { name: /^Copy command .* reserve / }).click();
    await page.clock.resume();
    await pressInDeal('Mark as paid');
    await expect(deal).toContainText('once the buyer has host.example');
    await pressInDeal('Undo: Mark as paid');
    await expect(deal).toContainText('after the payment');
    await pressInDeal('Mark as paid');
    for (const step of ['transferred', 'sold'])
      for (const press of ['', 'Undo: ', '']) await pressInDeal(`${press}Mark as ${step}`);
    // The product does not write the sample catalogue.
    await deal.getByRole('button', { name: /^Copy command .* sold / }).click();
    await expect(deal.getByRole('listitem')).toContainText([/Agreed/, /Paid/, /Transferred/, /Sold/]);
    await pressInDeal('Fell through');
    await deal.getByLabel('Note').fill('It did not arrive.');
    await expect(deal.getByRole('button', { name: 'It fell through' })).toBeVisible();
    await pressInDeal('Keep the deal');
    await pressInDeal('Take back');
    await pressInDeal('Take back');
    await otherPanel.getByRole('radio', { name: 'Accept' }).check();
    await otherPanel.getByRole('button', { name: 'Send' }).click();
    await pressInDeal('Fell through');
    await pressInDeal('It fell through');
    await expect(otherPanel).toContainText('The deal fell through.');

    const ask = async () => {
      await row.getByRole('button', { name: /^More for/ }).click();
      await row.getByRole('button', { name: /^Remove/ }).click();
    };
    const REMOVE = '**/rest/v1/rpc/remove_offer';
    await page.route(REMOVE, (route) => route.fulfill({ status: 500, json: {} }));
    await ask();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await ask();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await expect(row).toContainText('Failed to remove the offer.');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await ask();
    await expect(row).not.toContainText('Failed to remove the offer.');
    await page.unroute(REMOVE);
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await expect(row).toHaveCount(0);
  });

  await button('Logout').click();
  await expect(page.getByRole('heading', { name: 'Admin Access' })).toBeVisible();
  expect(await unusedControls(), 'controls that no step of this test uses').toEqual([]);
});

test('an error of a row, a panel, the list or the page is shown in its place, and Reload shows it again', async ({
  page,
  product,
  pageErrors,
}) => {
  pageErrors.expect(/NotFoundError/);
  await eraseAllOffers(product);
  await makeOffer(product);
  await makeOffer(product, { customer_name: 'Grace Hopper' });
  await signIn(page);
  const ada = rowOf(page, 'Ada');
  const grace = rowOf(page, 'Grace');
  /** As an extension might do it. */
  const remove = (element: Locator) => element.evaluate((one) => one.remove());
  const expectError = async (within: Page | Locator, what: string) => {
    const alert = within.getByRole('alert');
    await expect(alert).toHaveText(new RegExp(`^Failed to show ${what}: Failed to execute 'removeChild'`));
    await expect(page.getByRole('alert')).toHaveCount(1);
  };
  const reload = async () => {
    await page.getByRole('button', { name: 'Reload' }).click();
    await expect(ada).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0);
  };

  await remove(ada.locator('.time-left'));
  await ada.getByRole('combobox').selectOption('accepted');
  await expectError(page.getByRole('row'), 'this offer');
  await expect(grace).toBeVisible();
  await reload();

  await grace.getByRole('button', { name: /^(?:Answer|Open) the offer/ }).click();
  await remove(grace.getByLabel('Your amount'));
  await grace.getByRole('radio', { name: 'Decline' }).click();
  await expectError(grace.getByRole('region', { name: 'History' }), 'the history and the answer');
  await grace.getByRole('combobox').selectOption('negotiating');
  await expect(grace.locator('.badge')).toHaveText('negotiating');
  await reload();

  await remove(grace);
  await page.getByRole('searchbox').fill('lovelace');
  await expectError(page.getByRole('main'), 'the list');
  await expect(page.getByRole('heading', { name: 'Domain Offers' })).toBeVisible();
  await page.getByRole('button', { name: 'Show all' }).click();
  await reload();

  await ada.getByRole('combobox').selectOption('rejected');
  await remove(page.locator('.undo > div'));
  await page.keyboard.press('Control+z');
  await expectError(page, 'the page');
  await reload();
});

/** The dashboard reads what it polls again. */
const comeBack = (page: Page) => page.evaluate(() => dispatchEvent(new Event('visibilitychange')));

/** Follows the visible controls. @returns a function that returns the labels of those that were not used */
async function followControls(page: Page): Promise<() => Promise<string[]>> {
  const controls = await page.evaluateHandle(() => {
    const seen = new Set<string>();
    const used = new Set<string>();
    const labelOf = (control: HTMLElement) => {
      const { labels, localName } = control as HTMLInputElement;
      const label = control.getAttribute('aria-label') ?? labels?.[0]?.textContent ?? control.textContent;
      // Not the customer, the domain and its price, nor numbers.
      return `${localName} ${localName === 'a' ? control.className : label.replace(/ (?:the offer )?(?:of|for|asking) .*|\d+/g, '').trim()}`;
    };
    const look = () => {
      const all = document.querySelectorAll<HTMLElement>('button, a, input, select, textarea, summary');
      for (const control of all) {
        // Busy for a moment.
        if (/\.\.\.$/.test(control.textContent ?? '')) continue;
        if (control.checkVisibility({ visibilityProperty: true })) seen.add(labelOf(control));
      }
    };
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, attributes: true });
    const use = ({ target }: Event) => {
      const control =
        target instanceof Element && target.closest('button, a, input, select, textarea, summary');
      if (control instanceof HTMLElement) used.add(labelOf(control));
    };
    for (const event of ['click', 'input', 'change']) document.addEventListener(event, use, true);
    look();
    return { seen, used };
  });
  return () => controls.evaluate(({ seen, used }) => [...seen].filter((label) => !used.has(label)));
}
