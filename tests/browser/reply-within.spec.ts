/** Another promise than 24 hours: the catalogue's `replyWithin` on pages, in both languages, and in the dashboard. */
import { makeOffer } from '../support/calls.ts';
import { expect, fillOfferForm, rowOf, signIn, submitButton } from './fixtures.ts';
import { testWithShop } from './test-with-shop.ts';

const domain = { price: '$1', description: 'A name.' };
const test = testWithShop({
  settings: {
    brokerUrl: 'https://broker.example/{domain}',
    languages: ['en', 'de'],
    escrow: { text: 'How escrow works', url: 'https://escrow.example/how' },
    replyWithin: '3 days',
  },
  domains: [{ ...domain, name: 'lap.app', hasBroker: false }],
});

test('pages and dashboard name the time of the catalogue, and no other', async ({ page, shop }) => {
  for (const [path, times] of [
    ['/', /hear from a person within 3 days\./],
    ['/sites/lap.app/', /Our broker will contact you within 3 days to discuss your offer\./],
    ['/sites/lap.app/', /Answer within 3 days/],
    ['/de/', /Ein Mensch antwortet Ihnen innerhalb von 3 Tagen\./],
    ['/de/sites/lap.app/', /Unser Broker meldet sich innerhalb von 3 Tagen bei Ihnen/],
    ['/de/sites/lap.app/', /Antwort innerhalb von 3 Tagen/],
  ] as const) {
    await page.goto(path);
    await expect(page.locator('body')).toContainText(times);
    await expect(page.locator('body')).not.toContainText(/24 (hours|Stunden)|replyTime/);
  }
  await page.goto('/sites/lap.app/');
  await fillOfferForm(page, { amount: '$1', name: 'Ada', email: 'ada@example.com' });
  await submitButton(page).click();
  await expect(page.getByText("We'll get back to you within 3 days.")).toBeVisible();
  await expect(page.getByText(/^By [A-Z][a-z]+day, [A-Z][a-z]+ \d+, /)).toBeVisible();

  await makeOffer(shop, { customer_name: 'Grace' });
  await signIn(page);
  await expect(rowOf(page, 'Grace').getByRole('cell').nth(5)).toHaveText('pending2 d left');
});
