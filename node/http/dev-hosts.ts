/** The rule of hosts (`#contract/hosts.ts`) for the development server, where the catalogue changes meanwhile. */
import { isIPv6 } from 'node:net';
import { hostNameOf, isAdminHost, isOwnHost, type SiteHosts } from '#contract/hosts.ts';
import { type Catalogue, loadCatalogue } from '../../src/catalogue/load.ts';
import type { Settings } from '../config/settings.ts';

export interface DevHosts {
  /** Whether requests to a host are served: the site's own hosts, and the address that HOST names. */
  isOwn(host: string): boolean;
  /** Whether a host has `/admin`. */
  hasAdmin(host: string): boolean;
  /** The site's hosts, as the catalogue has them now. */
  siteHosts(): SiteHosts;
}

export function devHosts({ adminHost, host: address }: Pick<Settings, 'adminHost' | 'host'>): DevHosts {
  // An address cannot be rebound by DNS, and the greeting prints it.
  const listening = isIPv6(address) ? `[${address}]` : address;
  let catalogue: Catalogue | undefined;
  let site: SiteHosts = { names: new Set(), hosts: [], adminHost };
  const update = () => {
    const latest = latestCatalogue();
    if (latest === undefined || latest === catalogue) return;
    catalogue = latest;
    const names = new Set(latest.domains.map(({ name }) => name));
    site = { names, hosts: latest.settings.hosts, adminHost };
  };
  return {
    isOwn: (host) => {
      update();
      return isOwnHost(host, site) || hostNameOf(host) === listening;
    },
    hasAdmin: (host) => {
      update();
      return isAdminHost(host, site);
    },
    siteHosts: () => {
      update();
      return site;
    },
  };
}

/** Undefined while the catalogue has a mistake, which its page shows. */
function latestCatalogue(): Catalogue | undefined {
  try {
    return loadCatalogue();
  } catch {
    return undefined;
  }
}
