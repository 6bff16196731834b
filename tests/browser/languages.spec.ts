/** The storefront in another language, from the link that leads there to the thanks for an offer. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { readAllOffers } from '../support/calls.ts';
import { copyOfProject } from '../support/product.ts';
import { expect, hold, scrollsSideways, test } from './fixtures.ts';

const ORDERS = '**/functions/v1/order-submit';

test('A domain’s page is found in German by its link, and in English again', async ({ page, product }) => {
  await page.goto(`http://site.example:${product.port}/`);
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await page.getByRole('link', { name: 'Deutsch' }).click();
  await expect(page).toHaveURL(`http://site.example:${product.port}/de/sites/site.example/`);
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await expect(headline(page)).toHaveText('Sichern Sie sich site.example');
  await page.getByRole('link', { name: 'English' }).click();
  await expect(headline(page)).toHaveText('Own site.example Domain');
});

for (const [host, selected] of [
  ['site.example', 'site.example'],
  ['WWW.lap.app.localhost', 'lap.app'],
  ['localhost', undefined],
] as const) {
  test(`On ${host}, /de/ is the German page of ${selected ?? 'nothing selected'}`, async ({
    page,
    product,
  }) => {
    for (const path of ['/de/', '/de']) {
      await page.goto(`http://${host}:${product.port}${path}`);
      await expect(headline(page)).toHaveText(`Sichern Sie sich ${selected ?? 'eine Premium-Domain'}`);
      await expect(page.getByRole('banner')).toHaveText('Ihre nächste Domain wartet');
    }
  });
}

test('The owner’s texts have the lang attribute of their own language', async ({ page, product }) => {
  const descriptions = page.locator('.card span');
  await page.goto(`http://site.example:${product.port}/de/`);
  await expect(descriptions).toHaveCount(4);
  for (const description of await descriptions.all()) await expect(description).toHaveAttribute('lang', 'en');
  await page.goto(`http://site.example:${product.port}/`);
  await expect(page.locator('main [lang]')).toHaveCount(0);
});

