/** The storefront in another language, from the link that leads there to the thanks for an offer. */
import { readAllOffers } from '../support/calls.ts';
import { expect, headline, holdRequests, scrollsHorizontally, test } from './fixtures.ts';

const ORDERS = '**/functions/v1/order-submit';
const EMAIL = 'otto@languages.example.com';

test('language links switch a domain’s page to German, with the owner’s texts marked as English, and back', async ({
  page,
  product,
}) => {
  await page.goto(`http://site.example:${product.port}/`);
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await page.getByRole('link', { name: 'Deutsch' }).click();
  await expect(page).toHaveURL(`http://site.example:${product.port}/de/sites/site.example/`);
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await expect(headline(page)).toHaveText('Sichern Sie sich site.example');
  const descriptions = page.locator('.card span');
  await expect(descriptions).toHaveCount(4);
  for (const description of await descriptions.all()) await expect(description).toHaveAttribute('lang', 'en');
  await page.getByRole('link', { name: 'English' }).click();
  await expect(headline(page)).toHaveText('Own site.example Domain');
  await expect(page.locator('main [lang]')).toHaveCount(0);
});

test('/de/ of each host is the German page with its domain selected', async ({ request }) => {
  for (const [host, selected] of [
    ['site.example', 'site.example'],
    ['WWW.lap.app.localhost', 'lap.app'],
    ['localhost', undefined],
  ] as const) {
    for (const path of ['/de/', '/de']) {
      const html = await (await request.get(path, { headers: { host } })).text();
      const texts = ['h1', 'header'].map((tag) =>
        new RegExp(`<${tag}\\b[^>]*>(.*?)</${tag}>`, 's')
          .exec(html)?.[1]
          ?.replace(/<[^>]*>/g, '')
          .trim(),
      );
      expect(texts, host + path).toEqual([
        `Sichern Sie sich ${selected ?? 'eine Premium-Domain'}`,
        'Ihre nächste Domain wartet',
      ]);
    }
  }
});

test('an offer can be made entirely in German, and a rejected field is named by its German label', async ({
  page,
  product,
  pageErrors,
}) => {
  pageErrors.expect(/status of 400/);
  await page.goto('/de/');
  await expect(page.getByText('Wählen Sie oben eine Domain, um ein Angebot zu machen.')).toBeVisible();
  await page.getByRole('radio', { name: 'lap.app' }).check();
  await expect(headline(page)).toHaveText('Sichern Sie sich lap.app');
  await expect(page.getByRole('link', { name: 'lap.app über den Broker kaufen' })).toBeVisible();
  await page.getByLabel('Ihr Angebot').fill('1.000 €');
  const name = page.getByLabel('Name', { exact: true });
  await name.fill(' ');
  await page.getByLabel('E-Mail').fill(EMAIL);
  await expect(page.getByText('Bot-Prüfung bestanden.')).toBeVisible();
  await page.getByRole('button', { name: 'Angebot senden' }).click();
  await expect(page.getByRole('alert')).toHaveText('Bitte füllen Sie das Feld „Name“ aus.');
  await expect(name).toBeFocused();

  await name.fill('Otto Lilienthal');
  const release = await holdRequests(page, ORDERS);
  const sent = page.waitForRequest(ORDERS);
  await page.getByRole('button', { name: 'Angebot senden' }).click();
  await expect(page.getByRole('button', { name: 'Wird gesendet …' })).toBeDisabled();
  expect((await sent).postDataJSON().locale).toBe('de');
  release();
  await expect(page.getByRole('heading', { name: 'Ihr Angebot ist angekommen!' })).toBeVisible();
  await expect(page.getByText('Wir melden uns innerhalb von 24 Stunden bei Ihnen.')).toBeVisible();
  const offers = await readAllOffers(product);
  expect(offers.filter(({ customer_email }) => customer_email === EMAIL)).toMatchObject([
    { domain_name: 'lap.app', offer_amount: '1.000 €' },
  ]);
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
