import assert from 'node:assert/strict';
import { test } from 'node:test';
import { siteFactsOf } from '../seo/site-facts-of.ts';
import { robotsOf, sitemapOf } from './robots-and-sitemap.ts';
import type { SiteFacts } from './site-facts.ts';

const SITE: SiteFacts = {
  names: new Set(['lap.app', 'site.example']),
  hosts: ['names.example.com', 'other.example.com'],
  languages: ['en', 'de'],
  domainPages: 0,
};

test('robots.txt allows everything and names the sitemap if there is one', () => {
  const named = (host: string) => /^Sitemap: (.*)$/m.exec(robotsOf(host, SITE))?.[1];
  assert.match(robotsOf('unknown.example', SITE), /^User-agent: \*\nAllow: \/\n$/);
  assert.equal(named('lap.app'), 'https://lap.app/sitemap.xml');
  assert.equal(named('WWW.lap.app.localhost:4321'), 'https://lap.app/sitemap.xml');
  assert.equal(named('names.example.com'), 'https://names.example.com/sitemap.xml');
  for (const host of ['other.example.com', 'unknown.example', 'localhost:4321', ''])
    assert.equal(named(host), undefined, host);
});

test('robots.txt disallows the pages of domains when the site has no host of its own', () => {
  const site = { ...SITE, hosts: [], domainPages: 3 };
  assert.match(robotsOf('lap.app', site), /\nDisallow: \/domains\/\nDisallow: \/de\/domains\/\n\nSitemap: /);
  assert.doesNotMatch(robotsOf('other.example.com', site), /Disallow/);
  assert.doesNotMatch(robotsOf('lap.app', { ...SITE, domainPages: 3 }), /Disallow/);
});

test('a domain’s sitemap has its page in every language, with hreflang links', () => {
  const links =
    '<xhtml:link rel="alternate" hreflang="en" href="https://lap.app/"/>' +
    '<xhtml:link rel="alternate" hreflang="de" href="https://lap.app/de/"/>' +
    '<xhtml:link rel="alternate" hreflang="x-default" href="https://lap.app/"/>';
  for (const host of ['lap.app', 'www.lap.app:443', 'LAP.app.localhost']) {
    assert.equal(
      sitemapOf(host, SITE),
      `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
<url><loc>https://lap.app/</loc>${links}</url>
<url><loc>https://lap.app/de/</loc>${links}</url>
</urlset>
`,
    );
  }
});

test('only the first of the site’s hosts has a sitemap of the whole site', () => {
  const site = { ...SITE, domainPages: 2 };
  const pages = (path: string) => [`https://names.example.com${path}`, `https://names.example.com/de${path}`];
  assert.deepEqual(locations('names.example.com', site), [
    ...pages('/'),
    ...pages('/domains/'),
    ...pages('/domains/2/'),
  ]);
  for (const host of ['other.example.com', 'unknown.example', 'localhost', ''])
    assert.equal(sitemapOf(host, site), undefined, host);
});

test('a domain that is sold or reserved has no sitemap, and its robots.txt names none', () => {
  const site = { ...SITE, notForSale: new Set(['lap.app']), hosts: [], domainPages: 3 };
  assert.equal(sitemapOf('www.lap.app', site), undefined);
  assert.equal(
    robotsOf('lap.app', site),
    'User-agent: *\nAllow: /\nDisallow: /domains/\nDisallow: /de/domains/\n',
  );
  assert.deepEqual(locations('site.example', site), ['https://site.example/', 'https://site.example/de/']);
});

test('the number of pages of domains counts those for sale', () => {
  const domain = (name: string, more = {}) => ({
    name,
    price: '$1',
    description: 'A name.',
    hasBroker: false,
    ...more,
  });
  const many = Array.from({ length: 60 }, (_, n) => domain(`name${n}.example`));
  const settings = {
    brokerUrl: 'https://broker.example/{domain}',
    hosts: [],
    languages: ['en' as const],
    showPrice: 'never' as const,
  };
  const sold = domain('sold.example', { state: 'sold' });
  assert.equal(siteFactsOf({ settings, domains: many }).domainPages, 2);
  const facts = siteFactsOf({ settings, domains: [...many.slice(0, 48), sold] });
  assert.equal(facts.domainPages, 1);
  assert.deepEqual([facts.names.has('sold.example'), facts.notForSale], [true, new Set(['sold.example'])]);
  const few = siteFactsOf({ settings, domains: [...many.slice(0, 24), sold] });
  assert.equal(few.domainPages, 0);
});

test('the sitemap of a site in one language has no hreflang links', () => {
  const site = { ...SITE, languages: ['de'] };
  assert.deepEqual(locations('lap.app', site), ['https://lap.app/']);
  assert.doesNotMatch(sitemapOf('lap.app', site) ?? '', /<xhtml:link/);
});

function locations(host: string, site: SiteFacts): string[] {
  return [...(sitemapOf(host, site) ?? '').matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url = '']) => url);
}
