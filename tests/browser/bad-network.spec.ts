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
  ['editing a field', (page: Page) => page.getByLabel('Your Offer').fill('€1,600')],
  ['choosing another card', (page: Page) => page.getByRole('radio', { name: 'sample.app' }).check()],
] as const) {
  test(`${what} after a request that failed ends its repetitions`, async ({ page, product }) => {
    const who = { ...OFFER, email: `${what.replaceAll(' ', '-')}@bad-network.example.com` };
    await page.route('**/order-submit', (route) => route.abort('connectionrefused'));
    await fillOfferForm(page, who);
    await submitButton(page).click();
    await skipRepetitions(page);
    await expect(page.getByRole('timer')).toBeVisible();
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

type Outage = 'offline' | 'refused';

/** Each reaches a state, takes the network and gives it back. What follows is what the page's texts name. */
const STATES: Record<string, (page: Page, network: Network) => Promise<void>> = {
  async 'no domain selected'(page, network) {
    await page.goto('/');
    await fillOfferForm(page, OFFER);
    await expect(page.getByText('Select a domain above to make an offer.')).toHaveCount(2);
    await network.take();
    const failed = page.waitForEvent('requestfailed');
    await page.getByRole('radio', { name: 'lap.app' }).check();
    await failed;
    await network.giveBack();
  },
  async 'check loading'(page, network) {
    const { promise: taken, resolve: take } = Promise.withResolvers<void>();
    await page.route(
      CALLS,
      async (route) => {
        await taken;
        await route.abort('connectionrefused');
      },
      { times: 1 },
    );
    await fillOfferForm(page, OFFER);
    await expect(page.getByText('Checking that you are not a bot…')).toBeVisible();
    await network.take();
    const failed = page.waitForEvent('requestfailed');
    take();
    await failed;
    await network.giveBack();
  },
  async 'token expired'(page, network) {
    await fillOfferForm(page, OFFER);
    await expect(submitButton(page)).toBeEnabled();
    await network.take();
    const failed = page.waitForEvent('requestfailed');
    await page.clock.fastForward('05:00');
    await failed;
    await expect(submitButton(page)).toBeDisabled();
    await network.giveBack();
  },
  async submitting(page, network) {
    await fillOfferForm(page, OFFER);
    await expect(submitButton(page)).toBeEnabled();
    // Otherwise the page might give up before the network is back.
    await stopTimers(page);
    const { promise: taken, resolve: take } = Promise.withResolvers<void>();
    await page.route(
      '**/order-submit',
      async (route) => {
        await taken;
        await route.abort('connectionrefused');
      },
      { times: 1 },
    );
    await submitButton(page).click();
    await expect(page.getByText('Submitting...')).toBeVisible();
    await network.take();
    let failures = 0;
    const failed = page.waitForEvent('requestfailed', () => {
      failures += 1;
      return failures === 2;
    });
    take();
    await failed;
    if (network.outage === 'offline') await expect(page.getByText('Submitting...')).toHaveCount(0);
    await network.giveBack();
    await page.clock.resume();
  },
  async 'offer failed'(page, network) {
    await fillOfferForm(page, OFFER);
    await expect(submitButton(page)).toBeEnabled();
    await network.take();
    await submitButton(page).click();
    await skipRepetitions(page);
    await expect(
      page.getByText(network.outage === 'offline' ? 'You are offline.' : 'There was an error'),
    ).toBeVisible();
    await expect(page.getByText('Submitting...')).toHaveCount(0);
    await network.giveBack();
  },
};

for (const [outage, states] of [
  ['refused', Object.keys(STATES)],
  ['offline', ['no domain selected', 'check loading', 'submitting']],
] as const) {
  for (const state of states) {
    test(`an outage (${outage}) in the state “${state}” leads on to an offer`, async ({ page }) => {
      await STATES[state]?.(page, networkOf(page, outage));
      const submitted = page.getByText('Offer Submitted!');
      // What was pressed goes on by itself.
      if (!/submitting|failed/.test(state)) await submitButton(page).click();
      await expect(submitted).toBeVisible();
      await expect(page.getByRole('alert')).toHaveCount(0);
    });
  }
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
  await page.unroute(CALLS);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('button', { name: 'Withdraw' }).click();
  await refuse(page);
  await page.getByRole('button', { name: 'Withdraw' }).click();
  await skipRepetitions(page);
  await expect(page.getByRole('alert')).toHaveText('This could not be sent. Please try again.');
  await page.unroute(CALLS);
  await page.getByRole('button', { name: 'Withdraw' }).click();
  await expect(page.getByRole('heading', { name: 'You withdrew your offer' })).toBeVisible();
});

type Network = ReturnType<typeof networkOf>;

function networkOf(page: Page, outage: Outage) {
  const abort = (route: Route) => route.abort('connectionrefused');
  return {
    outage,
    async take() {
      await page.route(CALLS, abort);
      if (outage === 'offline') await page.context().setOffline(true);
    },
    async giveBack() {
      await page.context().setOffline(false);
      await page.unroute(CALLS, abort);
    },
  };
}

/** Lets the page's timers fire only when a test moves its clock. */
function stopTimers(page: Page): Promise<void> {
  return page.clock.pauseAt(Date.now() + 30_000);
}

function refuse(page: Page): Promise<unknown> {
  return page.route(CALLS, (route) => route.abort('connectionrefused'));
}
