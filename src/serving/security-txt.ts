import { ownHost } from './robots-and-sitemap.ts';
import type { SiteFacts } from './site-facts.ts';

/** Validity of the file, in milliseconds; RFC 9116 recommends less than a year. */
const LIFETIME_MS = 180 * 86_400_000;

/**
 * `/.well-known/security.txt` (RFC 9116) on the site's own hosts: the contact for vulnerability reports. Undefined on other
 * hosts, and where the catalogue's settings name no `contact`.
 * @param host the request's host name
 */
export function securityTxtOf(host: string, site: SiteFacts, now = new Date()): string | undefined {
  const own = ownHost(host, site);
  if (own === undefined || site.contact === undefined) return undefined;
  // By whole days, so that the file is the same for a day.
  const expires = new Date(Math.floor((now.getTime() + LIFETIME_MS) / 86_400_000) * 86_400_000);
  return [
    `Contact: mailto:${site.contact}`,
    `Expires: ${expires.toISOString()}`,
    `Preferred-Languages: ${site.languages.join(', ')}`,
    `Canonical: https://${own}/.well-known/security.txt`,
    '',
  ].join('\n');
}
