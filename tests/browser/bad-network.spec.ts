/** The form while connections are refused and the browser believes itself online: each state leads on without a reload. */
import type { Page, Route } from '@playwright/test';
import { readAllOffers } from '../support/calls.ts';
import { expect, fillOfferForm, skipRepetitions, submitButton, test } from './fixtures.ts';
import { TOKEN } from './link.ts';

const OFFER = { amount: '€1,500', name: 'Ada', email: 'ada@bad-network.example.com' };
const CALLS = '**/functions/v1/*';
const FAILED = 'There was an error submitting your offer. Please try again.';

test.beforeEach(async ({ page, pageErrors }) => {
  pageErrors.expect(/ERR_CONNECTION_REFUSED/);
  await page.clock.install();
  await page.goto('/sites/lap.app/');
});

test('an offer in a long outage shows one message, stays over a reload, and is sent once by itself', async ({
  page,
  product,
}) => {
  await fillOfferForm(page, OFFER);
  await expect(submitButton(page)).toBeEnabled();
  await refuse(page);
  await submitButton(page).click();
  await skipRepetitions(page);
  await expect(page.getByRole('alert')).toHaveText(FAILED);
  await expect(page.getByRole('alert')).toBeFocused();
  await expect(page.getByRole('timer')).toHaveText(/^Trying again in [1-5] s\.$/);
  await expect(submitButton(page)).toHaveAttribute('aria-busy', 'true');
  // The bot check fails as well, after pauses that grow.
  for (const delay of [1_000, 2_000, 5_000, 10_000]) {
    const failed = page.waitForEvent('requestfailed');
    await page.clock.fastForward(delay);
    await failed;
  }
  await expect(page.getByRole('alert')).toHaveCount(1);
  await expect(page.getByRole('timer')).toHaveText(/^Trying again in (20|19|18) s\.$/);
  await expect(page.getByText('refresh')).toHaveCount(0);
  await page.unroute(CALLS);
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/order-submit')) sent.push(request.postData() ?? '');
  });
  await page.reload();
  await expect(page.getByText('Offer Submitted!')).toBeVisible();
  expect(sent).toHaveLength(1);
  const stored = (await readAllOffers(product)).filter((one) => one.customer_email === OFFER.email);
  expect(stored).toMatchObject([{ offer_amount: OFFER.amount }]);
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  await page.getByRole('button', { name: 'Make another offer' }).click();
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue(OFFER.email);
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
});

test('a bot check without a network repeats itself, and shows that it failed only in a long outage', async ({
  page,
}) => {
  await refuse(page);
  await stopTimers(page);
  const refused = page.waitForEvent('requestfailed');
  await fillOfferForm(page, OFFER);
  await refused;
  for (const delay of [1_000, 2_000]) {
    await expect(page.getByRole('alert')).toHaveCount(0);
    await page.clock.fastForward(delay);
  }
  await expect(page.getByRole('alert')).toHaveText('CAPTCHA failed to load. Please refresh.');
  await expect(page.getByRole('timer')).toHaveText('Trying again in 5 s.');
  await page.clock.runFor(3_000);
  await expect(page.getByRole('timer')).toHaveText('Trying again in 2 s.');
  await page.unroute(CALLS);
  await page.clock.fastForward(2_000);
  await submitButton(page).click();
  await expect(page.getByText('Offer Submitted!')).toBeVisible();
});

