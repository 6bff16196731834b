/** Browsers of the build's target (astro.config.mjs): an offer and a sign-in without what they lack. */
import type { Page } from '@playwright/test';
import { deleteApis, NEWER_APIS } from '../support/newer-apis.ts';
import { expect, fillOfferForm, signIn, submitButton, test } from './fixtures.ts';

const OFFER = { amount: '€1,500', name: 'Ada', email: 'ada@example.com' };

for (const [what, apis] of [
  ['everything that is newer than the build’s target', NEWER_APIS],
  ['AbortSignal.any and AbortSignal.timeout', { AbortSignal: 'any timeout' }],
] as const) {
  test(`an offer and a sign-in work without ${what}`, async ({ page }) => {
    await page.addInitScript(deleteApis, apis);
    await page.goto('/sites/lap.app/');
    expect(await page.evaluate(() => 'any' in AbortSignal)).toBe(false);
    await offer(page);
    await signIn(page);
    await expect(page.getByRole('row').filter({ hasText: OFFER.email }).first()).toBeVisible();
  });
}

async function offer(page: Page): Promise<void> {
  await fillOfferForm(page, OFFER);
  await submitButton(page).click();
  await expect(page.getByRole('heading', { name: 'Offer Submitted!' })).toBeVisible();
}
