import { isOwnHost, type SiteHosts } from './contract/hosts.ts';

/** Whether an `Origin` header names a page on one of the site's own hosts. */
export function isOwnOrigin(origin: string, site: SiteHosts): boolean {
  const host = hostOfOrigin(origin);
  return host !== undefined && isOwnHost(host, site);
}

/** The host and port of an http or https origin; undefined where it is none. */
export function hostOfOrigin(origin: string): string | undefined {
  return /^https?:\/\/([^/]+)$/.exec(origin)?.[1];
}
