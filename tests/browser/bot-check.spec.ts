/** The invisible bot check without a third party: what a visitor notices of the proof of work. */
import type { Page } from '@playwright/test';
import { ProofSchema } from '#contract/bot-check.ts';
import { OfferSubmissionSchema } from '#contract/offer.ts';
import {
  expect,
  fillOfferForm,
  holdRequests,
  type OfferInput,
  offerForm,
  skipRepetitions,
  submitButton,
  test,
} from './fixtures.ts';
import { loadsScript } from './loads-script.ts';

const CHALLENGES = '**/functions/v1/bot-check?*';
const ORDERS = '**/functions/v1/order-submit';
const FAILED = 'CAPTCHA failed to load. Please refresh.';

test('a press on the button that waits starts the bot check, and then the browser shows what is missing', async ({
  page,
}) => {
  const challenges = challengesOf(page);
  await page.goto('/sites/lap.app/');
  const button = submitButton(page);
  const colour = await button.evaluate((one) => getComputedStyle(one).backgroundColor);
  await expect(button).toBeDisabled();
  // Before any script has arrived.
  await button.click({ force: true });
  await expect(button).toBeEnabled();
  await expect(page.getByLabel('Your Offer')).toBeFocused();
  expect(challenges()).toBe(1);
  // It looks as before, without the pointer on it.
  await page.mouse.move(0, 0);
  await expect(button).toHaveCSS('background-color', colour);
});

test('no challenge is fetched before the visitor’s first contact with the form', async ({ page }) => {
  const challenges = challengesOf(page);
  await page.goto('/');
  await page.getByRole('radio', { name: 'lap.app' }).check();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Own lap.app Domain');
  expect(challenges()).toBe(0);
  await page.getByLabel('Your Offer').focus();
  await expect(page.getByText('Bot check passed.')).toBeVisible();
  expect(challenges()).toBe(1);
});

test('the bot check starts once a domain is selected and restarts for another domain', async ({ page }) => {
  const domains: (string | null)[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.pathname === '/functions/v1/bot-check') domains.push(url.searchParams.get('domain'));
  });
  const offers = offersOf(page);
  await page.goto('/');
  await fillOfferForm(page, offerOf('choosy'));
  await expect(page.getByText('Select a domain above to make an offer.')).toHaveCount(2);
  expect(domains).toEqual([]);
  await page.getByRole('radio', { name: 'lap.app' }).check();
  await expect(submitButton(page)).toBeEnabled();
  await page.getByRole('radio', { name: 'sample.app' }).check();
  await expect(submitButton(page)).toBeEnabled();
  // The same one again is no other.
  await page.getByRole('radio', { name: 'sample.app' }).click();
  await expect(submitButton(page)).toBeEnabled();
  expect(domains).toEqual(['lap.app', 'sample.app']);
  await submitButton(page).click();
  await expect(page.getByRole('heading', { name: 'Offer Submitted!' })).toBeVisible();
  expect(offers.map((body) => JSON.parse(body).domain_name)).toEqual(['sample.app']);
});

