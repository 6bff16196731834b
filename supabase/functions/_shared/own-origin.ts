import type { Catalogue } from './catalogue.ts';
import { namesOfHost } from './contract/hosts.ts';

/**
 * Whether a page of ours asks: on a host of a domain for sale, on another host of the site, or (embedded, where the
 * gateway names the host it was asked under) on the very origin the request went to.
 */
export function isOwnOrigin(origin: string, request: Request, catalogue: Catalogue): boolean {
  if (!/^https?:\/\//.test(origin) || !URL.canParse(origin)) return false;
  const { host } = new URL(origin);
  return host === request.headers.get('x-forwarded-host') || isOwnHost(host, catalogue);
}

/** Whether a host name stands for a domain for sale or for the site itself. */
export function isOwnHost(host: string, catalogue: Catalogue): boolean {
  return namesOfHost(host).some((name) => catalogue.names.has(name) || catalogue.hosts.has(name));
}
