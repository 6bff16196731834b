/** Accessibility of every page in every state. */
import type { Locator } from '@playwright/test';
import { eraseAllOffers, makeOffer, seedOffers } from '../../support/calls.ts';
import { HTML_OF_MAILS } from '../../support/html-of-mails.ts';
import { ADMIN } from '../../support/product.ts';
import { accessibilityChecker, type CheckAccessibility } from '../accessibility/accessibility-checker.ts';
import { axeFindings } from '../accessibility/axe.ts';
import { findOverflow } from '../accessibility/find-overflow.ts';
import { test as base, expect, fillOfferForm, holdRequests, signIn, submitButton } from '../fixtures.ts';

const CHALLENGES = '**/functions/v1/bot-check?*';
const ORDERS = '**/functions/v1/order-submit';
const OFFERS = '**/rest/v1/offers?*';

const OFFER = { amount: '$12,000', name: 'Ada Lovelace', email: 'ada@accessibility.example.com' };

interface AccessibilityFixture {
  checkAccessibility: CheckAccessibility;
}

const test = base.extend<AccessibilityFixture>({
  checkAccessibility: async ({ page }, use) => use(await accessibilityChecker(page)),
});

test.describe('accessibility', () => {
  test('the page of a domain is accessible in every state of an offer', async ({
    page,
    checkAccessibility,
    pageErrors,
  }) => {
    pageErrors.expect(/status of 4\d\d/);
    await page.goto('/');
    await checkAccessibility('nothing selected');
    await page.goto('/sites/lap.app/');
    await checkAccessibility('a domain selected');
    const botCheck = await holdRequests(page, CHALLENGES);
    await fillOfferForm(page, OFFER);
    await expect(page.getByText('Checking that you are not a bot…')).toBeVisible();
    await checkAccessibility('bot check working');
    botCheck();
    await expect(submitButton(page)).toBeEnabled();
    await checkAccessibility('ready to be sent');
    await page.route(ORDERS, (route) => route.fulfill({ status: 429, json: { error: 'Not today.' } }));
    await submitButton(page).click();
    await expect(page.getByRole('alert')).toHaveText('Not today.');
    await checkAccessibility('rejected');
    await page.unroute(ORDERS);
    await page.getByLabel('Your Offer').fill('9'.repeat(501));
    await submitButton(page).click();
    await expect(page.getByRole('alert')).toHaveText(/^Please shorten/);
    await checkAccessibility('rejected for one field');
    await page.getByLabel('Your Offer').fill('9');
    const response = await holdRequests(page, ORDERS);
    await submitButton(page).click();
    await expect(submitButton(page)).toHaveText('Submitting...');
    await checkAccessibility('submitting');
    response();
    await expect(page.getByRole('heading', { name: 'Offer Submitted!' })).toBeVisible();
    await checkAccessibility('submitted');
  });

  test('the page of a domain is accessible when the bot check fails to load', async ({
    page,
    checkAccessibility,
    pageErrors,
  }) => {
    pageErrors.expect(/ERR_FAILED/);
    await page.route(CHALLENGES, (route) => route.abort());
    await page.goto('/sites/host.example/');
    await page.getByLabel('Your Offer').fill('$1');
    await expect(page.getByRole('alert')).toHaveText('CAPTCHA failed to load. Please refresh.');
    await checkAccessibility('bot check failed');
  });

  test('the German pages and both 404 pages are accessible', async ({
    page,
    checkAccessibility,
    pageErrors,
  }) => {
    pageErrors.expect(/status of 404/, /status of 500/);
    await page.goto('/de/');
    await checkAccessibility('nothing selected');
    await page.goto('/de/sites/site.example/');
    await page.getByLabel('Ihr Angebot').fill('1 €');
    await page.getByLabel('Name', { exact: true }).fill('Otto');
    await page.getByLabel('E-Mail').fill(OFFER.email);
    await page.route(ORDERS, (route) =>
      route.fulfill({ status: 500, json: { error: 'Sorry.', code: 'internal' } }),
    );
    await page.getByRole('button', { name: 'Angebot senden' }).click();
    await expect(page.getByRole('alert')).toBeVisible();
    await checkAccessibility('rejected');
    for (const path of ['/de/nothing/here', '/no/such/page']) {
      await page.goto(path);
      await checkAccessibility(`not found: ${path}`);
    }
  });

  test('the login page is accessible in every state', async ({ page, checkAccessibility, pageErrors }) => {
    pageErrors.expect(/status of 401/);
    const script = await holdRequests(page, '**/_astro/*.js');
    await page.goto('/admin/login', { waitUntil: 'commit' });
    await expect(page.getByRole('status')).toHaveText('Loading...');
    // The loading page has no heading.
    await checkAccessibility('loading', ['page-has-heading-one']);
    script();
    await expect(page.getByRole('heading', { name: 'Admin Access' })).toBeVisible();
    await checkAccessibility('login');
    const response = await holdRequests(page, '**/functions/v1/admin-auth');
    await page.getByLabel('Email').fill(ADMIN.email);
    await page.getByLabel('Password', { exact: true }).fill('not the password');
    await page.getByRole('button', { name: 'Sign In' }).click();
    await expect(page.getByRole('button', { name: 'Signing in...' })).toBeVisible();
    await checkAccessibility('signing in');
    response();
    await expect(page.getByRole('alert')).toBeVisible();
    await checkAccessibility('rejected');
  });

  test('the dashboard is accessible in every state', async ({
    page,
    checkAccessibility,
    product,
    pageErrors,
  }) => {
    pageErrors.expect(/status of 500/, /Failed to fetch offers/, /Failed to update offer status/);
    await eraseAllOffers(product);
    await page.route(OFFERS, (route) => route.fulfill({ status: 500, json: {} }));
    await signIn(page);
    await expect(page.getByRole('alert')).toBeVisible();
    await checkAccessibility('not loaded');
    await page.unroute(OFFERS);
    const empty = await holdRequests(page, OFFERS);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(page.getByText('Loading offers...')).toBeVisible();
    await checkAccessibility('loading');
    empty();
    await expect(page.getByText('No offers yet')).toBeVisible();
    await checkAccessibility('no offers');
    await page.unroute(OFFERS);

    await seedOffers(product, 4);
    await makeOffer(product, { offer_amount: 'W'.repeat(500), customer_name: 'M'.repeat(200) });
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(page.getByRole('row')).toHaveCount(6);
    await checkAccessibility('offers in every status');

    const saving = Promise.withResolvers<void>();
    await page.route(OFFERS, async (route) => {
      if (route.request().method() !== 'PATCH') return route.continue();
      await saving.promise;
      await route.fulfill({ status: 500, json: {} });
    });
    await page.getByRole('table').getByRole('combobox').first().selectOption('accepted');
    await checkAccessibility('saving a status');
    saving.resolve();
    await expect(page.getByRole('alert')).toHaveText('Failed to update offer status');
    await checkAccessibility('status not saved');
  });
});

