/** Pages that a browser's translation or an extension has changed before, or after, the islands took them over. */
import type { Page } from '@playwright/test';
import { expect, fillOfferForm, holdRequests, offerForm, submitButton, test } from './fixtures.ts';
import { translate } from './translator.ts';

const OFFER = { amount: '€1,500', name: 'Ada', email: 'ada@example.com' };
/** React's error where the page differs from its own markup. */
const MISMATCH = /#418/;

for (const [what, change, errors] of [
  // What is among other elements is not React's (OfferForm's FormLine), and other texts are compared as a whole.
  ['translated', translate, []],
  ['changed by an extension', addMark, [MISMATCH]],
] as const) {
  test(`a page ${what} before hydration keeps the typed text and the focus`, async ({ page, pageErrors }) => {
    pageErrors.expect(...errors);
    await page.goto('/sites/lap.app/');
    await change(page);
    const release = await holdRequests(page, '**/_astro/*.js');
    const amount = page.locator('[name=offer_amount]');
    await amount.click();
    await page.keyboard.type(OFFER.amount);
    release();
    await expect(page.locator('[data-props]')).toHaveCount(0);
    await expect(amount).toHaveValue(OFFER.amount);
    await expect(amount).toBeFocused();
    await page.keyboard.type(' or so');
    await expect(amount).toHaveValue(`${OFFER.amount} or so`);
    await fillOfferForm(page, OFFER);
    await expect(submitButton(page)).toBeEnabled();
    await submitButton(page).click();
    await expect(page.getByText('Offer Submitted!')).toBeVisible();
  });

  test(`a press on a page ${what}, before hydration, sends the offer once`, async ({ page, pageErrors }) => {
    pageErrors.expect(...errors);
    await page.goto('/sites/lap.app/');
    await change(page);
    const release = await holdRequests(page, '**/_astro/*.js');
    const offers: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/order-submit')) offers.push(request.url());
    });
    await fillOfferForm(page, OFFER);
    await submitButton(page).click({ force: true });
    await expect(submitButton(page)).toHaveAttribute('aria-busy', 'true');
    release();
    await expect(page.getByText('Offer Submitted!')).toBeVisible();
    expect(offers).toHaveLength(1);
  });
}

test('a page translated before hydration keeps the selected card', async ({ page }) => {
  await page.goto('/sites/lap.app/');
  await translate(page);
  await page.getByRole('radio', { name: 'sample.app' }).check();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Own sample.app Domain');
  await expect(page.getByRole('radio', { name: 'sample.app' })).toBeChecked();
  await expect(offerForm(page)).toContainText('for sample.app');
  await expect(page.locator('[data-props]')).toHaveCount(0);
  await expect(offerForm(page)).toContainText('for sample.app');
});

test('a page translated after hydration updates with every selection and submission', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('radio', { name: 'sample.app' }).hover();
  await expect(page.locator('[data-props]')).toHaveCount(0);
  await translate(page);
  for (const name of ['sample.app', 'host.example', 'lap.app']) {
    await page.getByRole('radio', { name }).check();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Own ${name} Domain`);
    await expect(offerForm(page)).toContainText(`for ${name}`);
  }
  await expect(page.getByRole('link', { name: 'Use Broker for lap.app' })).toBeVisible();
  await fillOfferForm(page, OFFER);
  await expect(submitButton(page)).toBeEnabled();
  const release = await holdRequests(page, '**/functions/v1/order-submit');
  await submitButton(page).click();
  await expect(page.getByRole('button', { name: 'Submitting...' })).toBeVisible();
  release();
  await expect(page.getByText('Offer Submitted!')).toBeVisible();
});

async function addMark(page: Page): Promise<void> {
  await page.evaluate(() => {
    document.querySelector('#customer-email')?.after(document.createElement('div'));
  });
}
