/** Sold and reserved domains, and prices that visitors see. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, holdRequests } from '../fixtures.ts';
import { FOR_SALE, MUNICH, RESERVED, SOLD, test } from '../shops/names.ts';

/** Names as visitors read them. */
const SHOWN = FOR_SALE.map((name) => (name === MUNICH ? 'münchen.example' : name));

for (const [name, shown, path, title, text, others, availability] of [
  [
    SOLD,
    SOLD,
    '/',
    'sold.example has been sold',
    'This domain has been sold.',
    'Other domains for sale',
    'SoldOut',
  ],
  [
    SOLD,
    SOLD,
    '/de/',
    'sold.example ist verkauft',
    'Diese Domain ist verkauft.',
    'Weitere Domains, die zu haben sind',
    'SoldOut',
  ],
  [
    RESERVED,
    'bücher.example',
    '/',
    'bücher.example is reserved',
    'This domain is reserved and takes no offers at present.',
    'Other domains for sale',
    'Reserved',
  ],
] as const) {
  test(`${title}: its page shows that, links to other domains and has no form and no script`, async ({
    page,
    shop,
  }) => {
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    const url = `http://${name}:${shop.port}${path}`;
    await page.goto(url);
    await expect(page).toHaveTitle(title);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(shown);
    await expect(page.getByText(text, { exact: true })).toBeVisible();
    expect(await page.locator('meta[name=description]').getAttribute('content')).toMatch(text);
    expect(await page.locator('link[rel=canonical]').getAttribute('href')).toBe(`https://${name}${path}`);
    expect(await page.locator('meta[property="og:image"]').getAttribute('content')).toBe(
      `https://${name}/share/home.png`,
    );

    const scripts = page.locator('script');
    await expect(scripts).toHaveCount(1);
    await expect(scripts).toHaveAttribute('type', 'application/ld+json');
    expect(JSON.parse((await scripts.textContent()) ?? '')).toEqual({
      '@context': 'https://schema.org',
      '@type': 'Product',
      name: shown,
      url: `https://${name}${path}`,
      image: `https://${name}/share/home.png`,
      offers: {
        '@type': 'Offer',
        url: `https://${name}${path}`,
        availability: `https://schema.org/${availability}`,
      },
    });
    await expect(page.locator('form, input, button, aside, [data-island]')).toHaveCount(0);

    const links = page.getByRole('region', { name: others }).getByRole('link');
    await expect(links).toHaveCount(6);
    expect((await links.allInnerTexts()).toSorted()).toEqual(SHOWN.toSorted());
    // The whole card leads there.
    await page.getByText('About priced.example.').click({ force: true });
    await expect(page).toHaveURL(new RegExp(`:${shop.port}${path}sites/priced\\.example/$`));
    await expect(page.getByRole('radio', { checked: true })).toHaveValue('priced.example');
    expect(requested.filter((one) => !one.startsWith('data:'))).toEqual([url, page.url()]);
  });
}

test('sold and reserved domains are on no page of another domain', async ({ page }) => {
  for (const path of ['/', '/de/', ...FOR_SALE.map((name) => `/sites/${name}/`)]) {
    await page.goto(path);
    expect(
      await page.getByRole('radio').evaluateAll((all) => all.map((card) => card.getAttribute('value'))),
    ).toEqual(FOR_SALE);
    expect(await page.content()).not.toMatch(/sold\.example|cher(?:-kva)?\.example/);
  }
});

test('a sold domain has no sitemap, no picture that says it is for sale, and its name in the dashboard', async ({
  request,
}) => {
  const get = (path: string, host: string) => request.get(path, { headers: { host } });
  expect((await get('/sitemap.xml', 'sold.example')).status()).toBe(404);
  expect(await (await get('/robots.txt', 'www.sold.example')).text()).toBe('User-agent: *\nAllow: /\n');
  expect(await (await get('/sitemap.xml', 'priced.example')).text()).toContain('https://priced.example/');
  expect((await get('/share/sold.example.png', 'sold.example')).status()).toBe(404);
  expect((await get('/share/home.png', 'sold.example')).status()).toBe(200);
  expect((await get('/share/priced.example.png', 'priced.example')).status()).toBe(200);
  expect(await (await request.get('/admin/login')).text()).toContain('bücher.example');
});

