/** The invisible bot check by Cloudflare Turnstile; its script and its siteverify have stand-ins here. */
import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { json, type Siteverify, startSiteverify } from '../abuse/siteverify.ts';
import { readAllOffers } from '../support/calls.ts';
import { copyOfProject, startProduct } from '../support/product.ts';
import { test as base, expect, fillOfferForm, type OfferInput, submitButton } from './fixtures.ts';
import { loadsScript } from './loads-script.ts';

const SITE_KEY = '1x00000000000000000000BB';
const SECRET = '1x0000000000000000000000000000000AA';
const SCRIPT = 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit';
const WORKING = 'Checking that you are not a bot…';
const FAILED = 'CAPTCHA failed to load. Please refresh.';

interface TurnstileFixtures {
  siteverify: Siteverify;
}

/** The site key is built into the pages, so this product is built from a copy. */
const test = base.extend<object, TurnstileFixtures>({
  siteverify: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names out of it
    async ({}, use) => {
      const siteverify = await startSiteverify();
      await use(siteverify);
      siteverify.close();
    },
    { scope: 'worker' },
  ],
  product: [
    async ({ siteverify }, use) => {
      const project = copyOfProject();
      const env = {
        TURNSTILE_SITE_KEY: SITE_KEY,
        TURNSTILE_SECRET_KEY: SECRET,
        TURNSTILE_VERIFY_URL: siteverify.url,
      };
      const product = await startProduct({ project: project.folder, env });
      await use(product);
      await product.stop();
      project.remove();
    },
    { scope: 'worker', timeout: 150_000 },
  ],
});

// In one worker: each would build the site for itself.
test.describe.configure({ mode: 'default' });

test('Turnstile is loaded from Cloudflare, invisible, with this form’s action', async ({ page }) => {
  const sent = await fakeTurnstile(page);
  await page.goto('/sites/lap.app/');
  await page.getByRole('radio', { name: 'lap.app' }).click();
  expect(sent).toEqual([]);
  await page.getByLabel('Your Offer').focus();
  await expect(page.getByText(WORKING)).toBeVisible();
  await waitForWidget(page);
  expect(sent).toEqual([SCRIPT]);
  expect(await page.evaluate(() => window.standIn?.options)).toMatchObject({
    sitekey: SITE_KEY,
    action: 'order-submit',
    appearance: 'interaction-only',
  });
  expect(await page.evaluate(() => window.standIn?.hostIsInForm)).toBe(true);
});

test('an offer with a valid Turnstile token is stored, and the token is verified once', async ({
  page,
  product,
  siteverify,
}) => {
  await fakeTurnstile(page);
  const token = confirmed(siteverify);
  const { amount, name, email } = offerOf('confirmed');
  await page.goto('/sites/lap.app/');
  await fillOfferForm(page, { amount, name, email });
  await waitForWidget(page);
  await expect(submitButton(page)).toBeDisabled();
  await fireCallback(page, 'callback', token);
  await submitButton(page).click();
  await expect(page.getByRole('heading', { name: 'Offer Submitted!' })).toBeVisible();
  expect(siteverify.verificationsOf(token).map((sent) => sent.get('secret'))).toEqual([SECRET]);
  const stored = (await readAllOffers(product)).filter((offer) => offer.customer_email === email);
  expect(stored).toMatchObject([{ domain_name: 'lap.app', offer_amount: amount, customer_name: name }]);
});

test('an offer with a rejected Turnstile token stays in the form, and Turnstile restarts', async ({
  page,
  siteverify,
  pageErrors,
}) => {
  pageErrors.expect(/status of 403/);
  await fakeTurnstile(page);
  await page.goto('/sites/lap.app/');
  await fillOfferForm(page, offerOf('rejected'));
  await waitForWidget(page);
  await fireCallback(page, 'callback', 'made up');
  await submitButton(page).click();
  await expect(page.getByRole('alert')).toHaveText(
    'The bot check did not accept this browser. Please try again.',
  );
  expect(await resets(page)).toEqual(['widget-1']);
  await expect(submitButton(page)).toBeDisabled();
  await fireCallback(page, 'callback', confirmed(siteverify));
  await submitButton(page).click();
  await expect(page.getByRole('heading', { name: 'Offer Submitted!' })).toBeVisible();
  expect(await resets(page)).toEqual(['widget-1', 'widget-1']);
});

