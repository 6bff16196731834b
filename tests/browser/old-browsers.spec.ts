/**
 * Browsers of the build's target (astro.config.mjs): an offer and a sign-in without what they lack. Others get a sentence
 * (with the owner's email: seller.spec.ts).
 */
import type { Page } from '@playwright/test';
import { deleteApis, NEWER_APIS } from '../support/newer-apis.ts';
import { expect, fillOfferForm, signInByForm, submitButton, test } from './fixtures.ts';

const OFFER = { amount: '€1,500', name: 'Ada', email: 'ada@example.com' };
const UNSUPPORTED =
  'This browser cannot make an offer here: it lacks a function that the form needs. Please use another browser.';

const WORKER_SCRIPT = '**/_astro/proof-of-work-worker*.js';

/** What Safari's Lockdown mode disables, among others, in pages and their workers. */
const LOCKDOWN = {
  Window:
    'AudioContext Cache CacheStorage FileReader FontFace Gamepad IDBFactory LockManager Notification RTCPeerConnection ServiceWorker SharedWorker WebAssembly WebGL2RenderingContext WebGLRenderingContext caches indexedDB speechSynthesis',
};

test('an offer and a sign-in work without everything that is newer than the build’s target', async ({
  page,
}) => {
  await page.addInitScript(deleteApis, NEWER_APIS);
  await page.goto('/sites/lap.app/');
  expect(await page.evaluate(() => 'any' in AbortSignal)).toBe(false);
  await fillOfferForm(page, OFFER);
  await submitButton(page).click();
  await expect(page.getByRole('heading', { name: 'Offer Submitted!' })).toBeVisible();
  await signInByForm(page);
  await expect(page.getByRole('row').filter({ hasText: OFFER.email }).first()).toBeVisible();
});

test('an offer works without what Safari’s Lockdown mode disables', async ({ page }) => {
  await page.addInitScript(deleteApis, LOCKDOWN);
  await deleteInWorker(page, LOCKDOWN);
  // The worker itself may have ended before it could be asked.
  const script = page.waitForResponse(WORKER_SCRIPT);
  await page.goto('/sites/lap.app/');
  expect(await page.evaluate(() => 'WebAssembly' in window)).toBe(false);
  await fillOfferForm(page, OFFER);
  expect(await (await script).text()).toContain(LOCKDOWN.Window);
  await submitButton(page).click();
  await expect(page.getByRole('heading', { name: 'Offer Submitted!' })).toBeVisible();
});

// Without workers: seller.spec.ts.
test('a browser without AbortController gets a sentence in place of the bot check, once', async ({
  page,
}) => {
  await page.addInitScript(deleteApis, { Window: 'AbortController' });
  await page.goto('/sites/lap.app/');
  await fillOfferForm(page, OFFER);
  await expect(page.getByRole('alert')).toHaveText(UNSUPPORTED);
  await expect(submitButton(page)).toBeDisabled();
  await page.getByLabel('Name', { exact: true }).focus();
  await expect(page.getByRole('alert')).toHaveText(UNSUPPORTED);
});

test('a browser whose workers lack an API gets the sentence', async ({ page }) => {
  await deleteInWorker(page, { Window: 'TextEncoder' });
  await page.goto('/de/sites/lap.app/');
  await page.getByLabel('Ihr Angebot').fill(OFFER.amount);
  await expect(page.getByRole('alert')).toHaveText(
    'Mit diesem Browser kann man hier kein Angebot machen: Ihm fehlt eine Funktion, die das Formular braucht. Bitte verwenden Sie einen anderen Browser.',
  );
});

for (const api of ['FormData', 'fetch']) {
  test(`a browser in which the form fails at Submit without ${api} gets the sentence`, async ({ page }) => {
    await page.goto('/sites/lap.app/');
    await fillOfferForm(page, OFFER);
    // The form is loaded and checked by what is deleted next.
    await expect(submitButton(page)).toBeEnabled();
    await page.evaluate(deleteApis, { Window: api });
    await submitButton(page).click();
    await expect(page.getByRole('alert')).toHaveText(UNSUPPORTED);
  });
}

test('a browser without :has() shows the focus and the rejected field', async ({ page }) => {
  // Rules with an unknown selector are dropped.
  const styles = /\/sites\/lap\.app\/$|\/_astro\/.*\.js$/;
  await page.route(styles, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replaceAll(':has(', ':unknown(');
    // The content security policy has the hashes of the styles.
    const { 'content-security-policy': _, ...headers } = response.headers();
    await route.fulfill({ response, headers, body });
  });
  await page.goto('/sites/lap.app/');
  const field = page.getByLabel('Your Offer');
  await expect(field).toHaveCSS('outline-style', 'none');
  await field.focus();
  await expect(field).toHaveCSS('outline-width', '3px');
  await expect(field).toHaveCSS('outline-style', 'solid');
  const other = page.getByLabel('Name', { exact: true });
  await other.evaluate((one) => one.setAttribute('aria-invalid', 'true'));
  await expect(other).toHaveCSS('outline-width', '2px');
  await expect(other).toHaveCSS('outline-style', 'solid');
});

/** Deletes them in the bot check's worker, before its script. */
function deleteInWorker(page: Page, apis: Readonly<Record<string, string>>): Promise<unknown> {
  return page.route(WORKER_SCRIPT, async (route) => {
    const response = await route.fetch();
    await route.fulfill({
      response,
      body: `(${deleteApis})(${JSON.stringify(apis)});${await response.text()}`,
    });
  });
}
