/** Generates robots.txt and sitemap.xml from host and catalogue. */
import { namesOfHost } from '#contract/hosts.ts';
import type { Catalogue } from '../catalogue/load.ts';
import { domainPageCount } from '../catalogue/related-domains.ts';
import { prefixOf } from '../i18n/locale-prefix.ts';
import { hreflangLinks } from './hreflang-links.ts';

/** The catalogue's data for search engines. */
export interface Searchable {
  readonly names: ReadonlySet<string>;
  /** The other hosts of the site; the pages of the whole site are listed at the first of them. */
  readonly hosts: readonly string[];
  readonly languages: readonly string[];
  /** How many pages list the catalogue; 0 for a small one. */
  readonly listings: number;
  /** E-mail address for visitors, and for reports of vulnerabilities. */
  readonly contact?: string | undefined;
}

export function searchableOf({ domains, settings }: Catalogue): Searchable {
  return {
    names: new Set(domains.map(({ name }) => name)),
    hosts: settings.hosts,
    languages: settings.languages,
    listings: domainPageCount(domains.length),
    contact: settings.contact,
  };
}

/**
 * `robots.txt`, on whatever host. Everything is allowed (the admin pages carry their own `noindex`), except the pages
 * that list the catalogue on a domain's own host, where no host is named that they belong to: they would be found
 * once on every domain.
 */
export function robotsOf(host: string, site: Searchable): string {
  const own = ownHost(host, site);
  const rules = ['User-agent: *', 'Allow: /'];
  if (own && site.listings > 0 && site.hosts.length === 0)
    rules.push(
      ...site.languages.map((language) => `Disallow: ${prefixOf(language, site.languages)}/domains/`),
    );
  if (own) rules.push('', `Sitemap: https://${own}/sitemap.xml`);
  return `${rules.join('\n')}\n`;
}

/**
 * `sitemap.xml`: on a domain's host its own page in every language, on the site's first host the pages of the whole
 * site; undefined on any other.
 * @param host the request's Host header
 */
export function sitemapOf(host: string, site: Searchable): string | undefined {
  const own = ownHost(host, site);
  if (own === undefined) return undefined;
  const paths = site.names.has(own) ? ['/'] : ['/', ...listingPaths(site.listings)];
  const entries = paths.flatMap((path) => entriesOf(`https://${own}`, path, site.languages));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset ${NAMESPACES}>\n${entries.join('\n')}\n</urlset>\n`;
}

const NAMESPACES =
  'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"';

/** The host that a request's Host header means, if search engines shall know pages of it. */
export function ownHost(host: string, { names, hosts }: Searchable): string | undefined {
  return namesOfHost(host).find((name) => names.has(name) || name === hosts[0]);
}

function listingPaths(count: number): string[] {
  return Array.from({ length: count }, (_, index) => (index === 0 ? '/domains/' : `/domains/${index + 1}/`));
}

/** One page: an entry for each of its languages, each naming all of them. */
function entriesOf(origin: string, path: string, languages: readonly string[]): string[] {
  const alternates = hreflangLinks(origin, path, languages);
  const links = alternates.map(
    ({ hreflang, href }) =>
      `<xhtml:link rel="alternate" hreflang="${escaped(hreflang)}" href="${escaped(href)}"/>`,
  );
  const urls = new Set([origin + path, ...alternates.map(({ href }) => href)]);
  return [...urls].map((url) => `<url><loc>${escaped(url)}</loc>${links.join('')}</url>`);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
