/** The rule of hosts (`#contract/hosts.ts`) for the development server, where the catalogue changes meanwhile. */
import { isIPv6 } from 'node:net';
import { hostNameOf, isOwnHost, type SiteHosts } from '#contract/hosts.ts';
import { type Catalogue, loadCatalogue } from '../../src/catalogue/load.ts';
import type { Settings } from '../config/settings.ts';

export interface DevHosts {
  /** Whether requests to a host are served: the site's own hosts, and the address that HOST names. */
  isOwn(host: string): boolean;
  /** The site's hosts, as the catalogue has them now, or had them before a mistake. */
  siteHosts(): SiteHosts;
}

export function devHosts({ adminHost, host: address }: Pick<Settings, 'adminHost' | 'host'>): DevHosts {
  // An address cannot be rebound by DNS, and the greeting prints it.
  const listening = isIPv6(address) ? `[${address}]` : address;
  let catalogue: Catalogue | undefined;
  let site: SiteHosts = { names: new Set(), hosts: [], adminHost };
  const siteHosts = () => {
    try {
      const latest = loadCatalogue();
      if (latest !== catalogue) {
        const names = new Set(latest.domains.map(({ name }) => name));
        site = { names, hosts: latest.settings.hosts, adminHost };
      }
      catalogue = latest;
    } catch {
      // The pages show the mistake.
    }
    return site;
  };
  return { isOwn: (host) => isOwnHost(host, siteHosts()) || hostNameOf(host) === listening, siteHosts };
}
