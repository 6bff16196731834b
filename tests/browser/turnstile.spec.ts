/** The invisible bot check by Cloudflare Turnstile; its script and the backend have stand-ins here. */
import type { Page, Route } from '@playwright/test';
import { expect, fillOfferForm, submitButton } from './fixtures.ts';
import { loadsScript } from './loads-script.ts';
import { SITE_KEY, test } from './shops/hosted.ts';

const ORDERS = '**/order-submit';
const CORS = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };
const OFFER = { amount: '$12,000', name: 'Ada', email: 'ada@turnstile.example.com' };
const SCRIPT = 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit';
const WORKING = 'Checking that you are not a bot…';
const REJECTED = 'The bot check did not accept this browser. Please try again.';
const FAILED = 'CAPTCHA failed to load. Please refresh.';

test('Turnstile is loaded at the first field, and an offer carries its token, whose rejection or end restarts it', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expect(/status of 403/);
  const scripts = await fakeTurnstile(page);
  const tokens: unknown[] = [];
  let response: Parameters<Route['fulfill']>[0] = {
    status: 403,
    json: { error: REJECTED, code: 'bot_check_failed' },
  };
  await page.route(ORDERS, (route) => {
    if (route.request().method() === 'POST') tokens.push(route.request().postDataJSON().turnstile_token);
    return route.fulfill({ headers: CORS, ...response });
  });
  await page.goto('/sites/site.example/');
  await page.getByRole('radio', { name: 'site.example' }).click();
  expect(scripts).toEqual([]);
  await page.getByLabel('Your Offer').focus();
  await expect(page.getByText(WORKING)).toBeVisible();
  await waitForWidget(page);
  expect(scripts).toEqual([SCRIPT]);
  expect(await page.evaluate(() => window.standIn?.options)).toMatchObject({
    sitekey: SITE_KEY,
    action: 'order-submit',
    appearance: 'interaction-only',
  });
  expect(await page.evaluate(() => window.standIn?.hostIsInForm)).toBe(true);

  await fillOfferForm(page, OFFER);
  await expect(submitButton(page)).toBeDisabled();
  await fireCallback(page, 'callback', 'expires');
  await expect(submitButton(page)).toBeEnabled();
  await fireCallback(page, 'expired-callback');
  await expect(submitButton(page)).toBeDisabled();
  await expect(page.getByText(WORKING)).toBeVisible();
  for (const [event, message] of [
    ['error-callback', FAILED],
    ['unsupported-callback', /^This browser cannot make an offer here: /],
  ] as const) {
    await fireCallback(page, event, '300030');
    await expect(page.getByRole('alert')).toHaveText(message);
    await expect(submitButton(page)).toBeDisabled();
    await fireCallback(page, 'callback', `after ${event}`);
    await expect(page.getByRole('alert')).toHaveCount(0);
    await expect(submitButton(page)).toBeEnabled();
  }
  await fireCallback(page, 'error-callback', '300030');
  await expect(page.getByRole('alert')).toHaveText(FAILED);
  await page.getByLabel('Name', { exact: true }).focus();
  await expect(page.getByText(WORKING)).toBeVisible();
  expect(await resets(page)).toEqual(['widget-1']);

  await fireCallback(page, 'callback', 'made up');
  await submitButton(page).click();
  await expect(page.getByRole('alert')).toHaveText(REJECTED);
  expect(await resets(page)).toEqual(['widget-1', 'widget-1']);
  await expect(submitButton(page)).toBeDisabled();

  response = { status: 201, json: { id: '0198d9f5-5f6a-7c1e-8f3a-1d2e3f405162' } };
  await fireCallback(page, 'callback', 'right');
  await submitButton(page).click();
  await expect(page.getByRole('heading', { name: 'Offer Submitted!' })).toBeVisible();
  expect(tokens).toEqual(['made up', 'right']);
  expect(await resets(page)).toEqual(['widget-1', 'widget-1', 'widget-1']);
});

test('a blocked Turnstile script shows an error and is loaded again at the next field', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expect(/ERR_BLOCKED_BY_CLIENT/);
  await page.route(SCRIPT, (route) => route.abort('blockedbyclient'));
  await page.goto('/sites/site.example/');
  await page.getByLabel('Your Offer').fill('$12,000');
  await expect(page.getByRole('alert')).toHaveText(FAILED);
  await expect(submitButton(page)).toBeDisabled();
  await page.unroute(SCRIPT);
  await fakeTurnstile(page);
  await fillOfferForm(page, OFFER);
  await waitForWidget(page);
  await fireCallback(page, 'callback', 'token');
  await expect(submitButton(page)).toBeEnabled();
});

test('a press outlasts an error of Turnstile and a script that does not load, and is carried out once', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expect(/ERR_BLOCKED_BY_CLIENT/);
  await page.clock.install();
  const tokens: unknown[] = [];
  await page.route(ORDERS, (route) => {
    if (route.request().method() === 'POST') tokens.push(route.request().postDataJSON().turnstile_token);
    return route.fulfill({
      headers: CORS,
      status: 201,
      json: { id: '0198d9f5-5f6a-7c1e-8f3a-1d2e3f405162' },
    });
  });
  await page.route(SCRIPT, (route) => route.abort('blockedbyclient'));
  await page.goto('/sites/site.example/');
  await fillOfferForm(page, OFFER);
  await expect(page.getByText(WORKING)).toBeVisible();
  await submitButton(page).click({ force: true });
  await page.clock.runFor(3_000);
  await expect(page.getByRole('alert')).toHaveText(FAILED);
  await expect(page.getByRole('timer')).toHaveText(/^Trying again in [45] s\.$/);
  await expect(submitButton(page)).toHaveAttribute('aria-busy', 'true');
  await page.unroute(SCRIPT);
  await fakeTurnstile(page);
  await page.clock.runFor(5_000);
  await waitForWidget(page);
  await fireCallback(page, 'error-callback', '300030');
  await expect(page.getByRole('timer')).toHaveText(/^Trying again in [45] s\.$/);
  await page.clock.runFor(5_000);
  expect(await resets(page)).toEqual(['widget-1']);
  await expect(submitButton(page)).toHaveAttribute('aria-busy', 'true');
  expect(tokens).toEqual([]);
  await fireCallback(page, 'callback', 'token');
  await expect(page.getByRole('heading', { name: 'Offer Submitted!' })).toBeVisible();
  expect(tokens).toEqual(['token']);
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
