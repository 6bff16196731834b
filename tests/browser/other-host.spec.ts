/**
 * With a hosted project, pages of a host that its functions do not know cannot make offers, and say so before anything is
 * typed. Host names below .example lead to this machine.
 */
import { expect } from './fixtures.ts';
import { test } from './shops/hosted.ts';

const NOTICES = {
  '/': 'Offers cannot be made at this address. They are made on the domains themselves:',
  '/de/': 'Unter dieser Adresse kann man keine Angebote machen. Man macht sie auf den Domains selbst:',
};

test('pages of an unknown host name the domains that take offers', async ({ page, shop }) => {
  for (const [path, text] of Object.entries(NOTICES)) {
    for (const shows of [path, `${path}sites/site.example/`]) {
      await page.goto(`http://tunnel.example:${shop.port}${shows}`);
      const notice = page.getByRole('status').filter({ hasText: text });
      await expect(notice, shows).toBeVisible();
      const links = await notice
        .getByRole('link')
        .evaluateAll((all) => all.map((one) => [one.textContent, one.getAttribute('href')]));
      expect(links, shows).toEqual([
        ['site.example', `https://site.example${path}`],
        ['bücher.example', `https://xn--bcher-kva.example${path}`],
      ]);
    }
  }
});

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
test('pages of known hosts have the form without that notice', async ({ page, shop }) => {
  let requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  for (const [host, path, fetchesList = false] of KNOWN) {
    requests = [];
    await page.goto(`http://${host}:${shop.port}${path}`, { waitUntil: 'networkidle' });
    await expect(page.getByRole('form'), host + path).toBeVisible();
    await expect(page.locator('#other-host'), host + path).toBeHidden();
    expect(requests.includes('/domains/hosts.json'), host + path).toBe(fetchesList);
  }
});
