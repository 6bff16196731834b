/**
 * Sends requests on to the backend's processes. Nothing goes on as it came: path, query, headers and body are written anew
 * from what was checked against the allow-list, so that no two parsers can understand a request differently.
 */
import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  type ServerResponse,
  request as send,
} from 'node:http';
import { isAdminHost, type SiteHosts } from '#contract/hosts.ts';
import { createReadRole, type ReadRole } from './access-token.ts';
import {
  BACKEND_ROUTES,
  type BackendRoute,
  type DatabaseRoute,
  type FunctionRoute,
} from './backend-routes.ts';
import { createBodyPlaces } from './body-places.ts';
import { CLIENT_ADDRESS_HEADER, type ClientAddressOf } from './client-address.ts';
import { createFailureLimit } from './failure-limit.ts';
import { SECURITY_HEADERS } from './headers.ts';
import { createPlaces, type Places } from './in-flight-places.ts';
import { limitedLog } from './limited-log.ts';
import { REJECTIONS, type RejectionCode } from './rejections.ts';
import { type Body, readBody } from './request-body.ts';
import type { RequestTarget } from './request-target.ts';
import { readPrefer } from './rest-headers.ts';
import { readQuery } from './rest-query.ts';

/** Longest time the backend may take for one response, in milliseconds. */
const BACKEND_TIMEOUT_MS = 25_000;
/** How soon a client is asked to come back where there is no place, in seconds. */
const RETRY_AFTER_S = 5;

/** Asked twice, these do what they do once. */
const REPEATABLE: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** Request headers that the functions read, beside those that are written here. */
const FUNCTION_HEADERS = [
  'apikey',
  'authorization',
  'content-type',
  'origin',
  'access-control-request-headers',
  'access-control-request-method',
  'x-client-info',
] as const;

/** Response headers that go on to the visitor. */
const RESPONSE_HEADERS: ReadonlySet<string> = new Set([
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-allow-origin',
  'access-control-max-age',
  'allow',
  'content-length',
  'content-range',
  'content-type',
  'preference-applied',
  'retry-after',
  'vary',
  'x-request-id',
]);

export interface BackendProxyOptions {
  /** Where auth and the data API listen; undefined while they are down. */
  databaseOrigin(): string | undefined;
  /** Where the functions listen; undefined while they are down. */
  functionsOrigin(): string | undefined;
  /** Proves to the database process that a request was checked here. */
  readonly gatewayKey: string;
  readonly publishableKey: string;
  /** Signs the access tokens of users (HS256). */
  readonly tokenSecret: string;
  siteHosts(): SiteHosts;
  readonly clientAddressOf: ClientAddressOf;
}

export type BackendProxy = (
  request: IncomingMessage,
  response: ServerResponse,
  target: RequestTarget,
) => void;

/**
 * An upstream with its own connections and its own places, so that overload of one does not block the others. The rest of
 * the places wait for a connection.
 */
interface Upstream {
  readonly agent: Agent;
  readonly places: Places;
}

/** @param most places of one address: fewer than there are connections, so that one address alone delays no other */
function upstream(connections: number, places: number, most?: number): Upstream {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return { agent, places: createPlaces(places, most) };
}

