/**
 * The headers of every file of the site. The build writes the pages' content security policies (policies.ts);
 * everything else stands here once, for every way of serving.
 */
import { extname } from 'node:path';
import { type Policies, withoutEnding } from '../build/policies.ts';
import type { Encoding } from './encodings.ts';

/** Sent with everything, answers of the backend included. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'strict-transport-security': 'max-age=31536000',
};

/** How long a connection waits for its next request, in milliseconds. */
export const KEPT_OPEN = 15_000;

/** All headers of one file, as flat pairs. */
export function headersOf(
  address: string,
  encoding: Encoding,
  length: number,
  etag: string,
  policies: Policies,
): string[] {
  const isPage = address.endsWith('/') || address.endsWith('.html');
  const policy = policies.pages[withoutEnding(address)] ?? policies.everywhere;
  return Object.entries({
    ...SECURITY_HEADERS,
    ...(isPage ? { 'content-security-policy': policy } : {}),
    'content-type': CONTENT_TYPES[isPage ? '.html' : extname(address)] ?? 'application/octet-stream',
    'content-length': String(length),
    ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
    vary: 'accept-encoding',
    etag,
    ...cachingOf(address),
  }).flat();
}

function cachingOf(address: string): Record<string, string> {
  if (isAdmin(address)) return { 'cache-control': 'no-store', 'x-robots-tag': 'noindex' };
  // Their names change with their content.
  if (address.startsWith('/_astro/')) return { 'cache-control': 'public, max-age=31536000, immutable' };
  // Chats and networks keep their own copy for longer than this.
  if (address.startsWith('/share/')) return { 'cache-control': 'public, max-age=86400' };
  return { 'cache-control': 'public, max-age=0, must-revalidate' };
}

/** Whether an address belongs to the administrator's area. */
export function isAdmin(path: string): boolean {
  return path === '/admin' || path.startsWith('/admin/');
}

const CONTENT_TYPES: Record<string, string> = {
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
