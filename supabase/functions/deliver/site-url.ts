import type { SiteHosts } from '../_shared/contract/hosts.ts';
import type { MessageSettings } from '../_shared/contract/message-settings.ts';

/**
 * The origin that has the dashboard: SITE_URL, else ADMIN_HOST, else the first of the catalogue's `hosts`, else this
 * machine with the server's port.
 */
export function siteUrlOf(
  { siteUrl }: Pick<MessageSettings, 'siteUrl'>,
  { adminHost, hosts }: Pick<SiteHosts, 'adminHost' | 'hosts'>,
  port: number,
): string {
  if (siteUrl !== undefined) return siteUrl;
  const host = adminHost ?? hosts[0];
  return host === undefined ? `http://localhost:${port}` : `https://${host}`;
}
