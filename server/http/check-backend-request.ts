/**
 * Checks requests to the backend against the allow-list, and returns path, headers and body rewritten from what was
 * checked.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { SiteHosts } from '#contract/hosts.ts';
import { type Role, readRole } from '../backend-requests/access-token.ts';
import { readPrefer } from '../backend-requests/rest-headers.ts';
import { readQuery } from '../backend-requests/rest-query.ts';
import { isForAdminHost } from './admin-host.ts';
import { BACKEND_ROUTES, type BackendRoute, type DatabaseRoute } from './backend-routes.ts';
import type { RejectionCode } from './rejections.ts';
import type { RequestTarget } from './request-target.ts';

/** Header with the request's host for the functions. A client's own header of this name is never forwarded. */
export const REQUEST_HOST_HEADER = 'x-request-host';

/** Request headers that the functions read, besides those that the gateway sets. */
const FUNCTION_HEADERS = [
  'apikey',
  'authorization',
  'content-type',
  'origin',
  'access-control-request-headers',
  'access-control-request-method',
  'x-client-info',
] as const;

export interface RequestCheckOptions {
  readonly publishableKey: string;
  /** Signs the access tokens of users (HS256). */
  readonly tokenSecret: string;
  siteHosts(): SiteHosts;
}

/** A rejection: its code, and the headers that belong to it. */
export interface Rejection {
  readonly rejected: RejectionCode;
  readonly headers?: Record<string, string>;
}

export interface CheckedRequest {
  readonly route: BackendRoute;
  /** `authenticated`: the token of a session was verified. */
  readonly role: Role;
  /** Path and query as they are forwarded. */
  readonly path: string;
  readonly headers: Record<string, string>;
}

/** Headers as they are forwarded, or why the given ones are rejected. */
type CheckedHeaders = Record<string, string> | RejectionCode;

/**
 * Returns a check of everything but the body, in this order: path, host, method, key and role, query and headers, media
 * type.
 */
export function createRequestCheck(options: RequestCheckOptions) {
  const { publishableKey } = options;

  return (request: IncomingMessage, target: RequestTarget): Rejection | CheckedRequest => {
    const given = request.headers;
    const siteHosts = options.siteHosts();
    const found = findRoute(request, target, siteHosts);
    if ('rejected' in found) {
      // A hosted project serves HEAD. Nothing here sends it; without a session it is closed as every read is.
      const isClosed =
        request.method === 'HEAD' &&
        target.path.startsWith('/rest/v1/') &&
        !(
          isForAdminHost(request, target.host, siteHosts) &&
          readRole(given.authorization, options) === 'authenticated'
        );
      return isClosed ? { rejected: 'not_signed_in' } : found;
    }
    const { route, onAdminHost } = found;
    const isDatabase = route.to === 'database';
    if (isDatabase && given.apikey !== publishableKey) return { rejected: 'unauthorized' };
    const role = isDatabase && !onAdminHost ? undefined : readRole(given.authorization, options);
    // Its requests have no key.
    if (route.to === 'catalogue' && role !== 'authenticated') return { rejected: 'session_ended' };
    // Beside the public key it is the token of a session.
    if (role === undefined && !isDatabase)
      return { rejected: given.apikey === publishableKey ? 'session_ended' : 'unauthorized' };
    if (role === undefined || (isDatabase && route.role === 'authenticated' && role === 'anon'))
      return { rejected: 'not_signed_in' };
    if (route.to === 'catalogue' && request.method === 'POST' && !isJson(given['content-type']))
      return { rejected: 'not_json' };
    // The function would see only the origin of a page.
    if (route.to === 'negotiation' && role === 'authenticated' && !onAdminHost)
      return { rejected: 'not_signed_in' };
    const query = readQuery(target.query, route.query, route.required);
    if (query === undefined) return { rejected: 'unsupported_query' };
    const headers = isDatabase ? databaseHeaders(given, route, role) : functionHeaders(given, target);
    if (typeof headers === 'string') return { rejected: headers };
    return { route, role, path: query === '' ? target.path : `${target.path}?${query}`, headers };
  };

  function databaseHeaders(given: IncomingHttpHeaders, { body }: DatabaseRoute, role: Role): CheckedHeaders {
    const prefer = readPrefer(given);
    if (prefer === undefined) return 'unsupported_query';
    if (body !== undefined && !isJson(given['content-type'])) return 'not_json';
    return {
      apikey: publishableKey,
      ...(role === 'authenticated' ? { authorization: given.authorization ?? '' } : {}),
      accept: 'application/json',
      ...(prefer === '' ? {} : { prefer }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
  }
}

/** Finds the route of a request by path, host and method. */
export function findRoute(
  request: IncomingMessage,
  { path, host }: RequestTarget,
  siteHosts: SiteHosts,
): Rejection | { readonly route: BackendRoute; readonly onAdminHost: boolean } {
  const methods = Object.hasOwn(BACKEND_ROUTES, path) ? BACKEND_ROUTES[path] : undefined;
  const onAdminHost = isForAdminHost(request, host, siteHosts);
  // The methods of a path are on the same hosts.
  if (!methods || (!onAdminHost && Object.values(methods)[0]?.adminOnly))
    return { rejected: 'unknown_route' };
  const route = methods[request.method as keyof typeof methods];
  if (route) return { route, onAdminHost };
  return { rejected: 'method_not_allowed', headers: { allow: Object.keys(methods).join(', ') } };
}

/** Functions check key, origin and body themselves, because a hosted project has no gateway; here no secret key passes. */
function functionHeaders(given: IncomingHttpHeaders, { host }: RequestTarget): CheckedHeaders {
  // A compressed body would have to be read before it is checked.
  if (given['content-encoding'] !== undefined) return 'not_json';
  const headers: Record<string, string> = { [REQUEST_HOST_HEADER]: host };
  for (const name of FUNCTION_HEADERS) {
    const value = given[name];
    if (typeof value === 'string') headers[name] = value;
  }
  return headers;
}

function isJson(contentType: string | undefined): boolean {
  return /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i.test(contentType ?? '');
}

/** Returns the body as it is forwarded; undefined if the route does not accept it. */
export function checkBody(route: BackendRoute, read: Buffer): Buffer | undefined {
  if (route.to !== 'database') return read;
  if (route.body === undefined) return Buffer.alloc(0);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(read);
    // A call without arguments may come without a body.
    const parsed = route.body.safeParse(JSON.parse(text === '' ? '{}' : text));
    return parsed.success ? Buffer.from(JSON.stringify(parsed.data)) : undefined;
  } catch {
    return undefined;
  }
}
