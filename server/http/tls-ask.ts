/**
 * `GET /tls/ask?domain=NAME`: whether a proxy with on-demand TLS (Caddy) may get a certificate for a name. The proxy sends it
 * during handshakes, so the response comes from memory, with or without a backend.
 */
import { isPublicHost, type SiteHosts } from '#contract/hosts.ts';

export const TLS_ASK_PATH = '/tls/ask';

/** A name as TLS sends it: two labels or more, no port; the last label is not a number, as in an IP. */
const SERVER_NAME = /^(?=.{1,253}$)(?:[a-z0-9_-]{1,63}\.)+(?!\d+$)[a-z0-9-]{1,63}$/i;

/** Longest query with one name, also with all its characters escaped. */
const MAX_QUERY_LENGTH = 1_000;

/** @param query of the request, without `?` */
export function tlsAskResponse(
  query: string,
  site: SiteHosts,
): readonly [status: 200 | 400 | 404, text: string] {
  // Parsing takes the longer the longer it is, up to some milliseconds.
  const known = query.length <= MAX_QUERY_LENGTH ? query : '';
  const [domain, ...more] = new URLSearchParams(known).getAll('domain');
  if (domain === undefined || more.length > 0 || !SERVER_NAME.test(domain)) {
    return [400, 'The query must be domain=NAME with one host name: no IP, no port.'];
  }
  return isPublicHost(domain, site)
    ? [200, 'This host belongs to the site.']
    : [404, 'This host does not belong to the site.'];
}