test('An offer is made in German, from the first word to the last', async ({ page, product }) => {
  await page.goto('/de/');
  await expect(page.getByText('Wählen Sie oben eine Domain, um ein Angebot zu machen.')).toBeVisible();
  await page.getByRole('radio', { name: 'lap.app' }).check();
  await expect(headline(page)).toHaveText('Sichern Sie sich lap.app');
  await expect(page.getByRole('link', { name: 'lap.app über den Broker kaufen' })).toBeVisible();
  const release = await hold(page, ORDERS);
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

for (const [story, answer, sentence] of [
  [
    'in German, whatever the function’s own sentence',
    {
      error: 'Too many offers at once. Please try again in 4 minutes.',
      code: 'too_many_offers',
      minutes: 4,
    },
    'Zu viele Angebote auf einmal. Bitte versuchen Sie es in 4 Min. noch einmal.',
  ],
  [
    'with the function’s sentence where its code is of a later version',
    { error: 'The moon is full.', code: 'full_moon' },
    'The moon is full.',
  ],
  [
    'with the function’s sentence where its code is a word of JavaScript',
    { error: 'Not today.', code: 'constructor' },
    'Not today.',
  ],
  ['without a sentence as an unknown error', {}, 'Unbekannter Fehler'],
] as const) {
  test(`A refusal is told ${story}`, async ({ page, complaints }) => {
    complaints.expect(/status of 429/);
    await page.route(ORDERS, (route) => route.fulfill({ status: 429, json: answer }));
    await page.goto('/de/sites/lap.app/');
    await fillInGerman(page, 'rejected');
    await page.getByRole('button', { name: 'Angebot senden' }).click();
    await expect(page.getByRole('alert')).toHaveText(sentence);
  });
}

test('A refusal of one field calls it by its German label, and leads there', async ({ page, complaints }) => {
  complaints.expect(/status of 400/);
  await page.goto('/de/sites/lap.app/');
  await fillInGerman(page, 'nameless');
  const name = page.getByLabel('Name', { exact: true });
  await name.fill(' ');
  await page.getByRole('button', { name: 'Angebot senden' }).click();
  await expect(page.getByRole('alert')).toHaveText('Bitte füllen Sie das Feld „Name“ aus.');
  await expect(name).toBeFocused();
});

test('An English page shows the function’s sentence to the letter', async ({ page, complaints }) => {
  complaints.expect(/status of 429/);
  const error = 'Too many offers at once. Please try again in 4 minutes.';
  await page.route(ORDERS, (route) =>
    route.fulfill({ status: 429, json: { error, code: 'too_many_offers' } }),
  );
  await page.goto('/sites/lap.app/');
  await page.getByLabel('Your Offer').fill('$1');
  await page.getByLabel('Name', { exact: true }).fill('Ada');
  await page.getByLabel('Email').fill('ada@languages.example.com');
  await page.getByRole('button', { name: 'Submit Offer' }).click();
  await expect(page.getByRole('alert')).toHaveText(error);
});

test('What is not there below /de/ is told in German, with a way back', async ({ page, complaints }) => {
  complaints.expect(/status of 404/);
  expect((await page.goto('/de/sites/nothing.example/'))?.status()).toBe(404);
  await expect(headline(page)).toHaveText('Unter dieser Adresse gibt es nichts');
  await page.getByRole('link', { name: 'Zu den Domains, die zu haben sind' }).click();
  await expect(headline(page)).toHaveText('Sichern Sie sich eine Premium-Domain');
});

for (const path of ['/', '/de/sites/site.example/']) {
  test(`The link to the other language is easy to hit on a narrow screen: ${path}`, async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 740 });
    await page.goto(path);
    const link = await page.getByRole('navigation').getByRole('link').boundingBox();
    expect(link?.height).toBeGreaterThanOrEqual(24);
    expect(link?.width).toBeGreaterThanOrEqual(24);
    const bar = await page.getByRole('banner').boundingBox();
    expect(link?.y, 'beside the header').toBeLessThan((bar?.y ?? 0) + (bar?.height ?? 0));
    expect(await scrollsSideways(page)).toBe(false);
  });
}

test.describe('A build', () => {
  for (const [mistake, file, change, sentence] of [
    [
      'of a language that lacks a text',
      'src/i18n/de.ts',
      (text: string) => text.replace(/ {4}submit: .*\n/, ''),
      'src/i18n/de.ts has no text form.submit: write it.',
    ],
    [
      'of a language that lacks a rejection',
      'src/i18n/de.ts',
      (text: string) => text.replace(/ {4}internal: .*\n/, ''),
      'src/i18n/de.ts has no text rejections.internal: write it.',
    ],
    [
      'in a language without texts',
      'src/content/catalogue.yaml',
      (text: string) => text.replace('[en, de]', '[en, xx]'),
      'section settings, field languages number 2 "xx" is not a language there are texts in: write one of de, en',
    ],
  ] as const) {
    test(`${mistake} is stopped by a sentence`, () => {
      const project = copyOfProject();
      try {
        const edited = join(project.folder, file);
        const before = readFileSync(edited, 'utf8');
        writeFileSync(edited, change(before));
        expect(readFileSync(edited, 'utf8')).not.toBe(before);
        const { status, stderr } = spawnSync('npm', ['run', '--silent', 'build'], {
          cwd: project.folder,
          encoding: 'utf8',
          env: { PATH: process.env.PATH, HOME: process.env.HOME },
        });
        expect(stderr).toContain(sentence);
        expect(stderr).not.toMatch(/^\s+at /m);
        expect(status).toBe(1);
      } finally {
        project.remove();
      }
    });
  }
});

function headline(page: Page) {
  return page.getByRole('heading', { level: 1 });
}

function emailOf(who: string): string {
  return `${who}@languages.example.com`;
}

async function fillInGerman(page: Page, who: string): Promise<void> {
  await page.getByLabel('Ihr Angebot').fill('1.000 €');
  await page.getByLabel('Name', { exact: true }).fill('Otto Lilienthal');
  await page.getByLabel('E-Mail').fill(emailOf(who));
}
