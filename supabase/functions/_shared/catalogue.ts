import type { SiteHosts } from './contract/hosts.ts';

/** The part of the catalogue that the functions use; every build writes it to catalogue.json. */
export interface CatalogueFile {
  /** Names of the domains for sale. */
  readonly domains: readonly string[];
  /** Other hosts of the site. */
  readonly hosts: readonly string[];
  /** The first of the site's languages, as a BCP 47 code. Absent in a file of an earlier version. */
  readonly language?: string;
}

/** @param adminHost ADMIN_HOST, undefined if it is not set */
export function siteHostsOf({ domains, hosts }: CatalogueFile, adminHost: string | undefined): SiteHosts {
  return { names: new Set(domains), hosts, adminHost };
}