test('the button stays disabled until the bot check passes, and an offer that a script sends before shows a message', async ({
  page,
}) => {
  const release = await holdRequests(page, CHALLENGES);
  const offers = offersOf(page);
  await page.goto('/sites/lap.app/');
  await fillOfferForm(page, offerOf('impatient'));
  await expect(page.getByText('Checking that you are not a bot…')).toBeVisible();
  await expect(submitButton(page)).toBeDisabled();
  await offerForm(page).evaluate((form: HTMLFormElement) => form.requestSubmit());
  await expect(page.getByRole('alert')).toHaveText('Please complete the CAPTCHA.');
  expect(offers).toEqual([]);
  release();
  await expect(page.getByText('Bot check passed.')).toHaveCount(1);
  await expect(submitButton(page)).toBeEnabled();
  await submitButton(page).click();
  await expect(page.getByRole('heading', { name: 'Offer Submitted!' })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('an expired bot check is dropped and solved again', async ({ page }) => {
  await page.clock.install();
  const opened = Date.now();
  const offers = offersOf(page);
  const challenges = challengesOf(page);
  await page.goto('/sites/lap.app/');
  await fillOfferForm(page, offerOf('slow'));
  await expect(submitButton(page)).toBeEnabled();
  const release = await holdRequests(page, CHALLENGES);
  // A proof is dropped after 4:55 minutes.
  await page.clock.pauseAt(opened + 280_000);
  await expect(submitButton(page)).toBeEnabled();
  await page.clock.fastForward('01:00');
  await expect(submitButton(page)).toBeDisabled();
  await expect(page.getByText('Checking that you are not a bot…')).toBeVisible();
  release();
  await expect(submitButton(page)).toBeEnabled();
  expect(challenges()).toBe(2);
  await submitButton(page).click();
  await expect(page.getByRole('heading', { name: 'Offer Submitted!' })).toBeVisible();
  expect(offers).toHaveLength(1);
});

test('a bot check that fails in any way shows an error and retries at the next field', async ({
  page,
  pageErrors,
}) => {
  await page.clock.install();
  for (const [condition, response, expectedError] of [
    ['without a network', 'no network', /ERR_INTERNET_DISCONNECTED/],
    ['with a server error', { status: 500, json: { error: 'Out of order.' } }, /status of 500/],
    ['behind a captive portal', { status: 200, contentType: 'text/html', body: '<h1>Wi-Fi</h1>' }, undefined],
    ['with a malformed challenge', { status: 200, json: { parameters: {} } }, undefined],
  ] as const) {
    if (expectedError) pageErrors.expect(expectedError);
    await page.route(CHALLENGES, (route) =>
      response === 'no network' ? route.abort('internetdisconnected') : route.fulfill(response),
    );
    await page.goto('/sites/lap.app/');
    await page.getByLabel('Your Offer').fill('$12,000');
    await expect(page.getByText('Checking that you are not a bot…')).toBeVisible();
    await skipRepetitions(page);
    await expect(page.getByRole('alert'), condition).toHaveText(FAILED);
    await expect(submitButton(page)).toBeDisabled();
    await page.unroute(CHALLENGES);
    await fillOfferForm(page, offerOf('patient'));
    await expect(submitButton(page), condition).toBeEnabled();
    await expect(page.getByRole('alert')).toHaveCount(0);
    await expect(page.getByLabel('Your Offer')).toHaveValue(offerOf('patient').amount);
  }
});

test('a bot check whose worker fails to load shows an error', async ({ page }) => {
  // Chromium logs no error for a worker.
  await page.route('**/_astro/proof-of-work-worker*.js', (route) => route.abort());
  await page.goto('/sites/lap.app/');
  await page.getByLabel('Your Offer').fill('$12,000');
  await expect(page.getByRole('alert')).toHaveText(FAILED);
  await expect(submitButton(page)).toBeDisabled();
});

test('the bot check restarts after every attempt that used its token', async ({ page, pageErrors }) => {
  pageErrors.expect(/status of 429/, /ERR_FAILED/);
  await page.clock.install();
  const offers = offersOf(page);
  await page.goto('/sites/lap.app/');
  await fillOfferForm(page, offerOf('persistent'));

  const attempt = async () => {
    const before = offers.length;
    await expect(submitButton(page)).toBeEnabled();
    await submitButton(page).click();
    await expect.poll(() => offers.length).toBeGreaterThan(before);
  };
  await page.route(ORDERS, (route) => route.fulfill({ status: 429, json: { error: 'Later.' } }), {
    times: 1,
  });
  await attempt();
  await expect(page.getByRole('alert')).toHaveText('Later.');
  await page.route(ORDERS, (route) => route.abort(), { times: 4 });
  await attempt();
  await skipRepetitions(page);
  await expect(page.getByRole('alert')).toHaveText(
    'There was an error submitting your offer. Please try again.',
  );
  await page.clock.runFor(5_000);
  await expect(page.getByRole('heading', { name: 'Offer Submitted!' })).toBeVisible();
  await page.getByRole('radio', { name: 'sample.app' }).check();
  await page.getByLabel('Your Offer').fill('$1');
  await attempt();
  await expect(page.getByRole('heading', { name: 'Offer Submitted!' })).toBeVisible();

  const [rejected, lost, ...others] = offers.map(signatureOf);
  const another = others.pop();
  // An attempt with a response used its token. One without is repeated with the same token.
  expect(others).toEqual([lost, lost, lost, lost]);
  expect(new Set([rejected, lost, another]).size).toBe(3);
});

test('the page loads no script from Cloudflare unless Turnstile is configured', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expect(/content security policy/i);
  await page.goto('/');
  expect(await page.evaluate(loadsScript, 'https://challenges.cloudflare.com/turnstile/v0/api.js')).toBe(
    false,
  );
});

function offerOf(who: string): OfferInput {
  return { amount: '$12,000', name: `Visitor ${who}`, email: `${who}@bot-check.example.com` };
}

/** The bodies of all offers sent from now on. */
function offersOf(page: Page): string[] {
  const bodies: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/order-submit')) bodies.push(request.postData() ?? '');
  });
  return bodies;
}

/** Counts the challenges requested from now on. */
function challengesOf(page: Page): () => number {
  let count = 0;
  page.on('request', (request) => {
    if (request.url().includes('/functions/v1/bot-check?')) count += 1;
  });
  return () => count;
}

/** Identifies a proof of work. */
function signatureOf(body: string): string {
  const { turnstile_token: token } = OfferSubmissionSchema.parse(JSON.parse(body));
  return ProofSchema.parse(JSON.parse(atob(token))).challenge.signature;
}