test('mails are accessible in both colour schemes, and fit on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 800 });
  for (const [name, html] of Object.entries(HTML_OF_MAILS)) {
    await page.setContent(html);
    expect.soft(await axeFindings(page), `${name}: what axe finds`).toEqual([]);
    expect.soft(await findOverflow(page), `${name}: does not fit`).toEqual([]);
  }
});

test('forced colours still show the selected card, an invalid field and a submitted offer', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expect(/status of 400/);
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
  await page.goto('/sites/lap.app/');
  const border = (element: Locator) => element.evaluate((box) => getComputedStyle(box).border);
  const colour = (element: Locator) => element.evaluate((box) => getComputedStyle(box).color);
  const cards = page.locator('.card');
  expect(await border(cards.nth(1)), 'the chosen card').not.toBe(await border(cards.nth(0)));
  const disabled = await colour(submitButton(page));
  // A field has a border, which does not cross its label.
  const label = await page.getByText('Name', { exact: true }).boundingBox();
  const field = await page.getByLabel('Name', { exact: true }).boundingBox();
  expect(field?.y).toBeGreaterThanOrEqual((label?.y ?? 0) + (label?.height ?? 0));

  await fillOfferForm(page, { ...OFFER, amount: '9'.repeat(501) });
  await expect(submitButton(page)).toBeEnabled();
  expect(await colour(submitButton(page)), 'the button').not.toBe(disabled);
  await submitButton(page).click();
  const [rejected, other] = [page.getByLabel('Your Offer'), page.getByLabel('Email', { exact: true })];
  await expect(rejected).toBeFocused();
  await other.focus();
  expect(await border(rejected), 'the rejected field').not.toBe(await border(page.getByLabel('Name')));
  expect(await border(page.getByRole('alert')), 'a message').not.toBe(await border(page.getByLabel('Name')));

  await rejected.fill(OFFER.amount);
  await submitButton(page).click();
  await expect(page.getByRole('status')).toBeFocused();
  const dot = (step: Locator) => step.evaluate((one) => getComputedStyle(one, '::before').backgroundColor);
  const [arrived, , later] = await page.getByRole('status').getByRole('listitem').all();
  expect(await dot(arrived as Locator), 'a step that is done').not.toBe(await dot(later as Locator));
});
