/** The rule of hosts (`#contract/hosts.ts`) for the development server, where the catalogue changes meanwhile. */
import { isIPv6 } from 'node:net';
import { hostNameOf, isOwnHost, type SiteHosts } from '#contract/hosts.ts';
import { type Catalogue, loadCatalogue } from '../../src/catalogue/load.ts';
import type { Settings } from '../config/settings.ts';

export type DevHosts = ReturnType<typeof devHosts>;

export function devHosts({ adminHost, host: ip }: Pick<Settings, 'adminHost' | 'host'>) {
  // An IP cannot be rebound by DNS, and the greeting prints it.
  const listening = isIPv6(ip) ? `[${ip}]` : ip;
  let catalogue: Catalogue | undefined;
  let site: SiteHosts = { names: new Set(), hosts: [], adminHost };
  /** The site's hosts, as the catalogue has them now, or had them before a mistake. */
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
  return {
    /** Whether requests to a host are served: the site's own hosts, and the IP that HOST names. */
    isOwn: (host: string) => isOwnHost(host, siteHosts()) || hostNameOf(host) === listening,
    siteHosts,
  };
}