for (const [what, change] of [
  [
    'editing a field',
    async (page: Page) => {
      const amount = page.getByLabel('Your Offer');
      await amount.press('End');
      await page.keyboard.type('.50');
      await expect(amount, 'each letter').toHaveValue(`${OFFER.amount}.50`);
    },
  ],
  ['choosing another card', (page: Page) => page.getByRole('radio', { name: 'sample.app' }).check()],
] as const) {
  test(`${what} after a request that failed ends its repetitions`, async ({ page, product }) => {
    const who = { ...OFFER, email: `${what.replaceAll(' ', '-')}@bad-network.example.com` };
    await page.route('**/order-submit', (route) => route.abort('connectionrefused'));
    await fillOfferForm(page, who);
    await submitButton(page).click();
    await skipRepetitions(page);
    // A second time by itself.
    await page.clock.fastForward(5_000);
    await skipRepetitions(page);
    await expect(page.getByRole('timer')).toHaveText(/^Trying again in (10|9|8) s\.$/);
    await change(page);
    await expect(page.getByRole('timer')).toHaveCount(0);
    await expect(page.getByText('nothing was sent')).toHaveCount(0);
    await page.unroute('**/order-submit');
    await page.clock.runFor(120_000);
    await expect(submitButton(page)).toBeEnabled();
    await expect(submitButton(page)).not.toHaveAttribute('aria-busy');
    await submitButton(page).click();
    await expect(page.getByText('Offer Submitted!')).toBeVisible();
    const stored = (await readAllOffers(product)).filter((one) => one.customer_email === who.email);
    expect(stored).toHaveLength(1);
  });
}

test('a request that was stored without a response is repeated by itself, and stored once', async ({
  page,
  product,
}) => {
  const who = { ...OFFER, email: 'lost@bad-network.example.com' };
  const lost = async (route: Route) => {
    await route.fetch();
    await route.abort('connectionrefused');
  };
  await page.route('**/order-submit', lost);
  await fillOfferForm(page, who);
  await submitButton(page).click();
  await skipRepetitions(page);
  await expect(page.getByRole('alert')).toHaveText(FAILED);
  await page.unroute('**/order-submit', lost);
  await page.clock.runFor(5_000);
  await expect(page.getByText('Offer Submitted!')).toBeVisible();
  const stored = (await readAllOffers(product)).filter((one) => one.customer_email === who.email);
  expect(stored).toHaveLength(1);
});

test('an outage in each state of the form leads on to an offer, without a reload', async ({ page }) => {
  await page.goto('/');
  await fillOfferForm(page, OFFER);
  await expect(page.getByText('Select a domain above to make an offer.')).toHaveCount(2);

  await test.step('no domain selected', async () => {
    await refuse(page);
    const failed = page.waitForEvent('requestfailed');
    await page.getByRole('radio', { name: 'lap.app' }).check();
    await failed;
    await page.unroute(CALLS);
    await page.clock.runFor(1_000);
    await expect(submitButton(page)).toBeEnabled();
  });

  await test.step('check loading', async () => {
    const { promise: taken, resolve: take } = Promise.withResolvers<void>();
    await page.route(
      CALLS,
      async (route) => {
        await taken;
        await route.abort('connectionrefused');
      },
      { times: 1 },
    );
    await page.getByRole('radio', { name: 'sample.app' }).check();
    await expect(page.getByText('Checking that you are not a bot…')).toBeVisible();
    const failed = page.waitForEvent('requestfailed');
    take();
    await failed;
    await page.clock.runFor(1_000);
    await expect(submitButton(page)).toBeEnabled();
  });

  await test.step('token expired', async () => {
    await refuse(page);
    const failed = page.waitForEvent('requestfailed');
    await page.clock.fastForward('05:00');
    await failed;
    await expect(submitButton(page)).toBeDisabled();
    await page.unroute(CALLS);
    await page.clock.runFor(3_000);
    await expect(submitButton(page)).toBeEnabled();
  });

  await test.step('submitting', async () => {
    await page.route('**/order-submit', (route) => route.abort('connectionrefused'), { times: 2 });
    const failed = page.waitForEvent('requestfailed');
    await submitButton(page).click();
    await failed;
    await page.clock.runFor(1_000);
    await expect(page.getByText('Offer Submitted!')).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0);
  });

  await test.step('offer failed', async () => {
    await page.getByRole('button', { name: 'Make another offer' }).click();
    await page.getByLabel('Your Offer').fill('€1,600');
    await expect(submitButton(page)).toBeEnabled();
    await refuse(page);
    await submitButton(page).click();
    await skipRepetitions(page);
    await expect(page.getByText('There was an error')).toBeVisible();
    await expect(page.getByText('Submitting...')).toHaveCount(0);
    await page.unroute(CALLS);
    // What was pressed goes on by itself.
    await page.clock.runFor(5_000);
    await expect(page.getByText('Offer Submitted!')).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0);
  });
});

