/** Notices shown when the network or a script is missing, without losing typed text. */
import { de } from '../../src/i18n/de.ts';
import { en } from '../../src/i18n/en.ts';
import { expect, fillOfferForm, headline, offerForm, submitButton, test } from './fixtures.ts';

const OFFER = { amount: '€1,500', name: 'Ada', email: 'ada@example.com' };

test('a page restored by Back shows the offline notice', async ({ page }) => {
  await page.goto('/sites/lap.app/');
  const notice = page.getByText('You are offline.');
  await expect(notice).toBeHidden();
  // A page in the back/forward cache gets no offline event.
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'onLine', { get: () => false });
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  });
  await expect(notice).toBeVisible();
});

test('the offline notice keeps the typed text, and an offer that failed offline is sent once online, without another contact', async ({
  page,
  context,
  pageErrors,
}) => {
  pageErrors.expect(/ERR_INTERNET_DISCONNECTED/);
  await page.goto('/sites/lap.app/');
  const notice = page.getByText('You are offline.');
  await fillOfferForm(page, OFFER);
  await expect(submitButton(page)).toBeEnabled();
  await expect(notice).toBeHidden();
  await context.setOffline(true);
  await expect(notice).toBeVisible();
  await context.setOffline(false);
  await expect(notice).toBeHidden();
  await expect(page.getByLabel('Your Offer')).toHaveValue(OFFER.amount);

  await context.setOffline(true);
  await submitButton(page).click();
  await expect(notice).toBeFocused();
  await expect(notice).toBeInViewport();
  await expect(page.getByText('CAPTCHA failed to load.')).toHaveCount(0);
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(page.getByRole('timer')).toHaveCount(0);
  await expect(submitButton(page)).toHaveAttribute('aria-busy', 'true');
  await context.setOffline(false);
  await expect(page.getByText('Offer Submitted!')).toBeVisible();
});

test('scripts requested offline are fetched once online', async ({ page, context, pageErrors }) => {
  pageErrors.expect(/ERR_INTERNET_DISCONNECTED/);
  await page.goto('/sites/lap.app/');
  await context.setOffline(true);
  // One contact: after another one that fails once online, only the next contact would fetch them.
  await page.getByLabel('Your Offer').focus();
  await expect(page.getByText('You are offline.')).toBeVisible();
  await expect(page.locator('#not-loaded')).not.toHaveAttribute('hidden');
  await expect(page.getByText('Part of this page could not be loaded.')).toBeHidden();
  await context.setOffline(false);
  await expect(page.locator('#not-loaded')).toHaveAttribute('hidden');
  await expect(submitButton(page)).toBeEnabled();
});

for (const [what, files, failing] of [
  ['what sends its offer', '**/_astro/OfferCalls.*.js*', '/_astro/OfferCalls.'],
  ['a script that others import', '**/_astro/react.*.js*', '/_astro/react.'],
] as const) {
  test(`a page without ${what} shows a notice, and the next contact retries with the typed text`, async ({
    page,
    pageErrors,
  }) => {
    pageErrors.expect(/Failed to load resource/);
    await page.goto('/sites/lap.app/');
    await page.route(files, (route) => route.abort('connectionfailed'));
    const notice = page.getByRole('alert').filter({ hasText: 'Part of this page could not be loaded.' });
    const givenUp = page.waitForEvent('requestfailed', (request) => request.url().includes(failing));
    await fillOfferForm(page, OFFER);
    await givenUp;
    await expect(notice).toBeVisible();
    await expect(submitButton(page)).toBeDisabled();

    await page.unroute(files);
    // While a try is still failing, a contact starts no other one.
    await expect(async () => {
      await page.getByLabel('Email').click();
      await expect(notice).toBeHidden({ timeout: 1_000 });
    }).toPass();
    await expect(offerForm(page).getByLabel('Your Offer')).toHaveValue(OFFER.amount);
    await submitButton(page).click();
    await expect(page.getByText('Offer Submitted!')).toBeVisible();
  });
}

test('a page without any script file shows a card, the press and its notices', async ({
  page,
  context,
  pageErrors,
}) => {
  pageErrors.expect(/Failed to load resource/);
  const { notLoaded, offline } = en.page;
  await page.route('**/*.js', (route) => route.abort('connectionfailed'));
  await page.goto('/sites/lap.app/');
  await page.getByRole('radio', { name: 'host.example' }).check();
  await expect(headline(page)).toHaveText('Own host.example Domain');
  await expect(page.getByRole('alert')).toHaveText(notLoaded);

  const button = page.locator('#offer button');
  await button.click({ force: true });
  await expect(button).toHaveAttribute('aria-busy', 'true');
  await context.setOffline(true);
  await expect(page.getByRole('status')).toHaveText(offline);
  await expect(page.getByText(notLoaded)).toBeHidden();
  await context.setOffline(false);
  await expect(page.getByText(offline)).toBeHidden();
  await expect(page.locator('[data-props]')).toHaveCount(1);
  const german = await (await page.request.get('/de/sites/lap.app/')).text();
  for (const text of [de.page.notLoaded, de.page.offline]) expect(german).toContain(text);
});

test('a script that the server answers with 404 shows a notice, and the next contact retries', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expect(/Failed to load resource/);
  await page.goto('/sites/lap.app/');
  await page.route('**/_astro/OfferForm.*.js*', (route) => route.fulfill({ status: 404 }), { times: 1 });
  const notice = page.getByText('Part of this page could not be loaded.');
  await page.getByLabel('Your Offer').fill(OFFER.amount);
  await expect(notice).toBeVisible();
  await page.getByLabel('Email').click();
  await expect(notice).toBeHidden();
  await expect(page.getByText('Bot check passed.')).toBeVisible();
});

test('a printed page shows the domains, without the form', async ({ page }) => {
  await page.goto('/sites/lap.app/');
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText('Three letters, one syllable').first()).toBeVisible();
  await expect(offerForm(page)).toBeHidden();
  await expect(page.getByRole('link')).toHaveText(['Your Next Domain Awaits']);
});
