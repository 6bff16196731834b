/** The storefront in another language, from the link that leads there to the thanks for an offer. */
import type { Page } from '@playwright/test';
import { readAllOffers } from '../support/calls.ts';
import { expect, headline, holdRequests, scrollsHorizontally, test } from './fixtures.ts';

const ORDERS = '**/functions/v1/order-submit';

test('language links switch a domain’s page to German and back to English', async ({ page, product }) => {
  await page.goto(`http://site.example:${product.port}/`);
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await page.getByRole('link', { name: 'Deutsch' }).click();
  await expect(page).toHaveURL(`http://site.example:${product.port}/de/sites/site.example/`);
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await expect(headline(page)).toHaveText('Sichern Sie sich site.example');
  await page.getByRole('link', { name: 'English' }).click();
  await expect(headline(page)).toHaveText('Own site.example Domain');
});

test('/de/ of each host is the German page with its domain selected', async ({ page, product }) => {
  for (const [host, selected] of [
    ['site.example', 'site.example'],
    ['WWW.lap.app.localhost', 'lap.app'],
    ['localhost', undefined],
  ] as const) {
    for (const path of ['/de/', '/de']) {
      await page.goto(`http://${host}:${product.port}${path}`);
      await expect(headline(page)).toHaveText(`Sichern Sie sich ${selected ?? 'eine Premium-Domain'}`);
      await expect(page.getByRole('banner'), host + path).toHaveText('Ihre nächste Domain wartet');
    }
  }
});

test('the owner’s texts have the lang attribute of their own language', async ({ page, product }) => {
  const descriptions = page.locator('.card span');
  await page.goto(`http://site.example:${product.port}/de/`);
  await expect(descriptions).toHaveCount(4);
  for (const description of await descriptions.all()) await expect(description).toHaveAttribute('lang', 'en');
  await page.goto(`http://site.example:${product.port}/`);
  await expect(page.locator('main [lang]')).toHaveCount(0);
});

test('an offer can be made entirely in German', async ({ page, product }) => {
  await page.goto('/de/');
  await expect(page.getByText('Wählen Sie oben eine Domain, um ein Angebot zu machen.')).toBeVisible();
  await page.getByRole('radio', { name: 'lap.app' }).check();
  await expect(headline(page)).toHaveText('Sichern Sie sich lap.app');
  await expect(page.getByRole('link', { name: 'lap.app über den Broker kaufen' })).toBeVisible();
  const release = await holdRequests(page, ORDERS);
  await fillInGerman(page, 'otto');
  await expect(page.getByText('Bot-Prüfung bestanden.')).toBeVisible();
  await page.getByRole('button', { name: 'Angebot senden' }).click();
  await expect(page.getByRole('button', { name: 'Wird gesendet …' })).toBeDisabled();
  release();
  await expect(page.getByRole('heading', { name: 'Ihr Angebot ist angekommen!' })).toBeVisible();
  await expect(page.getByText('Wir melden uns innerhalb von 24 Stunden bei Ihnen.')).toBeVisible();
  const offers = await readAllOffers(product);
  expect(offers.filter(({ customer_email }) => customer_email === emailOf('otto'))).toMatchObject([
    { domain_name: 'lap.app', offer_amount: '1.000 €' },
  ]);
});

test('a rejected field is named by its German label and gets the focus', async ({ page, pageErrors }) => {
  pageErrors.expect(/status of 400/);
  await page.goto('/de/sites/lap.app/');
  await fillInGerman(page, 'nameless');
  const name = page.getByLabel('Name', { exact: true });
  await name.fill(' ');
  await page.getByRole('button', { name: 'Angebot senden' }).click();
  await expect(page.getByRole('alert')).toHaveText('Bitte füllen Sie das Feld „Name“ aus.');
  await expect(name).toBeFocused();
});

test('a page sends its language with an offer unless it is the first of the site', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expect(/status of 429/);
  const locales: unknown[] = [];
  await page.route(ORDERS, (route) => {
    locales.push(route.request().postDataJSON().locale);
    return route.fulfill({ status: 429, json: {} });
  });
  await page.goto('/de/sites/lap.app/');
  await fillInGerman(page, 'locale');
  await page.getByRole('button', { name: 'Angebot senden' }).click();
  await expect(page.getByRole('alert')).toHaveText('Unbekannter Fehler');
  await page.goto('/sites/lap.app/');
  await page.getByLabel('Your Offer').fill('$1');
  // The form restores the draft of the page before once it is hydrated, also while a field is filled.
  await expect(page.getByLabel('Email')).toHaveValue('locale@languages.example.com');
  await page.getByLabel('Name', { exact: true }).fill('Ada');
  await page.getByLabel('Email').fill('ada@languages.example.com');
  await page.getByRole('button', { name: 'Submit Offer' }).click();
  await expect(page.getByRole('alert')).toHaveText('Unknown error');
  expect(locales).toEqual(['de', undefined]);
});

test('an unknown path below /de/ shows the German 404 page with a link back', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expect(/status of 404/);
  expect((await page.goto('/de/sites/nothing.example/'))?.status()).toBe(404);
  await expect(headline(page)).toHaveText('Unter dieser Adresse gibt es nichts');
  await expect(
    page.getByText('Sie sind auf einer Seite, auf der ein Inhaber seine Domains verkauft.'),
  ).toBeVisible();
  await page.getByRole('link', { name: 'lap.app' }).click();
  await expect(headline(page)).toHaveText('Sichern Sie sich lap.app');
  await page.getByRole('banner').getByRole('link').click();
  await expect(page).toHaveURL(/\/de\/$/);
  await expect(headline(page)).toHaveText('Sichern Sie sich eine Premium-Domain');
});

test('the language link is large enough on a narrow screen', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 740 });
  for (const path of ['/', '/de/sites/site.example/']) {
    await page.goto(path);
    const link = await page.getByRole('navigation').getByRole('link').boundingBox();
    expect(link?.height).toBeGreaterThanOrEqual(24);
    expect(link?.width).toBeGreaterThanOrEqual(24);
    const bar = await page.getByRole('banner').boundingBox();
    expect(link?.y, 'beside the header').toBeLessThan((bar?.y ?? 0) + (bar?.height ?? 0));
    expect(await scrollsHorizontally(page), path).toBe(false);
  }
});

function emailOf(who: string): string {
  return `${who}@languages.example.com`;
}

async function fillInGerman(page: Page, who: string): Promise<void> {
  await page.getByLabel('Ihr Angebot').fill('1.000 €');
  await page.getByLabel('Name', { exact: true }).fill('Otto Lilienthal');
  await page.getByLabel('E-Mail').fill(emailOf(who));
}