/** A request as it goes on. */
interface Onward {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

/** A rejection: its code, and headers that belong to it. */
interface Rejection {
  readonly rejected: RejectionCode;
  readonly headers?: Record<string, string>;
}

export function createBackendProxy(options: BackendProxyOptions): BackendProxy {
  const upstreams = {
    // More than its queues have places (100, see lanes.ts), so that who waits is decided there, by lane and source.
    'admin-auth': upstream(128, 1_024),
    // Cheap and asked for by every visitor: few at once are enough, and a flood of them delays no offer.
    'bot-check': upstream(8, 512),
    'order-submit': upstream(96, 512, 72),
    // For users whose token was verified here.
    database: upstream(64, 512, 48),
    // Anybody may send a refresh token: few at once, apart from what users with a session do.
    refresh: upstream(8, 256, 6),
  };
  const bodies = createBodyPlaces(2_048);
  const failedRefreshes = createFailureLimit();
  const readRole = createReadRole(options.publishableKey, options.tokenSecret);
  const log = limitedLog();

  return (request, response, target) => {
    handle(request, response, target).catch((error) => {
      log(`${request.method} ${target.path} failed: ${error instanceof Error ? error.stack : error}`);
      response.destroy();
    });
  };

  async function handle(
    request: IncomingMessage,
    response: ServerResponse,
    target: RequestTarget,
  ): Promise<void> {
    const checked = checkHead(request, target);
    if ('rejected' in checked) return reject(response, checked.rejected, checked.headers);
    const { route, path, headers } = checked;
    const address = options.clientAddressOf(request);

    const isRefresh = route.to === 'database' && route.role === 'anon';
    const wait = isRefresh ? failedRefreshes.wait(address) : 0;
    if (wait > 0) return reject(response, 'too_many_requests', { 'retry-after': String(wait) });

    const read = await receiveBody(request, response, address);
    if (read === undefined) return;
    if (typeof read === 'string') return reject(response, read);
    const body = bodyFor(route, read);
    if (body === undefined) return reject(response, 'malformed');

    const { agent, places } = upstreams[isRefresh ? 'refresh' : route.to];
    const origin = route.to === 'database' ? options.databaseOrigin() : options.functionsOrigin();
    const place = origin === undefined ? undefined : places.take(address);
    if (!place) return reject(response, 'unavailable');
    response.once('close', () => {
      place();
      if (isRefresh && response.statusCode >= 400 && response.statusCode < 500) failedRefreshes.note(address);
    });
    if (address !== undefined) headers[CLIENT_ADDRESS_HEADER] = address;
    // Written for every method: Node would frame no body for GET, and the backend would take one for the next request.
    headers['content-length'] = String(body.byteLength);
    forward(request, response, `${origin}`, agent, { path, headers, body });
  }

  /** The body, why it is rejected, or undefined where the visitor has gone. */
  async function receiveBody(
    request: IncomingMessage,
    response: ServerResponse,
    address: string | undefined,
  ): Promise<Body | 'unavailable'> {
    if (request.readableEnded) return Buffer.alloc(0);
    const evicted = Promise.withResolvers<'unavailable'>();
    const giveBack = bodies.take(address, () => evicted.resolve('unavailable'));
    if (!giveBack) return 'unavailable';
    return await Promise.race([readBody(request, response), evicted.promise]).finally(giveBack);
  }

  /** Checks everything but the body, in this order: path, host, method, key and role, query and headers, media type. */
  function checkHead(
    request: IncomingMessage,
    target: RequestTarget,
  ): Rejection | { route: BackendRoute; path: string; headers: Record<string, string> } {
    const methods = Object.hasOwn(BACKEND_ROUTES, target.path) ? BACKEND_ROUTES[target.path] : undefined;
    if (!methods) return { rejected: 'unknown_route' };
    const onAdminHost = isAdminHost(target.host, options.siteHosts());
    const first = Object.values(methods)[0];
    if (first && !onAdminHost && isHiddenElsewhere(first)) return { rejected: 'unknown_route' };
    const route = methods[request.method as keyof typeof methods];
    if (!route) {
      return { rejected: 'method_not_allowed', headers: { allow: Object.keys(methods).join(', ') } };
    }
    return route.to === 'database'
      ? checkDatabaseRequest(request, target, route, onAdminHost)
      : checkFunctionRequest(request, target, route, readRole);
  }

  function checkDatabaseRequest(
    { headers: given }: IncomingMessage,
    target: RequestTarget,
    route: DatabaseRoute,
    onAdminHost: boolean,
  ): Rejection | { route: BackendRoute; path: string; headers: Record<string, string> } {
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

  /** Forwards one request, once more over a fresh connection where a kept one was closed at this moment. */
  function forward(
    request: IncomingMessage,
    response: ServerResponse,
    origin: string,
    agent: Agent,
    onward: Onward,
  ): void {
    let current = attempt(true);
    // The visitor is gone before the response. After it, the connection is kept for the next request.
    response.on('close', () => {
      if (!response.writableFinished) current.destroy();
    });

    function attempt(isFirst: boolean): ClientRequest {
      const sent = send(`${origin}${onward.path}`, {
        // The other kept connections may be closed as well.
        agent: isFirst ? agent : false,
        method: request.method,
        headers: onward.headers,
        timeout: BACKEND_TIMEOUT_MS,
      });
      const abandon = () => sent.destroy(new Error('no response in time'));
      // The other timeout counts from when there is a connection.
      const timer = setTimeout(abandon, BACKEND_TIMEOUT_MS);
      sent.on('timeout', abandon);
      sent.on('response', (received) => {
        clearTimeout(timer);
        respond(received, response);
      });
      sent.on('error', (error: NodeJS.ErrnoException) => {
        clearTimeout(timer);
        if (response.headersSent || response.destroyed) response.destroy();
        else if (isFirst && sent.reusedSocket && error.code === 'ECONNRESET' && mayRepeat()) {
          current = attempt(false);
        } else {
          const [path] = onward.path.split('?', 1);
          log(`The backend did not respond to ${request.method} ${path} (${error.code ?? error.message}).`);
          reject(response, 'unavailable');
        }
      });
      sent.end(onward.body);
      return sent;
    }

    function mayRepeat(): boolean {
      return REPEATABLE.has(request.method ?? '');
    }
  }
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
): Rejection | { route: BackendRoute; path: string; headers: Record<string, string> } {
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

/** The body as it goes on; undefined where it is not what the route takes. */
function bodyFor(route: BackendRoute, read: Buffer): Buffer | undefined {
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

function respond(received: IncomingMessage, response: ServerResponse): void {
  const headers: Record<string, string | string[]> = { ...SECURITY_HEADERS };
  for (const [name, value] of Object.entries(received.headers)) {
    if (value !== undefined && RESPONSE_HEADERS.has(name)) headers[name] = value;
  }
  // What the backend responds is for this visitor alone.
  headers['cache-control'] = 'no-store';
  response.writeHead(received.statusCode ?? 502, headers);
  received.pipe(response);
  received.on('error', () => response.destroy());
}

/** `error` is what the functions' clients read, `message` what the data API's clients read. */
function reject(response: ServerResponse, code: RejectionCode, more: Record<string, string> = {}): void {
  if (response.headersSent || response.destroyed) return;
  const [status, sentence] = REJECTIONS[code];
  const error = sentence.replace('{method}', more.allow ?? '');
  const body = JSON.stringify({ error, message: error, code });
  response.writeHead(status, {
    ...SECURITY_HEADERS,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    ...(code === 'unavailable' ? { 'retry-after': String(RETRY_AFTER_S) } : {}),
    // The rest of the body may never come.
    ...(code === 'too_slow' || code === 'unavailable' ? { connection: 'close' } : {}),
    ...more,
  });
  response.end(body);
}
