/**
 * Rules for host names: which domain a host belongs to, which hosts are the site's own, and which have the admin area.
 * The HTTP server applies them to requests, the functions to origins.
 */

/** The hosts of a site. */
export interface SiteHosts {
  /** Every domain for sale, as the catalogue writes it. */
  readonly names: ReadonlySet<string>;
  /** The catalogue's `hosts`: other hosts of the site. */
  readonly hosts: readonly string[];
  /** ADMIN_HOST, in lower case; undefined if it is not set. */
  readonly adminHost: string | undefined;
}

/** Labels with an optional port, an IPv4, or an IPv6 in brackets. */
const HOST = /^([a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])(?::\d{0,5})?$/;

/** Host names of loopback. Other IPs of 127.0.0.0/8 are origins of their own, and none of the site's. */
export const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The host name in a `Host` header or in the authority of an origin: in lower case, without port and trailing dot.
 * Undefined if it is malformed: empty, a list, or with user info, white space or other characters.
 */
export function hostNameOf(host: string): string | undefined {
  return HOST.exec(host.toLowerCase())?.[1]?.replace(/\.$/, '');
}

/**
 * Returns the domains that a host may belong to, most literal first: the host itself, without `www.`, and both without
 * `.localhost` (for trying a domain on one's own machine).
 * @param host a host name with or without port, in any letter case, as in the header `Host`
 */
export function namesOfHost(host: string): string[] {
  const bare = hostNameOf(host) ?? '';
  const names = [bare];
  if (bare.endsWith('.localhost')) names.push(bare.slice(0, -'.localhost'.length));
  for (const name of [...names]) if (name.startsWith('www.')) names.push(name.slice('www.'.length));
  return names;
}

/** Whether a host is the site's own: a domain for sale (also with `www.`), one of `hosts`, ADMIN_HOST or loopback. */
export function isOwnHost(host: string, site: SiteHosts): boolean {
  const name = hostNameOf(host);
  if (name === undefined) return false;
  if (isLoopback(name) || name === site.adminHost) return true;
  return namesOfHost(name).some((one) => site.names.has(one) || site.hosts.includes(one));
}

/** Whether a host is the site's own and public: no loopback host and no `.localhost`. */
export function isPublicHost(host: string, site: SiteHosts): boolean {
  const name = hostNameOf(host);
  return name !== undefined && !isLoopback(name) && isOwnHost(name, site);
}

/**
 * Whether a host has the admin area: only ADMIN_HOST if it is set, otherwise the first of `hosts` and loopback. Never a
 * domain for sale, because the browser's storage goes with the domain when it is sold.
 * @param isFromHere whether this machine sent the request, and not through a proxy: every client can send
 *   `Host: localhost`, so that a loopback host counts only then
 */
export function isAdminHost(host: string, site: SiteHosts, isFromHere: boolean): boolean {
  const name = hostNameOf(host);
  if (name === undefined || (isLoopback(name) && !isFromHere)) return false;
  if (site.adminHost !== undefined) return name === site.adminHost;
  return LOOPBACK_HOSTS.has(name) || name === site.hosts[0];
}

/** Whether a host name in lower case always means the machine that uses it. */
export function isLoopback(name: string): boolean {
  return LOOPBACK_HOSTS.has(name) || name.endsWith('.localhost');
}
