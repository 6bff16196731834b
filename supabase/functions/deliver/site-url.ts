import type { SiteHosts } from '../_shared/contract/hosts.ts';
import type { MessageSettings } from '../_shared/contract/message-settings.ts';

/** Where the site is without PORT, SITE_URL, ADMIN_HOST and `hosts`. */
const LOCAL_URL = 'http://localhost:4321';

/** The origin that has the dashboard: SITE_URL, else ADMIN_HOST, else the first of the catalogue's `hosts`. */
export function siteUrlOf({ siteUrl }: MessageSettings, { adminHost, hosts }: SiteHosts): string {
  if (siteUrl !== undefined) return siteUrl;
  const host = adminHost ?? hosts[0];
  return host === undefined ? LOCAL_URL : `https://${host}`;
}
