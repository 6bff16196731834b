/**
 * With a hosted project, pages of a host that its functions do not know cannot make offers, and say so before anything is
 * typed. Host names below .example lead to this machine.
 */
import { PUBLIC_KEY } from '../support/product.ts';
import { expect } from './fixtures.ts';
import { testWithShop } from './test-with-shop.ts';

const DOMAINS = ['site.example', 'xn--bcher-kva.example', 'gone.example'].map((name) => ({
  name,
  price: '$1',
  description: `About ${name}.`,
  hasBroker: false,
  ...(name === 'gone.example' && { state: 'sold' }),
}));
const SETTINGS = {
  brokerUrl: 'https://broker.example/{domain}',
  languages: ['en', 'de'],
  hosts: ['names.example'],
};

const test = testWithShop(
  { settings: SETTINGS, domains: DOMAINS },
  {},
  { SUPABASE_URL: 'http://127.0.0.1:9', SUPABASE_PUBLISHABLE_KEY: PUBLIC_KEY },
);

const NOTICES = {
  '/': 'Offers cannot be made at this address. They are made on the domains themselves:',
  '/de/': 'Unter dieser Adresse kann man keine Angebote machen. Man macht sie auf den Domains selbst:',
};

for (const [path, text] of Object.entries(NOTICES)) {
  for (const shows of [path, `${path}sites/site.example/`]) {
    test(`${shows} of an unknown host names the domains that take offers`, async ({ page, shop }) => {
      await page.goto(`http://tunnel.example:${shop.port}${shows}`);
      const notice = page.getByRole('status').filter({ hasText: text });
      await expect(notice).toBeVisible();
      const links = await notice
        .getByRole('link')
        .evaluateAll((all) => all.map((one) => [one.textContent, one.getAttribute('href')]));
      expect(links).toEqual([
        ['site.example', `https://site.example${path}`],
        ['bücher.example', `https://xn--bcher-kva.example${path}`],
      ]);
    });
  }
}

const KNOWN: [host: string, path: string, fetchesList?: boolean][] = [
  ['site.example', '/'],
  ['www.site.example', '/de/'],
  ['names.example', '/'],
  ['localhost', '/'],
  ['site.example.localhost', '/'],
  ['127.0.0.1', '/sites/site.example/'],
  // Pages of another domain than the host's, one of which is sold.
  ['site.example', '/sites/xn--bcher-kva.example/', true],
  ['gone.example', '/sites/site.example/', true],
];
for (const [host, path, fetchesList = false] of KNOWN) {
  test(`${path} of ${host} has the form without that notice`, async ({ page, shop }) => {
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    await page.goto(`http://${host}:${shop.port}${path}`, { waitUntil: 'networkidle' });
    await expect(page.getByRole('form')).toBeVisible();
    await expect(page.locator('#other-host')).toBeHidden();
    expect(requests.includes('/domains/hosts.json')).toBe(fetchesList);
  });
}