test('the price is shown on the domain’s own page, an amount by the page’s language, words as the owner’s', async ({
  page,
}) => {
  await page.goto('/sites/priced.example/');
  await expect(page.getByText('Asking price: $15,731', { exact: true })).toBeVisible();
  expect(await offerOf(page)).toMatchObject({ price: '15731', priceCurrency: 'USD' });
  await page.goto('/de/sites/priced.example/');
  const german = page.getByText('Preisvorstellung: 15.731 $', { exact: true });
  await expect(german).toBeVisible();
  const amount = german.getByText('15.731 $');
  await expect(amount).toHaveAttribute('translate', 'no');
  await expect(amount).not.toHaveAttribute('lang');
  await page.goto(`/de/sites/${MUNICH}/`);
  const words = page.getByText('make me <smile>, 7 digits at best', { exact: true });
  await expect(words).toBeVisible();
  await expect(words).toHaveAttribute('lang', 'en');
  await expect(words).not.toHaveAttribute('translate');
  expect(await offerOf(page)).not.toHaveProperty('price');
});

test('the price is that of the selected domain, and nothing shifts', async ({ page }) => {
  await page.goto('/sites/priced.example/');
  const price = page.getByText('Asking price:');
  const lead = page.getByText('Tell us what it is worth to you');
  // In the document: selecting a card scrolls to the form.
  const placeOf = () => lead.evaluate((text) => Math.round(text.getBoundingClientRect().y + scrollY));
  const place = await placeOf();
  await page.getByRole('radio', { name: 'münchen.example' }).check();
  await expect(price).toHaveText('Asking price: make me <smile>, 7 digits at best');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Own münchen.example Domain');
  expect(await placeOf()).toBe(place);
  await page.getByRole('radio', { name: 'priced.example' }).check();
  await expect(price).toHaveText('Asking price: $15,731');
  // The start page has none until a domain is selected.
  await page.goto('/de/');
  const german = page.getByText('Preisvorstellung:');
  await expect(german).toBeHidden();
  await page.getByRole('radio', { name: 'priced.example' }).check();
  await expect(german).toHaveText('Preisvorstellung: 15.731 $');
  // With what says in which language it is, and whether it may be translated.
  const amount = german.locator('b');
  const attributes = () => amount.evaluate((one: HTMLElement) => [one.lang, one.translate]);
  expect(await attributes()).toEqual(['', false]);
  await page.getByRole('radio', { name: 'münchen.example' }).check();
  await expect(amount).toHaveText('make me <smile>, 7 digits at best');
  expect(await attributes()).toEqual(['en', true]);
  await page.getByRole('radio', { name: 'priced.example' }).check();
  expect(await attributes()).toEqual(['', false]);
});

test('the price changes with the press, by no script but the page’s own', async ({ page }) => {
  for (const path of ['/', `/sites/${MUNICH}/`]) {
    const release = await holdRequests(page, '**/_astro/*.js');
    await page.goto(path);
    const card = page.getByRole('radio', { name: 'priced.example' });
    // Read before the event's task ends, and so before the browser can paint.
    const shown = await card.evaluate((radio: HTMLInputElement) => {
      radio.click();
      return document.querySelector<HTMLElement>('.terms')?.innerText;
    });
    expect(shown).toBe('Asking price: $15,731');
    release();
    await expect(page.locator('[data-props]')).toHaveCount(0);
    await expect(page.getByText('Asking price:')).toHaveText('Asking price: $15,731');
    await page.unrouteAll();
  }
});

test('without JavaScript, too, the price is hidden while another domain is selected', async ({
  browser,
  shop,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${shop.origin}/sites/priced.example/`);
  await expect(page.getByText('Asking price:')).toBeVisible();
  await page.getByRole('radio', { name: 'münchen.example' }).check();
  await expect(page.getByText('Asking price:')).toBeHidden();
  await context.close();
});

test('no file of the site has the price of a domain that is sold or reserved', ({ shop }) => {
  const site = join(dirname(shop.catalogue), '../dist/client');
  const files = globSync('**/*.{html,js,json,css,txt,xml}', { cwd: site });
  const holding = (price: RegExp) =>
    files.filter((file) => price.test(readFileSync(join(site, file), 'utf8')));
  expect(holding(/15,731/)).toContain('sites/priced.example/index.html');
  expect(holding(/99,?173|88,?264/)).toEqual([]);
});

async function offerOf(page: Page): Promise<Record<string, string>> {
  const json = await page.locator('script[type="application/ld+json"]').textContent();
  return JSON.parse(json ?? '').offers;
}