test('Turnstile’s expired-callback and timeout-callback drop the token until the next one', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expect(/status of 429/);
  await fakeTurnstile(page);
  await page.goto('/sites/lap.app/');
  await fillOfferForm(page, offerOf('late'));
  await waitForWidget(page);
  await page.route('**/order-submit', (route) => route.fulfill({ status: 429, json: { error: 'Later.' } }));
  for (const event of ['expired-callback', 'timeout-callback'] as const) {
    await fireCallback(page, 'callback', `before ${event}`);
    await expect(submitButton(page)).toBeEnabled();
    await fireCallback(page, event);
    await expect(submitButton(page)).toBeDisabled();
    await expect(page.getByText(WORKING)).toBeVisible();
    await fireCallback(page, 'callback', `after ${event}`);
    await expect(submitButton(page)).toBeEnabled();
    const sent = page.waitForRequest('**/order-submit');
    await submitButton(page).click();
    expect((await sent).postDataJSON()).toMatchObject({ turnstile_token: `after ${event}` });
    await expect(page.getByRole('alert')).toHaveText('Later.');
  }
});

test('Turnstile’s error-callback and unsupported-callback show what failed; a later token is accepted', async ({
  page,
}) => {
  await fakeTurnstile(page);
  await page.goto('/sites/lap.app/');
  await fillOfferForm(page, offerOf('troubled'));
  await waitForWidget(page);
  for (const [event, message] of [
    ['error-callback', FAILED],
    ['unsupported-callback', /^This browser cannot make an offer here: /],
  ] as const) {
    await fireCallback(page, 'callback', `before ${event}`);
    await fireCallback(page, event, '300030');
    await expect(page.getByRole('alert')).toHaveText(message);
    await expect(submitButton(page)).toBeDisabled();
    await fireCallback(page, 'callback', `after ${event}`);
    await expect(page.getByRole('alert')).toHaveCount(0);
    await expect(submitButton(page)).toBeEnabled();
  }
});

test('the next field restarts Turnstile after a failure', async ({ page }) => {
  await fakeTurnstile(page);
  await page.goto('/sites/lap.app/');
  await page.getByLabel('Your Offer').fill('$1');
  await waitForWidget(page);
  await fireCallback(page, 'error-callback', '300030');
  await expect(page.getByRole('alert')).toHaveText(FAILED);
  await page.getByLabel('Email', { exact: true }).focus();
  await expect(page.getByText(WORKING)).toBeVisible();
  expect(await resets(page)).toEqual(['widget-1']);
});

test('a blocked Turnstile script shows an error and is loaded again at the next field', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expect(/ERR_BLOCKED_BY_CLIENT/);
  await page.route(SCRIPT, (route) => route.abort('blockedbyclient'));
  await page.goto('/sites/lap.app/');
  await page.getByLabel('Your Offer').fill('$12,000');
  await expect(page.getByRole('alert')).toHaveText(FAILED);
  await expect(submitButton(page)).toBeDisabled();
  await page.unroute(SCRIPT);
  await fakeTurnstile(page);
  await fillOfferForm(page, offerOf('unblocked'));
  await waitForWidget(page);
  await fireCallback(page, 'callback', 'token');
  await expect(submitButton(page)).toBeEnabled();
});

