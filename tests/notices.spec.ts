/** What a visitor is told when something is missing, and that nothing typed is lost. */
import { expect, fillIn, offerForm, submitButton, test } from './fixtures.ts';

const WISH = { amount: '€1,500', name: 'Ada', email: 'ada@example.com' };

test('Offline, the page says so, keeps what was typed, and sends it once it is online again', async ({
  page,
  context,
}) => {
  await page.goto('/sites/lap.app/');
  const notice = page.getByText('You are offline.');
  await expect(notice).toBeHidden();
  await fillIn(page, WISH);
  await expect(submitButton(page)).toBeEnabled();

  await context.setOffline(true);
  await expect(notice).toBeVisible();
  await context.setOffline(false);
  await expect(notice).toBeHidden();
  await expect(page.getByLabel('Your Offer')).toHaveValue(WISH.amount);
  await submitButton(page).click();
  await expect(page.getByText('Offer Submitted!')).toBeVisible();
});

test('Without the form’s script, the page says so, and the next touch tries again with what was typed', async ({
  page,
  complaints,
}) => {
  complaints.expect(/Failed to load resource/, /Error hydrating/);
  await page.goto('/sites/lap.app/');
  await page.route('**/_astro/*.js', (route) => route.abort('connectionfailed'));
  const notice = page.getByRole('alert').filter({ hasText: 'Part of this page could not be loaded.' });
  await fillIn(page, WISH);
  await expect(notice).toBeVisible();
  await expect(submitButton(page)).toBeDisabled();

  await page.unroute('**/_astro/*.js');
  await page.getByLabel('Email').click();
  await expect(notice).toBeHidden();
  await expect(offerForm(page).getByLabel('Your Offer')).toHaveValue(WISH.amount);
  await submitButton(page).click();
  await expect(page.getByText('Offer Submitted!')).toBeVisible();
});

test('On paper stands what is for sale, and no form', async ({ page }) => {
  await page.goto('/sites/lap.app/');
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText('Three letters, one syllable')).toBeVisible();
  await expect(offerForm(page)).toBeHidden();
  await expect(page.getByRole('link')).toHaveCount(0);
});

test('From a domain’s first screen one step leads to its form', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 700 });
  await page.goto('/sites/lap.app/');
  const step = page.getByRole('link', { name: 'Make an Offer' });
  await expect(step).toBeInViewport();
  await expect(page.getByLabel('Your Offer')).not.toBeInViewport();
  await step.click();
  await expect(page.getByLabel('Your Offer')).toBeInViewport();
});
