/** How the pages are found: what search engines and shared links make of each, on its own host. */
import { expect, test } from './fixtures.ts';
import { addresses, alternates, content, openGraph, productOf } from './page-metadata.ts';

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

test('the page with nothing selected has no absolute URL without a host of the site', async ({ page }) => {
  await page.goto('/');
  await expect(page).toHaveTitle('Premium domains for sale: make an offer');
  expect(await addresses(page, 'link[rel=canonical]')).toEqual([]);
  const { url, image, title } = await openGraph(page);
  expect([url, image]).toEqual([undefined, undefined]);
  expect(title).toBe('Premium domains for sale: make an offer');
});

test('every page has the site’s icon, and favicon.ico exists', async ({ page, request }) => {
  await page.goto('/sites/sample.app/');
  const [icon = ''] = await addresses(page, 'link[rel=icon]');
  expect(await page.evaluate(isImage, icon)).toBe(true);
  await page.goto('/');
  expect(await addresses(page, 'link[rel=icon]')).toEqual([icon]);
  const file = await request.get('/favicon.ico');
  expect(file.headers()['content-type']).toBe('image/x-icon');
  expect((await file.body()).length).toBeLessThan(2_000);
  expect(await page.evaluate(isImage, '/favicon.ico')).toBe(true);
});

/** Runs in the page. */
function isImage(address: string): Promise<boolean> {
  const image = new Image();
  return new Promise((done) => {
    image.onload = () => done(image.naturalWidth > 0);
    image.onerror = () => done(false);
    image.src = address;
  });
}
