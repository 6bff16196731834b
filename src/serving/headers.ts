/**
 * The headers of every response. The build writes the pages' content security policies (policies.ts); everything else
 * stands here once, for every way of serving.
 */
import { namesOfHost, type SiteHosts } from '#contract/hosts.ts';
import { type Policies, withoutEnding } from './policies.ts';
import { isAdminPath, isOfferPath } from './server-paths.ts';

/** Sent with every response, the backend's included. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
};

/** The administrator's pages share no browsing context and no resource with another origin. */
export const ADMIN_HEADERS: Readonly<Record<string, string>> = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex',
};

/** The buyer's page: what its link opens is for one person, and its URL goes to no other site. */
const OFFER_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
};

/**
 * Headers of `/admin` on a host without the admin area. A session stored there while it was the admin host would be readable by
 * the domain's buyer. For documents only: a picture or a frame in any page would clear the storage, too.
 * @param destination the request's `Sec-Fetch-Dest`, which pages cannot forge
 */
export function noAdminHeaders(destination: string | null | undefined): Record<string, string> {
  return destination === 'document' ? { 'clear-site-data': '"storage"' } : {};
}

/** HSTS in seconds: a domain that is sold may not stay bound to https by its former owner for longer than a day. */
const HSTS_FOR_SALE_S = 86_400;
const HSTS_OWN_S = 31_536_000;

/** `Strict-Transport-Security` of a host: a year on the site's own hosts, a day on domains for sale and all others. */
export function hstsOf(host: string, site: SiteHosts): string {
  const isOwn = host === site.adminHost || namesOfHost(host).some((name) => site.hosts.includes(name));
  return `max-age=${isOwn ? HSTS_OWN_S : HSTS_FOR_SALE_S}`;
}

/** Of an SVG, which can be opened by its own URL, too: no script of it runs there, and it loads nothing. */
const SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/**
 * Returns the headers of a file, but HSTS and those of its bytes (length, encoding, ETag).
 * @param path of the file on the site, as `pagePathOf` returns it
 */
export function headersOf(path: string, policies: Policies): Record<string, string> {
  const extension = path.endsWith('/') ? '.html' : (/\.[^./]+$/.exec(path)?.[0] ?? '');
  const policy = policies.pages[withoutEnding(path)] ?? policies.everywhere;
  return {
    ...SECURITY_HEADERS,
    ...(extension === '.html' ? { 'content-security-policy': policy } : {}),
    ...(extension === '.svg' ? { 'content-security-policy': SVG_POLICY } : {}),
    'content-type': CONTENT_TYPES[extension] ?? OTHER_CONTENT_TYPE,
    vary: 'accept-encoding',
    ...(isAdminPath(path) ? ADMIN_HEADERS : { 'cache-control': cacheControlOf(path) }),
    ...(isOfferPath(path) ? OFFER_HEADERS : {}),
  };
}

function cacheControlOf(path: string): string {
  // Their names change with their content.
  if (path.startsWith('/_astro/')) return 'public, max-age=31536000, immutable';
  // Chats and networks keep their own copy for longer than this.
  if (path.startsWith('/share/')) return 'public, max-age=86400';
  return 'public, max-age=0, must-revalidate';
}

/** By the file's extension. */
export const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

const OTHER_CONTENT_TYPE = 'application/octet-stream';
