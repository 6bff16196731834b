/** The form while connections are refused and the browser believes itself online: each state leads on without a reload. */
import type { Page } from '@playwright/test';
import { expect, fillOfferForm, submitButton, test } from './fixtures.ts';

const OFFER = { amount: '€1,500', name: 'Ada', email: 'ada@bad-network.example.com' };
const CALLS = '**/functions/v1/*';

test.beforeEach(async ({ page, pageErrors }) => {
  pageErrors.expect(/ERR_CONNECTION_REFUSED/);
  await page.goto('/sites/lap.app/');
});

test('an offer during a short outage is sent quietly', async ({ page }) => {
  await fillOfferForm(page, OFFER);
  await expect(submitButton(page)).toBeEnabled();
  await refuse(page);
  const refused = page.waitForEvent('requestfailed');
  await submitButton(page).click();
  await refused;
  await page.unroute(CALLS);
  await expect(page.getByText('Offer Submitted!')).toBeVisible();
});

test('an offer during a long outage shows one message, and can be sent again without typing', async ({
  page,
}) => {
  await fillOfferForm(page, OFFER);
  await expect(submitButton(page)).toBeEnabled();
  await refuse(page);
  await submitButton(page).click();
  await expect(page.getByRole('alert')).toHaveText(
    'There was an error submitting your offer. Please try again.',
  );
  // The bot check fails as well.
  for (let failures = 0; failures < 5; failures += 1) await page.waitForEvent('requestfailed');
  await expect(page.getByRole('alert')).toHaveCount(1);
  await expect(page.getByText('refresh')).toHaveCount(0);
  await page.unroute(CALLS);
  await submitButton(page).click();
  await expect(page.getByText('Offer Submitted!')).toBeVisible();
});

test('a bot check without a network repeats itself, and shows that it failed only in a long outage', async ({
  page,
}) => {
  await refuse(page);
  const refused = page.waitForEvent('requestfailed');
  await fillOfferForm(page, OFFER);
  await refused;
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(page.getByRole('alert')).toHaveText('CAPTCHA failed to load. Please refresh.');
  await page.unroute(CALLS);
  await submitButton(page).click();
  await expect(page.getByText('Offer Submitted!')).toBeVisible();
});

test('what is typed stays over a reload, and is gone once the offer is sent', async ({ page }) => {
  await fillOfferForm(page, OFFER);
  await expect(submitButton(page)).toBeEnabled();
  await refuse(page);
  await submitButton(page).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await page.unroute(CALLS);
  await page.reload();
  await expect(page.getByLabel('Your Offer')).toHaveValue(OFFER.amount);
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue(OFFER.email);
  await submitButton(page).click();
  await expect(page.getByText('Offer Submitted!')).toBeVisible();
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
});

function refuse(page: Page): Promise<unknown> {
  return page.route(CALLS, (route) => route.abort('connectionrefused'));
}
