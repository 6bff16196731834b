/**
 * Checks requests to the backend against the allow-list, and returns path, headers and body rewritten from what was
 * checked.
 */
import type { IncomingMessage } from 'node:http';
import { isAdminHost, type SiteHosts } from '#contract/hosts.ts';
import { createReadRole, type ReadRole } from './access-token.ts';
import {
  BACKEND_ROUTES,
  type BackendRoute,
  type DatabaseRoute,
  type FunctionRoute,
} from './backend-routes.ts';
import type { RejectionCode } from './rejections.ts';
import type { RequestTarget } from './request-target.ts';
import { readPrefer } from './rest-headers.ts';
import { readQuery } from './rest-query.ts';

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
  /** Sent to the database process with each checked request. */
  readonly gatewayKey: string;
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
  /** Path and query as they are forwarded. */
  readonly path: string;
  readonly headers: Record<string, string>;
}

/**
 * Returns a check of everything but the body, in this order: path, host, method, key and role, query and headers, media
 * type.
 */
export function createRequestCheck(options: RequestCheckOptions) {
  const readRole = createReadRole(options.publishableKey, options.tokenSecret);

  return (request: IncomingMessage, target: RequestTarget): Rejection | CheckedRequest => {
    const found = findRoute(request.method, target, options.siteHosts());
    if ('rejected' in found) return found;
    const { route, onAdminHost } = found;
    return route.to === 'database'
      ? checkDatabaseRequest(request, target, route, onAdminHost)
      : checkFunctionRequest(request, target, route, readRole);
  };

  function checkDatabaseRequest(
    { headers: given }: IncomingMessage,
    target: RequestTarget,
    route: DatabaseRoute,
    onAdminHost: boolean,
  ): Rejection | CheckedRequest {
    if (given.apikey !== options.publishableKey) return { rejected: 'unauthorized' };
    const role = onAdminHost ? readRole(given.authorization) : undefined;
    if (role === undefined || (route.role === 'authenticated' && role === 'anon'))
      return { rejected: 'not_signed_in' };
    const query = readQuery(target.query, route.query);
    const prefer = readPrefer(given);
    if (query === undefined || prefer === undefined) return { rejected: 'unsupported_query' };
    const names = new URLSearchParams(query);
    if (route.required.some((name) => !names.has(name))) return { rejected: 'unsupported_query' };
    if (route.body !== undefined && !isJson(given['content-type'])) return { rejected: 'not_json' };
    return {
      route,
      path: query === '' ? target.path : `${target.path}?${query}`,
      headers: {
        'x-gateway-key': options.gatewayKey,
        apikey: options.publishableKey,
        ...(role === 'authenticated' ? { authorization: given.authorization ?? '' } : {}),
        accept: 'application/json',
        ...(prefer === '' ? {} : { prefer }),
        ...(route.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
    };
  }
}

/** Finds the route of a path, on a host, for a method. */
export function findRoute(
  method: string | undefined,
  { path, host }: RequestTarget,
  siteHosts: SiteHosts,
): Rejection | { readonly route: BackendRoute; readonly onAdminHost: boolean } {
  const methods = Object.hasOwn(BACKEND_ROUTES, path) ? BACKEND_ROUTES[path] : undefined;
  if (!methods) return { rejected: 'unknown_route' };
  const onAdminHost = isAdminHost(host, siteHosts);
  const first = Object.values(methods)[0];
  if (first && !onAdminHost && isHiddenElsewhere(first)) return { rejected: 'unknown_route' };
  const route = methods[method as keyof typeof methods];
  if (!route) {
    return { rejected: 'method_not_allowed', headers: { allow: Object.keys(methods).join(', ') } };
  }
  return { route, onAdminHost };
}

function isHiddenElsewhere(route: BackendRoute): boolean {
  return route.to === 'database' ? route.elsewhere === 404 : route.adminOnly;
}

/** Functions check key, origin and body themselves, because a hosted project has no gateway; here no secret key passes. */
function checkFunctionRequest(
  { headers: given }: IncomingMessage,
  target: RequestTarget,
  route: FunctionRoute,
  readRole: ReadRole,
): Rejection | CheckedRequest {
  if (readRole(given.authorization) === undefined) return { rejected: 'unauthorized' };
  const query = readQuery(target.query, route.query);
  if (query === undefined) return { rejected: 'unsupported_query' };
  // A compressed body would have to be read before it is checked.
  if (given['content-encoding'] !== undefined) return { rejected: 'not_json' };
  const headers: Record<string, string> = {};
  for (const name of FUNCTION_HEADERS) {
    const value = given[name];
    if (typeof value === 'string') headers[name] = value;
  }
  return { route, path: query === '' ? target.path : `${target.path}?${query}`, headers };
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
