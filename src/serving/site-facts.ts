import { prefixOf } from '../i18n/locale-prefix.ts';

/** The catalogue's data that requests need: for robots.txt, sitemap.xml, security.txt and the rules of hosts. */
export interface SiteFacts {
  /** Every domain of the catalogue. */
  readonly names: ReadonlySet<string>;
  /** Those of them that are sold or reserved: their hosts have a page, but no sitemap. */
  readonly notForSale?: ReadonlySet<string> | undefined;
  /** Hosts of the site itself; the first one has the sitemap of the whole site. */
  readonly hosts: readonly string[];
  readonly languages: readonly string[];
  /** Number of pages of domains; 0 for a small catalogue. */
  readonly domainPages: number;
  /** Email for visitors and for reports of vulnerabilities. */
  readonly contact?: string | undefined;
}

/** As dist/site-facts.json holds them. */
export type StoredSiteFacts = Omit<SiteFacts, 'names' | 'notForSale'> & {
  readonly names: readonly string[];
  readonly notForSale?: readonly string[];
};

export function siteFactsFrom(stored: StoredSiteFacts): SiteFacts {
  return { ...stored, names: new Set(stored.names), notForSale: new Set(stored.notForSale) };
}

/** Whether a path is that of a domain's page: `/sites/lap.app/`, or `/de/sites/lap.app/` in another language. */
export function isDomainPage(path: string, { names, languages }: SiteFacts): boolean {
  return languages.some((language) => {
    const folder = `${prefixOf(language, languages)}/sites/`;
    return path.startsWith(folder) && path.endsWith('/') && names.has(path.slice(folder.length, -1));
  });
}
