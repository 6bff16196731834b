/** Generates robots.txt and sitemap.xml from host and catalogue. */
import { escapeMarkup } from '#contract/escape-markup.ts';
import { namesOfHost } from '#contract/hosts.ts';
import { hreflangLinks } from '../i18n/hreflang-links.ts';
import { prefixOf } from '../i18n/locale-prefix.ts';
import type { SiteFacts } from './site-facts.ts';

/**
 * Returns `robots.txt` for a host. Allows everything (the admin pages have their own `noindex`), except the pages of
 * domains when the site has no host of its own: they would be indexed on every domain.
 */
export function robotsOf(host: string, site: SiteFacts): string {
  const own = ownHost(host, site);
  const rules = ['User-agent: *', 'Allow: /'];
  if (own && site.domainPages > 0 && site.hosts.length === 0)
    rules.push(
      ...site.languages.map((language) => `Disallow: ${prefixOf(language, site.languages)}/domains/`),
    );
  if (own && !site.notForSale?.has(own)) rules.push('', `Sitemap: https://${own}/sitemap.xml`);
  return `${rules.join('\n')}\n`;
}

/**
 * Returns `sitemap.xml`: for the host of a domain for sale its page in every language, for the site's first host all other
 * pages; undefined for any other host, because a sitemap without pages is not valid.
 * @param host the request's Host header
 */
export function sitemapOf(host: string, site: SiteFacts): string | undefined {
  const own = ownHost(host, site);
  if (own === undefined || site.notForSale?.has(own)) return undefined;
  const paths = site.names.has(own) ? ['/'] : ['/', ...domainPagePaths(site.domainPages)];
  const entries = paths.flatMap((path) => entriesOf(`https://${own}`, path, site.languages));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset ${NAMESPACES}>\n${entries.join('\n')}\n</urlset>\n`;
}

const NAMESPACES =
  'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"';

/** Returns the canonical host of a Host header, if it has pages for search engines. */
export function ownHost(host: string, { names, hosts }: SiteFacts): string | undefined {
  return namesOfHost(host).find((name) => names.has(name) || name === hosts[0]);
}

function domainPagePaths(count: number): string[] {
  return Array.from({ length: count }, (_, index) => (index === 0 ? '/domains/' : `/domains/${index + 1}/`));
}

/** Returns an entry per language of a page, each with all hreflang links. */
function entriesOf(origin: string, path: string, languages: readonly string[]): string[] {
  const alternates = hreflangLinks(origin, path, languages);
  const links = alternates.map(
    ({ hreflang, href }) =>
      `<xhtml:link rel="alternate" hreflang="${escapeMarkup(hreflang)}" href="${escapeMarkup(href)}"/>`,
  );
  const urls = new Set([origin + path, ...alternates.map(({ href }) => href)]);
  return [...urls].map((url) => `<url><loc>${escapeMarkup(url)}</loc>${links.join('')}</url>`);
}
