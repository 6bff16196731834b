import type { SiteHosts } from './contract/hosts.ts';

/** The part of the catalogue that the functions know: written by every build, so that one edit reaches them too. */
export interface CatalogueFile {
  /** Names of the domains for sale. */
  readonly domains: readonly string[];
  /** Other host names that the site is opened by. */
  readonly hosts: readonly string[];
}

/** @param adminHost ADMIN_HOST, undefined where it is not set */
export function siteHostsOf({ domains, hosts }: CatalogueFile, adminHost: string | undefined): SiteHosts {
  return { names: new Set(domains), hosts, adminHost };
}
