/** How the pages are found: what search engines and shared links make of each, on its own host. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { iconOf } from '../../src/seo/icon-of.ts';
import { makeOffer } from '../support/calls.ts';
import { copyOfProject, type Product, startProduct } from '../support/product.ts';
import { test as base, expect, signIn } from './fixtures.ts';

/** Is read as münchen.example. */
const MUNICH = 'xn--mnchen-3ya.example';
const HOSTILE = 'A name & a "half" </script><script>document.title="hacked"</script> <!-- <b>more</b>.';

const test = base.extend<object, { large: Product }>({
  /** Thirty domains, a host of the site's own, and prices that visitors see. */
  large: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names out of it
    async ({}, use) => {
      const project = copyOfProject();
      const entries = Array.from({ length: 30 }, (_, n) => ({
        name: n === 29 ? MUNICH : `name${n}.example`,
        price: n === 1 ? 'make me smile' : `$${n + 1},111`,
        description: n === 2 ? HOSTILE : describe(n),
        hasBroker: false,
      }));
      const settings = {
        brokerUrl: 'https://broker.example/{domain}',
        hosts: ['names.example', 'other.example'],
        languages: ['en', 'de'],
        showPrice: 'page',
      };
      // JSON is YAML.
      const catalogue = JSON.stringify({ settings, domains: entries });
      writeFileSync(join(project.folder, 'src/content/catalogue.yaml'), catalogue);
      const product = await startProduct({ project: project.folder });
      await use(product);
      await product.stop();
      project.remove();
    },
    { scope: 'worker', timeout: 150_000 },
  ],
});

/** Only some descriptions are translated. */
function describe(n: number): string | Record<string, string> {
  const en = `The name number ${n}.`;
  return n === 27 ? { en, de: `Der Name Nummer ${n}.` } : en;
}

// In one worker: each would build the site for itself.
test.describe.configure({ mode: 'default' });

for (const [language, path, title, call] of [
  ['en', '/', 'site.example is for sale: make an offer', 'Make an offer today.'],
  ['de', '/de/', 'site.example steht zum Verkauf: jetzt Angebot machen', 'Jetzt Angebot machen.'],
] as const) {
  test(`a domain’s page in ${language} has its title, canonical URL and hreflang links`, async ({
    page,
    product,
  }) => {
    const canonical = `https://site.example${path}`;
    for (const address of [
      `http://site.example:${product.port}${path}`,
      `${product.origin}${path}sites/site.example/`,
    ]) {
      await page.goto(address);
      await expect(page).toHaveTitle(title);
      const description = await content(page, 'meta[name=description]');
      expect(description).toMatch(/^Says what it is at first sight\. /);
      expect(description?.endsWith(call)).toBe(true);
      expect(description?.length).toBeLessThanOrEqual(155);
      expect(await addresses(page, 'link[rel=canonical]')).toEqual([canonical]);
      expect(await alternates(page)).toEqual({
        en: 'https://site.example/',
        de: 'https://site.example/de/',
        'x-default': 'https://site.example/',
      });
      expect(await openGraph(page)).toEqual({
        type: 'website',
        title,
        description,
        url: canonical,
        locale: language === 'en' ? 'en_US' : 'de_DE',
        'locale:alternate': language === 'en' ? 'de_DE' : 'en_US',
        image: 'https://site.example/share/site.example.png',
        'image:width': '1200',
        'image:height': '630',
        'image:alt': language === 'en' ? 'site.example is for sale' : 'site.example steht zum Verkauf',
      });
      expect(await content(page, 'meta[name="twitter:card"]')).toBe('summary_large_image');
    }
  });
}

test('the structured data of a domain is a product in stock, without a price', async ({ page }) => {
  await page.goto('/sites/lap.app/');
  const product = await productOf(page);
  expect(product).toMatchObject({ '@type': 'Product', name: 'lap.app', url: 'https://lap.app/' });
  expect(product.offers).toEqual({
    '@type': 'Offer',
    url: 'https://lap.app/',
    availability: 'https://schema.org/InStock',
  });
});

test('a published price is in the structured data only if it can be parsed', async ({ page, large }) => {
  await page.goto(`${large.origin}/sites/name4.example/`);
  expect((await productOf(page)).offers).toMatchObject({ price: '5111', priceCurrency: 'USD' });
  await page.goto(`${large.origin}/sites/name1.example/`);
  expect((await productOf(page)).offers).not.toHaveProperty('price');
});

