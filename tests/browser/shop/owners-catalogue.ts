/** What the site's owner writes into the catalogue, and what visitors then see. */
import { callFunction, readAllOffers } from '../../support/calls.ts';
import { columnsOfCards, expect, fillOfferForm, submitButton } from '../fixtures.ts';
import { brokerOf, MUNICH, test } from '../shops/names.ts';

test('the owner’s longer text is shown below the form, without scripts', async ({ page }) => {
  await page.goto('/sites/priced.example/');
  const about = page.getByRole('region', { name: 'About priced.example' });
  await expect(about.getByRole('heading', { name: 'History', level: 3 })).toBeVisible();
  await expect(about.getByRole('link', { name: 'never used' })).toHaveAttribute(
    'href',
    'https://archive.example',
  );
  await expect(about).toContainText('Since 2009, never used. <script>alert(1)</script>');
  await page.goto('/de/sites/priced.example/');
  await expect(page.getByRole('heading', { name: 'Über priced.example' })).toBeVisible();
  await page.goto('/sites/io.example/');
  await expect(page.getByRole('heading', { name: 'About' })).toHaveCount(0);
  expect(await page.content()).not.toContain('never used');
});

test('the owner’s contact email is in the footer of every page', async ({ page, pageErrors }) => {
  pageErrors.expect(/404 \(Not Found\)/);
  for (const path of ['/', '/sites/priced.example/', '/de/sites/priced.example/', '/nothing-here']) {
    await page.goto(path);
    const link = page.getByRole('contentinfo').getByRole('link', { name: 'owner@example.com' });
    await expect(link).toHaveAttribute('href', 'mailto:owner@example.com');
  }
});

test('six domains are shown in three columns, on a phone in one, and a single one in the first of three', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/');
  await expect(page.getByRole('radio')).toHaveCount(6);
  expect(await columnsOfCards(page)).toBe(3);
  await page.setViewportSize({ width: 360, height: 800 });
  expect(await columnsOfCards(page)).toBe(1);

  // A single card has the same classes as six (DomainCards.astro).
  await page.setViewportSize({ width: 1280, height: 800 });
  for (let left = 5; left > 0; left -= 1)
    await page
      .locator('.card')
      .last()
      .evaluate((one) => one.remove());
  await expect(page.getByRole('radio')).toHaveCount(1);
  const widths = await page
    .getByRole('group')
    .evaluate((cards) => [cards.clientWidth, cards.querySelector('.card')?.clientWidth ?? 0]);
  expect(Math.floor((widths[0] ?? 0) / (widths[1] ?? 1))).toBe(3);
});

test('a description is shown on its card', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByText('About priced.example.')).toBeVisible();
});

test('a domain of the catalogue has its own page and accepts offers', async ({ page, shop }) => {
  await page.goto(`http://priced.example:${shop.port}/`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Own priced.example Domain');
  await expect(page.getByRole('radio', { checked: true })).toHaveValue('priced.example');
  await fillOfferForm(page, { amount: '5 €', name: 'Grace', email: 'grace@example.com' });
  await submitButton(page).click();
  await expect(page.getByRole('heading', { name: 'Offer Submitted!' })).toBeVisible();
});

test('an internationalised name is shown decoded, and its offer carries the punycode name', async ({
  page,
  shop,
}) => {
  const headline = page.getByRole('heading', { level: 1 });
  const form = page.getByRole('form');
  const broker = page.getByRole('link', { name: 'Use Broker for münchen.example' });
  await page.goto(`http://${MUNICH}:${shop.port}/`);
  await expect(headline).toHaveText('Own münchen.example Domain');
  await expect(page).toHaveTitle('münchen.example is for sale: make an offer');
  expect(await page.locator('body').innerText()).not.toContain('xn--');
  await page.getByRole('radio', { name: 'priced.example' }).check();
  await expect(headline).toHaveText('Own priced.example Domain');
  await page.getByRole('radio', { name: 'münchen.example' }).check();
  await expect(page.getByRole('radio', { checked: true })).toHaveValue(MUNICH);
  await expect(headline).toHaveText('Own münchen.example Domain');
  await expect(form).toContainText('for münchen.example');
  await expect(broker).toHaveAttribute('href', brokerOf(MUNICH));
  await fillOfferForm(page, { amount: '5 €', name: 'Karl', email: 'karl@example.com' });
  await submitButton(page).click();
  await expect(page.getByRole('status').filter({ hasText: 'Offer Submitted!' })).toContainText(
    'münchen.example',
  );
  expect(await page.locator('body').innerText()).not.toContain('xn--');
  const offers = await readAllOffers(shop);
  expect(offers.find(({ customer_email }) => customer_email === 'karl@example.com')?.domain_name).toBe(
    MUNICH,
  );
});

test('a domain of the sample that the catalogue lacks has no page and accepts no offers', async ({
  page,
  shop,
  pageErrors,
}) => {
  pageErrors.expect(/status of 404/);
  await page.goto(`http://host.example:${shop.port}/`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Own a Premium Domain');
  await expect(page.getByText('host.example')).toHaveCount(0);
  expect((await page.goto('/sites/host.example/'))?.status()).toBe(404);
  const rejected = await callFunction(shop, 'order-submit', {
    domain_name: 'host.example',
    offer_amount: '$1',
    customer_name: 'Ada',
    customer_email: 'ada@example.com',
    turnstile_token: 'of another time',
  });
  expect([rejected.status, await rejected.text()]).toEqual([
    422,
    expect.stringContaining('not for sale here'),
  ]);
  expect((await callFunction(shop, 'bot-check?domain=host.example')).status).toBe(422);
  expect((await callFunction(shop, 'bot-check?domain=priced.example')).status).toBe(200);
});