for (const [state, held, text, requests] of [
  ['check loading', CALLS, 'Checking that you are not a bot…', 1],
  ['submitting', '**/order-submit', 'Submitting...', 2],
] as const) {
  test(`what failed offline in the state “${state}” goes on once the browser is online`, async ({
    page,
    context,
  }) => {
    const isPressed = state === 'submitting';
    const { promise: taken, resolve: take } = Promise.withResolvers<void>();
    const fail = (route: Route) => route.abort('connectionrefused');
    if (isPressed) {
      await fillOfferForm(page, OFFER);
      await expect(submitButton(page)).toBeEnabled();
    }
    await page.route(held, (route) => taken.then(() => fail(route)), { times: 1 });
    // Not before: offline the scripts of the first call could not be loaded.
    const sent = page.waitForRequest(held);
    if (isPressed) await submitButton(page).click();
    else await fillOfferForm(page, OFFER);
    await expect(page.getByText(text)).toBeVisible();
    await sent;
    await page.route(CALLS, fail);
    await context.setOffline(true);
    let failures = 0;
    const failed = page.waitForEvent('requestfailed', () => {
      failures += 1;
      return failures === requests;
    });
    take();
    await failed;
    if (isPressed) await expect(page.getByText(text)).toHaveCount(0);
    await context.setOffline(false);
    await page.unroute(CALLS, fail);
    // What was pressed goes on by itself.
    if (!isPressed) await submitButton(page).click();
    await expect(page.getByText('Offer Submitted!')).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0);
  });
}

test('an outage while the buyer’s page reads and moves leads on to a move', async ({ page }) => {
  await page.route('**/negotiation', (route) => {
    const { move } = route.request().postDataJSON();
    const seen = move ? 2 : 1;
    return route.fulfill({
      json: {
        domain: 'lap.app',
        status: move ? 'withdrawn' : 'open',
        seen,
        moves: [],
        can: move ? [] : ['withdraw'],
      },
    });
  });
  await refuse(page);
  const refused = page.waitForEvent('requestfailed');
  await page.goto(`/offer/#${TOKEN}`);
  await refused;
  await skipRepetitions(page);
  await expect(page.getByRole('alert')).toContainText('could not be loaded. Please check your connection');
  const retry = page.getByRole('button', { name: 'Try again' });
  await retry.press('Enter');
  await expect(retry).toHaveCount(0);
  await skipRepetitions(page);
  await expect(retry).toBeFocused();
  await page.unroute(CALLS);
  await page.keyboard.press('Enter');
  await expect(page.locator('#now-title')).toBeFocused();
  await page.getByRole('button', { name: 'Withdraw' }).click();
  await refuse(page);
  await page.getByRole('button', { name: 'Withdraw' }).click();
  await skipRepetitions(page);
  await expect(page.getByRole('alert')).toHaveText('This could not be sent. Please try again.');
  await page.unroute(CALLS);
  await page.getByRole('button', { name: 'Withdraw' }).click();
  await expect(page.getByRole('heading', { name: 'You withdrew your offer' })).toBeVisible();
});

/** Lets the page's timers fire only when a test moves its clock. */
function stopTimers(page: Page): Promise<void> {
  return page.clock.pauseAt(Date.now() + 30_000);
}

function refuse(page: Page): Promise<unknown> {
  return page.route(CALLS, (route) => route.abort('connectionrefused'));
}