test('a description with markup is escaped', async ({ page, large }) => {
  await page.goto(`http://name2.example:${large.port}/`);
  expect((await productOf(page)).description).toBe(HOSTILE);
  expect(await content(page, 'meta[name=description]')).toContain(HOSTILE);
  await expect(page).toHaveTitle('name2.example is for sale: make an offer');
});

test('an internationalised name is shown decoded and keeps its punycode URLs', async ({ page, large }) => {
  await page.goto(`http://${MUNICH}:${large.port}/`);
  expect(await productOf(page)).toMatchObject({ name: 'münchen.example', url: `https://${MUNICH}/` });
  expect(await openGraph(page)).toMatchObject({
    title: 'münchen.example is for sale: make an offer',
    url: `https://${MUNICH}/`,
    image: `https://${MUNICH}/share/${MUNICH}.png`,
    'image:alt': 'münchen.example is for sale',
  });
  expect(await addresses(page, 'link[rel=canonical]')).toEqual([`https://${MUNICH}/`]);
});

test('the page with nothing selected has no absolute URL without a host of the site', async ({ page }) => {
  await page.goto('/');
  await expect(page).toHaveTitle('Premium domains for sale: make an offer');
  expect(await addresses(page, 'link[rel=canonical]')).toEqual([]);
  const { url, image, title } = await openGraph(page);
  expect([url, image]).toEqual([undefined, undefined]);
  expect(title).toBe('Premium domains for sale: make an offer');
});

test('the canonical host of the site’s pages is the first of its hosts', async ({ page, large }) => {
  for (const [path, canonical] of [
    ['/', 'https://names.example/'],
    ['/de/', 'https://names.example/de/'],
    ['/domains/', 'https://names.example/domains/'],
    ['/de/domains/', 'https://names.example/de/domains/'],
  ] as const) {
    await page.goto(`http://other.example:${large.port}${path}`);
    expect(await addresses(page, 'link[rel=canonical]')).toEqual([canonical]);
    expect((await alternates(page))['x-default']).toBe(canonical.replace('/de/', '/'));
    const { url, image } = await openGraph(page);
    expect([url, image]).toEqual([canonical, 'https://names.example/share/home.png']);
    await expect(page.locator('meta[name=robots]')).toHaveCount(0);
  }
});

test('a page of domains exists in both languages, and its search works in each', async ({ page, large }) => {
  await page.goto(`${large.origin}/domains/`);
  await page.getByRole('link', { name: 'Deutsch' }).click();
  await expect(page).toHaveURL(`${large.origin}/de/domains/`);
  const description = (n: number) =>
    page
      .getByRole('listitem')
      .filter({ hasText: `name${n}.` })
      .locator('span');
  const expectOwnLanguages = async () => {
    await expect(description(27)).toHaveText('Der Name Nummer 27.');
    await expect(description(27)).not.toHaveAttribute('lang');
    await expect(description(28)).toHaveText('The name number 28.');
    await expect(description(28)).toHaveAttribute('lang', 'en');
  };
  await expectOwnLanguages();
  await page.getByRole('searchbox', { name: '30 Domains durchsuchen' }).fill('name2');
  await expect(page.getByRole('status')).toHaveText('10 Domains:');
  await expectOwnLanguages();
  await page.getByRole('searchbox').fill('name27');
  await expect(page.getByRole('status')).toHaveText('1 Domain:');
  await page.getByRole('link', { name: 'name27.example' }).click();
  await expect(page).toHaveURL(`${large.origin}/de/sites/name27.example/`);
  await page.goto(`${large.origin}/domains/`);
  await expect(page.getByRole('listitem').filter({ hasText: 'münchen.example' })).toBeVisible();
  await page.getByRole('searchbox').fill('munch .EX');
  const results = page.getByRole('search').getByRole('listitem');
  await expect(results).toHaveText([/^münchen\.example.*The name number 29\.$/]);
  await results.getByRole('link').click();
  await expect(page).toHaveURL(`${large.origin}/sites/${MUNICH}/`);
});

test('the start page of a large catalogue has the search, and results take the place of its cards', async ({
  page,
  large,
}) => {
  await page.goto(`${large.origin}/`);
  await expect(page.getByRole('radio')).toHaveCount(12);
  await page.getByRole('combobox', { name: 'Length' }).selectOption('Up to 5');
  const results = page.getByRole('search').getByRole('listitem');
  const status = page.getByRole('search').getByRole('status');
  await expect(status).toHaveText('10 domains:');
  await expect(results).toHaveCount(10);
  await expect(page.getByRole('radio')).toHaveCount(0);
  await page.getByRole('searchbox').fill('4 name');
  await expect(results).toHaveText([/^name4\.example/]);
  await page.getByRole('combobox', { name: 'Length' }).selectOption('Any');
  await expect(status).toHaveText('3 domains:');
  await page.getByRole('searchbox').fill('');
  await expect(page.getByRole('radio')).toHaveCount(12);
});

