/** Paths with a response of the server itself, rather than a file of the build. */

/** These and everything below them: the backend. */
const BACKEND_PATHS = ['/auth/v1', '/rest/v1', '/functions/v1'] as const;

/** These and everything below them: the administrator's area, whose pages depend on the host. */
const ADMIN_PATH = '/admin';

/** Paths of texts that each host has of its own (host-text.ts). */
export const HOST_TEXT_PATHS: ReadonlySet<string> = new Set([
  '/robots.txt',
  '/sitemap.xml',
  '/.well-known/security.txt',
]);

export const HEALTH_PATH = '/health';

/** Whether a path belongs to the backend, on its list or not. */
export function isBackendPath(path: string): boolean {
  return BACKEND_PATHS.some((one) => isBelow(path, one));
}

/** Whether a decoded path belongs to the administrator's area. */
export function isAdminPath(path: string): boolean {
  return isBelow(path, ADMIN_PATH);
}

/** Whether a path is the buyer's page, which reads the link's token from the fragment: `/offer/`, `/de/offer/`. */
export function isOfferPath(path: string): boolean {
  return OFFER_PATH.test(path);
}
const OFFER_PATH = /^(?:\/[a-zA-Z-]+)?\/offer\/$/;

function isBelow(path: string, parent: string): boolean {
  return path.startsWith(parent) && (path.length === parent.length || path[parent.length] === '/');
}
