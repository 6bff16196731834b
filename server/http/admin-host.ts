import type { IncomingMessage } from 'node:http';
import { isAdminHost, type SiteHosts } from '#contract/hosts.ts';
import { isSentFrom, LOOPBACK } from './client-ip.ts';

/**
 * Whether a request is for a host with the admin area, which loopback hosts have for this machine alone.
 * @param host that the request is for
 */
export function isForAdminHost(request: IncomingMessage, host: string, site: SiteHosts): boolean {
  return isAdminHost(host, site, isSentFrom(LOOPBACK, request));
}