test('without JavaScript the pages of domains list them all, without a search', async ({
  browser,
  large,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${large.origin}/domains/`);
  await expect(page.getByRole('searchbox')).toBeHidden();
  await expect(page.getByRole('listitem')).toHaveCount(30);
  await expect(page.getByRole('listitem').first()).toHaveText(/name0\.example\s*The name number 0\./);
  await context.close();
});

test('the dashboard shows internationalised names decoded', async ({ page, large }) => {
  await makeOffer(large, { domain_name: MUNICH });
  await signIn(page, large.origin);
  const row = page.getByRole('row').filter({ hasText: 'münchen.example' });
  await expect(row.getByTitle(MUNICH)).toHaveText('münchen.example');
  await expect(row.getByRole('combobox', { name: 'for münchen.example' })).toHaveValue('pending');
});

test('each host has its own sitemap and a robots.txt that names it', async ({ request, large }) => {
  for (const [host, locations] of [
    ['www.name3.example', ['https://name3.example/', 'https://name3.example/de/']],
    [
      'names.example',
      [
        'https://names.example/',
        'https://names.example/de/',
        'https://names.example/domains/',
        'https://names.example/de/domains/',
      ],
    ],
    ['other.example', undefined],
    ['stranger.example', undefined],
  ] as const) {
    const ask = (path: string) => request.get(`${large.origin}${path}`, { headers: { host } });
    const robots = await (await ask('/robots.txt')).text();
    expect(robots).toContain('User-agent: *\nAllow: /\n');
    const sitemap = /^Sitemap: (.*)$/m.exec(robots)?.[1];
    const response = await ask('/sitemap.xml');
    if (locations === undefined) {
      expect(sitemap).toBeUndefined();
      expect(response.status()).toBe(404);
      continue;
    }
    expect(sitemap).toBe(`${new URL('/sitemap.xml', locations[0])}`);
    expect(response.headers()['content-type']).toBe('application/xml; charset=utf-8');
    const xml = await response.text();
    expect([...xml.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address)).toEqual(locations);
    for (const address of locations) {
      // What is listed is there.
      expect((await ask(new URL(address).pathname)).status()).toBe(200);
    }
  }
});

test('each page has its domain’s icon, and favicon.ico exists', async ({ page, request }) => {
  await page.goto('/sites/sample.app/');
  const [icon = ''] = await addresses(page, 'link[rel=icon]');
  expect(icon).toBe(await iconOf('sample.app'));
  expect(await page.evaluate(isImage, icon)).toBe(true);
  await page.goto('/');
  expect(await addresses(page, 'link[rel=icon]')).toEqual([await iconOf()]);
  const file = await request.get('/favicon.ico');
  expect(file.headers()['content-type']).toBe('image/x-icon');
  expect((await file.body()).length).toBeLessThan(2_000);
  expect(await page.evaluate(isImage, '/favicon.ico')).toBe(true);
});

function content(page: Page, selector: string): Promise<string | null> {
  return page.locator(selector).getAttribute('content');
}

function addresses(page: Page, selector: string): Promise<string[]> {
  return page.locator(selector).evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
}

async function alternates(page: Page): Promise<Record<string, string>> {
  const links = page.locator('link[rel=alternate]');
  return Object.fromEntries(
    await links.evaluateAll((all) =>
      all.map((link) => [link.getAttribute('hreflang'), link.getAttribute('href')]),
    ),
  );
}

async function openGraph(page: Page): Promise<Record<string, string>> {
  const tags = page.locator('meta[property^="og:"]');
  return Object.fromEntries(
    await tags.evaluateAll((all) =>
      all.map((tag) => [tag.getAttribute('property')?.slice('og:'.length), tag.getAttribute('content')]),
    ),
  );
}

interface ProductData {
  name: string;
  description: string;
  offers: Record<string, string>;
}

async function productOf(page: Page): Promise<ProductData> {
  const scripts = await page.locator('script[type="application/ld+json"]').allTextContents();
  expect(scripts).toHaveLength(1);
  return JSON.parse(scripts[0] ?? '');
}

/** Runs in the page. */
function isImage(address: string): Promise<boolean> {
  const image = new Image();
  return new Promise((done) => {
    image.onload = () => done(image.naturalWidth > 0);
    image.onerror = () => done(false);
    image.src = address;
  });
}
