/** The product without a mouse: where Tab and the arrow keys lead, and where the focus goes when something happened. */
import type { Page } from '@playwright/test';
import { eraseAllOffers, makeOffer, seedOffers } from '../support/calls.ts';
import { ADMIN } from '../support/product.ts';
import { expect, fillOfferForm, signIn, submitButton, test } from './fixtures.ts';

const ORDERS = '**/functions/v1/order-submit';
const OFFERS = '**/rest/v1/offers?*';

const OFFER = { amount: '$12,000', name: 'Ada Lovelace', email: 'ada@keyboard.example.com' };

test.describe('keyboard', () => {
  test('Tab reaches the languages, then the cards as one stop where arrow keys select', async ({ page }) => {
    await page.goto('/');
    const offer = page.getByLabel('Your Offer');
    // While none is chosen, the browser decides which one.
    const oneOfTheCards = page.locator('input[type=radio]:focus');
    await offer.focus();
    // All of the page is awake then: a key pressed in the moment that it wakes up is not what this is about.
    // The text is repeated below the button when the bot check has passed.
    await expect(page.getByText('Select a domain above to make an offer.')).toHaveCount(2);
    for (const [key, stop] of [
      ['Shift+Tab', oneOfTheCards],
      ['Shift+Tab', page.getByRole('link', { name: 'Deutsch' })],
      ['Tab', oneOfTheCards],
      ['Tab', offer],
    ] as const) {
      await page.keyboard.press(key);
      await expect(stop).toBeFocused();
    }
    await expect(page.getByRole('radio', { checked: true })).toHaveCount(0);

    await page.getByRole('radio', { name: 'sample.app' }).focus();
    for (const [key, name] of [
      ['ArrowDown', 'lap.app'],
      ['ArrowRight', 'site.example'],
      ['ArrowUp', 'lap.app'],
      ['ArrowLeft', 'sample.app'],
    ] as const) {
      await page.keyboard.press(key);
      await expect(page.getByRole('radio', { name, checked: true })).toBeFocused();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Own ${name} Domain`);
      await expect(page.getByRole('form').getByText(name)).toBeVisible();
      await expect(page.getByRole('link', { name: `Use Broker for ${name}` })).toBeVisible();
    }
    await page.keyboard.press('Tab');
    await expect(offer).toBeFocused();
    await page.keyboard.press('Shift+Tab');
    await expect(page.getByRole('radio', { name: 'sample.app' })).toBeFocused();
  });

  test('a rejected field gets the focus and its error; a submitted offer gets the focus', async ({
    page,
    pageErrors,
  }) => {
    pageErrors.expect(/status of 400/);
    await page.goto('/sites/lap.app/');
    await fillOfferForm(page, {
      amount: '9'.repeat(501),
      name: 'N'.repeat(201),
      email: `ada@${'accessibility.'.repeat(18)}example.com`,
    });
    for (const [label, mended] of [
      ['Your Offer', OFFER.amount],
      ['Name', OFFER.name],
      ['Email', OFFER.email],
    ] as const) {
      await send(page);
      const field = page.getByLabel(label, { exact: true });
      await expect(field).toBeFocused();
      await expect(page.getByRole('alert')).toHaveText(/^Please shorten your .* characters\.$/);
      await expect(field).toHaveAccessibleDescription(new RegExp(await page.getByRole('alert').innerText()));
      await expect(page.locator('[aria-invalid]')).toHaveCount(1);
      await expect(field).toHaveAttribute('aria-invalid', 'true');
      await field.fill(mended);
    }
    await send(page);
    await expect(page.getByRole('status')).toBeFocused();
    await expect(page.getByRole('status')).toContainText('Offer Submitted!');
  });

  test('an error about no field follows the submit button in the Tab order', async ({ page, pageErrors }) => {
    pageErrors.expect(/status of 429/);
    await page.route(ORDERS, (route) => route.fulfill({ status: 429, json: { error: 'Not today.' } }));
    await page.goto('/sites/lap.app/');
    await fillOfferForm(page, OFFER);
    await send(page);
    await expect(page.getByRole('alert')).toBeFocused();
    await expect(page.locator('[aria-invalid]')).toHaveCount(0);
    await expect(submitButton(page)).toBeEnabled();
    await page.keyboard.press('Shift+Tab');
    await expect(submitButton(page)).toBeFocused();
  });

  test('a failed sign-in describes both fields', async ({ page, pageErrors }) => {
    pageErrors.expect(/status of 401/);
    await page.goto('/admin/login');
    const [email, password] = [page.getByLabel('Email'), page.getByLabel('Password', { exact: true })];
    await email.fill(ADMIN.email);
    await password.fill('not the password');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert')).toHaveText('Invalid email or password.');
    await expect(password).toBeFocused();
    for (const field of [email, password]) {
      await expect(field).toHaveAccessibleDescription('Invalid email or password.');
    }
  });

  test('a long offer can be read in full and leaves room for the others', async ({ page, product }) => {
    await eraseAllOffers(product);
    const words = 'what it is worth to me '.repeat(20).trim();
    await makeOffer(product, { offer_amount: words });
    await signIn(page);
    const offer = page.getByRole('group', { name: 'Offer' });
    await expect(offer).toHaveText(words);
    const row = await page.getByRole('row').nth(1).boundingBox();
    expect(row?.height).toBeLessThanOrEqual(160);
    await page.getByRole('button', { name: /^overdue/ }).focus();
    await page.keyboard.press('Tab');
    await expect(offer).toBeFocused();
    await page.keyboard.press('End');
    await expect
      .poll(() => offer.evaluate((box) => box.scrollHeight - box.clientHeight - box.scrollTop))
      .toBeLessThan(2);
  });

  test('column titles and messages never cover the focused element of the dashboard', async ({
    page,
    product,
    pageErrors,
  }) => {
    pageErrors.expect(/ERR_FAILED/, /Failed to fetch offers/);
    await seedOffers(product, 20);
    await page.setViewportSize({ width: 1280, height: 480 });
    await signIn(page);
    await expect(page.getByRole('table').getByRole('combobox')).not.toHaveCount(0);
    await page.route(OFFERS, (route) => route.abort());
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(page.getByRole('alert')).toBeVisible();
    await page.getByRole('table').getByRole('combobox').last().focus();
    for (let stop = 0; stop < 30; stop += 1) {
      await page.keyboard.press('Shift+Tab');
      await expect.poll(() => page.evaluate(focusIsSeen), `stop ${stop}`).toBe(true);
    }
  });
});

/** Presses the button as the keyboard does, once it can be pressed. */
async function send(page: Page): Promise<void> {
  await expect(submitButton(page)).toBeEnabled();
  await submitButton(page).press('Enter');
}

/** Runs in the page. */
function focusIsSeen(): boolean {
  const focused = document.activeElement;
  if (!focused || focused === document.body) return false;
  const { x, y, width, height } = focused.getBoundingClientRect();
  return [y + 1, y + height - 1].every((line) => {
    const seen = document.elementFromPoint(x + width / 2, line);
    return seen !== null && (focused.contains(seen) || seen.contains(focused));
  });
}