test('a Turnstile script without a network is loaded again by itself, and only a long outage shows an error', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expect(/ERR_CONNECTION_REFUSED/);
  await page.route(SCRIPT, (route) => route.abort('connectionrefused'));
  await page.goto('/sites/lap.app/');
  for (const [outage, failures] of [
    ['short', 2],
    ['long', 3],
  ] as const) {
    const all = nextFailures(page, failures);
    await fillOfferForm(page, offerOf(outage));
    await all;
    const isLong = outage === 'long';
    await expect(page.getByRole('alert')).toHaveText(isLong ? [FAILED] : []);
    await page.unroute(SCRIPT);
    await fakeTurnstile(page);
    await waitForWidget(page);
    await fireCallback(page, 'callback', 'token');
    await expect(page.getByRole('alert')).toHaveCount(0);
    await expect(submitButton(page)).toBeEnabled();
    if (isLong) return;
    await page.unrouteAll();
    await page.route(SCRIPT, (route) => route.abort('connectionrefused'));
    await page.reload();
  }
});

test('a script that is not Turnstile shows an error', async ({ page }) => {
  await page.route(SCRIPT, (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
  await page.goto('/sites/lap.app/');
  await page.getByLabel('Your Offer').fill('$12,000');
  await expect(page.getByRole('alert')).toHaveText(FAILED);
});

test('the page loads scripts and frames from Turnstile only', async ({ page, pageErrors }) => {
  pageErrors.expect(/cdn\.example\/x\.js/, /challenges\.cloudflare\.com\/x\b/, /frames\.example/);
  await page.route(/cdn\.example|frames\.example|challenges\.cloudflare\.com/, (route) =>
    route.fulfill({ body: '', headers: { 'access-control-allow-origin': '*' } }),
  );
  await page.goto('/');
  expect(await page.evaluate(loadsScript, SCRIPT)).toBe(true);
  expect(await page.evaluate(loadsScript, 'https://cdn.example/x.js')).toBe(false);
  const fetched = page.evaluate((url) => fetch(url), 'https://challenges.cloudflare.com/x');
  await expect(fetched).rejects.toThrow('Failed to fetch');
  const blocked = page.waitForEvent('console', (message) => message.text().includes('frames.example'));
  await page.evaluate(() => {
    for (const src of ['https://challenges.cloudflare.com/frame', 'https://frames.example/']) {
      document.body.append(Object.assign(document.createElement('iframe'), { src }));
    }
  });
  await blocked;
});

type Event = 'callback' | 'expired-callback' | 'timeout-callback' | 'error-callback' | 'unsupported-callback';

declare global {
  interface Window {
    standIn?: {
      options: Record<Event, (text?: string) => unknown>;
      hostIsInForm: boolean;
      resets: string[];
    };
  }
}

/** Replaces Cloudflare’s script. Returns the requested URLs, which are added later. */
async function fakeTurnstile(page: Page): Promise<string[]> {
  const sent: string[] = [];
  await page.route('https://challenges.cloudflare.com/**', (route) => {
    sent.push(route.request().url());
    return route.fulfill({
      contentType: 'text/javascript',
      body: `window.turnstile = {
        render(host, options) {
          window.standIn = { options, hostIsInForm: host.closest('form') !== null, resets: [] };
          return 'widget-1';
        },
        reset(widget) { window.standIn.resets.push(widget); },
        remove() {},
      };`,
    });
  });
  return sent;
}

async function nextFailures(page: Page, count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) await page.waitForEvent('requestfailed');
}

async function waitForWidget(page: Page): Promise<void> {
  await page.waitForFunction(() => window.standIn);
}

/** Calls a callback of the page, as Turnstile would. */
async function fireCallback(page: Page, event: Event, text?: string): Promise<void> {
  await page.evaluate(([name, value]) => void window.standIn?.options[name](value), [event, text] as const);
}

function resets(page: Page): Promise<string[] | undefined> {
  return page.evaluate(() => window.standIn?.resets);
}

/** A token that siteverify will confirm. */
function confirmed(siteverify: Siteverify): string {
  const token = `token-${randomUUID()}`;
  const verdict = {
    success: true,
    hostname: 'localhost',
    action: 'order-submit',
    challenge_ts: new Date().toISOString(),
  };
  siteverify.respondTo(token, json(verdict));
  return token;
}

function offerOf(who: string): OfferInput {
  return { amount: '$12,000', name: `Visitor ${who}`, email: `${who}@turnstile.example.com` };
}
