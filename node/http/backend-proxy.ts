/**
 * Forwards requests to the backend's processes. Path, query, headers and body are rewritten from what was checked
 * (check-backend-request.ts), so that two parsers cannot understand a request differently.
 */
import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  type ServerResponse,
  request as send,
} from 'node:http';
import { SECURITY_HEADERS } from '../../src/serving/headers.ts';
import { createBodySlots } from './body-slots.ts';
import {
  checkBody,
  createRequestCheck,
  type Rejection,
  type RequestCheckOptions,
} from './check-backend-request.ts';
import { CLIENT_IP_HEADER, type ClientIpOf } from './client-ip.ts';
import { createDeliveredTokens, refreshTokenIn } from './delivered-tokens.ts';
import { createFailureLimit } from './failure-limit.ts';
import { createSlots, MOST_OF_PUBLIC, type Most } from './in-flight-slots.ts';
import { limitedLog } from './limited-log.ts';
import { REJECTIONS } from './rejections.ts';
import { type Body, readBody } from './request-body.ts';
import type { RequestTarget } from './request-target.ts';

/** Longest time the backend may take for one response, in milliseconds. */
const BACKEND_TIMEOUT_MS = 25_000;
/** `retry-after` of a request that found no place, in seconds. */
const RETRY_AFTER_S = 5;

/** Idempotent methods. */
const REPEATABLE: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** Response headers that are forwarded to the client. */
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

export interface BackendProxyOptions extends RequestCheckOptions {
  /** Where auth and the data API listen; undefined while they are down. */
  databaseOrigin(): string | undefined;
  /** Where the functions listen; undefined while they are down. */
  functionsOrigin(): string | undefined;
  readonly clientIpOf: ClientIpOf;
  /** Whether `clientIpOf` reads the client's IP from a header of a proxy. */
  readonly isBehindProxy: boolean;
}

export type BackendProxy = (
  request: IncomingMessage,
  response: ServerResponse,
  target: RequestTarget,
) => void;

/**
 * An upstream with its own connections and its own slots, so that overload of one does not block the others. Requests
 * with a place wait for a connection.
 */
function upstream(connections: number, slots: ReturnType<typeof createSlots>) {
  return { agent: new Agent({ keepAlive: true, maxSockets: connections }), slots };
}

export function createBackendProxy(options: BackendProxyOptions): BackendProxy {
  // A proxy that no setting names makes all visitors one IP of this machine.
  const publicSlots = (mostOfLoopback: Most) =>
    createSlots(512, MOST_OF_PUBLIC, options.isBehindProxy ? MOST_OF_PUBLIC : mostOfLoopback);
  const upstreams = {
    // A rejection takes 600 ms or more. No request with a place waits for a connection, so that the queue of the function
    // decides who waits.
    'admin-auth': upstream(512, publicSlots(MOST_OF_PUBLIC)),
    // Cheap: few connections are enough, and a flood does not delay offers.
    'bot-check': upstream(8, publicSlots({})),
    'order-submit': upstream(96, publicSlots({ ip: 72 })),
    // Moves are few, and each has a few calls.
    negotiation: upstream(16, publicSlots({ ip: 12 })),
    // For users whose token was verified here.
    'negotiation of the owner': upstream(16, createSlots(256, { ip: 12 })),
    database: upstream(64, createSlots(512, { ip: 48 })),
    // Open to every client: few connections, separate from those of signed-in users.
    refresh: upstream(8, publicSlots({ ip: 6 })),
  };
  const bodies = createBodySlots(2_048);
  const failedRefreshes = createFailureLimit();
  const delivered = createDeliveredTokens();
  const checkRequest = createRequestCheck(options);
  const log = limitedLog();

  return (request, response, target) => {
    handle(request, response, target)
      .then((rejection) => rejection && reject(response, rejection))
      .catch((error) => {
        log(`${request.method} ${target.path} failed: ${error instanceof Error ? error.stack : error}`);
        response.destroy();
      });
  };

  /** Returns why the request is rejected; undefined if a response was forwarded or the client has disconnected. */
  async function handle(
    request: IncomingMessage,
    response: ServerResponse,
    target: RequestTarget,
  ): Promise<Rejection | undefined> {
    const checked = checkRequest(request, target);
    if ('rejected' in checked) return checked;
    const { route, role, path, headers } = checked;
    const ip = options.clientIpOf(request);

    const read = await receiveBody(request, response, ip);
    if (read === undefined) return undefined;
    if (typeof read === 'string') return { rejected: read };
    const body = checkBody(route, read);
    if (body === undefined) return { rejected: 'malformed' };

    const isRefresh = route.to === 'database' && route.role === 'anon';
    const token = isRefresh ? refreshTokenIn(body) : undefined;
    const isLimited = token !== undefined && !delivered.has(token);
    const wait = isLimited ? failedRefreshes.wait(ip) : 0;
    if (wait > 0) return { rejected: 'too_many_requests', headers: { 'retry-after': String(wait) } };

    const isOwners = route.to === 'negotiation' && role === 'authenticated';
    const { agent, slots } =
      upstreams[isRefresh ? 'refresh' : isOwners ? 'negotiation of the owner' : route.to];
    const origin = route.to === 'database' ? options.databaseOrigin() : options.functionsOrigin();
    const release = origin === undefined ? undefined : slots.acquire(ip);
    if (!release) return { rejected: 'unavailable' };
    const removeFailure = isLimited ? failedRefreshes.add(ip) : undefined;
    if (ip !== undefined) headers[CLIENT_IP_HEADER] = ip;
    // Set for every method: Node would frame no body for GET, and the backend would parse one as the next request.
    headers['content-length'] = String(body.byteLength);
    const onResponse = isRefresh || route.to === 'admin-auth' ? delivered.readFrom : undefined;
    const forwarded = { url: `${origin}${path}`, headers, body };
    const status = await forward(request, response, agent, forwarded, onResponse).finally(release);
    const kind = Math.floor((status ?? 0) / 100);
    if (kind !== 4) removeFailure?.();
    else if (token !== undefined) delivered.delete(token);
    return status === undefined ? { rejected: 'unavailable' } : undefined;
  }

  /** Returns the body, the code of its rejection, or undefined if the client has disconnected. */
  async function receiveBody(
    request: IncomingMessage,
    response: ServerResponse,
    ip: string | undefined,
  ): Promise<Body | 'unavailable'> {
    // Without a body there are no events either; see the gateway's `optimizeEmptyRequests`.
    if (request.readableEnded) return Buffer.alloc(0);
    const evicted = Promise.withResolvers<'unavailable'>();
    const release = bodies.acquire(ip, () => evicted.resolve('unavailable'));
    if (!release) return 'unavailable';
    return await Promise.race([readBody(request, response), evicted.promise]).finally(release);
  }

  /**
   * Forwards a request. Repeats it over a new connection if the backend closed the keep-alive one at that moment. If the
   * client disconnects, a request that was sent runs to its end, because it costs the backend the same.
   * @param onResponse called before the response is read
   * @returns settles when the backend has finished, at the latest after its timeout: the status, undefined without response
   */
  async function forward(
    request: IncomingMessage,
    response: ServerResponse,
    agent: Agent,
    { url, headers, body }: { url: string; headers: Record<string, string>; body: Buffer },
    onResponse?: (received: IncomingMessage) => void,
  ): Promise<number | undefined> {
    const { method = '' } = request;
    const finished = Promise.withResolvers<number | undefined>();
    let received: IncomingMessage | undefined;
    let current = attempt(true);
    // The client disconnects before the response ends.
    response.on('close', () => {
      if (response.writableFinished) return;
      // Waits for a connection: was not sent.
      if (!current.socket) current.destroy();
      received?.unpipe(response).resume();
    });
    return await finished.promise;

    function attempt(isFirst: boolean): ClientRequest {
      // Other keep-alive connections may be closed as well.
      const connection = isFirst ? agent : false;
      const sent = send(url, { agent: connection, method, headers, timeout: BACKEND_TIMEOUT_MS });
      const abort = () => sent.destroy(new Error('no response in time'));
      // `timeout` counts only once there is a connection.
      const timer = setTimeout(abort, BACKEND_TIMEOUT_MS);
      sent.on('timeout', abort);
      sent.on('response', (incoming) => {
        clearTimeout(timer);
        received = incoming;
        incoming.on('error', () => response.destroy());
        onResponse?.(incoming);
        if (response.destroyed) incoming.resume();
        else respond(incoming, response);
      });
      sent.on('error', (error: NodeJS.ErrnoException) => {
        clearTimeout(timer);
        const isClosed = sent.reusedSocket && error.code === 'ECONNRESET';
        if (response.headersSent || response.destroyed) response.destroy();
        else if (isFirst && isClosed && REPEATABLE.has(method)) current = attempt(false);
        else {
          const { pathname } = new URL(url);
          log(`The backend did not respond to ${method} ${pathname} (${error.code ?? error.message}).`);
        }
      });
      sent.on('close', () => {
        if (sent === current) finished.resolve(received?.statusCode);
      });
      sent.end(body);
      return sent;
    }
  }
}

function respond(received: IncomingMessage, response: ServerResponse): void {
  const headers = Object.entries(received.headers).filter(([name]) => RESPONSE_HEADERS.has(name));
  // The response is private to this client.
  const added = { ...SECURITY_HEADERS, 'cache-control': 'no-store' };
  response.writeHead(received.statusCode ?? 502, { ...Object.fromEntries(headers), ...added });
  received.pipe(response);
}

/** `error` is for clients of the functions, `message` for clients of the data API. */
export function reject(response: ServerResponse, { rejected: code, headers = {} }: Rejection): void {
  if (response.headersSent || response.destroyed) return;
  const [status, message] = REJECTIONS[code];
  const error = message.replace('{method}', headers.allow ?? '');
  const body = JSON.stringify({ error, message: error, code });
  response.writeHead(status, {
    ...SECURITY_HEADERS,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    ...(code === 'unavailable' ? { 'retry-after': String(RETRY_AFTER_S) } : {}),
    // The rest of the body may never arrive.
    ...(code === 'too_slow' || code === 'unavailable' ? { connection: 'close' } : {}),
    ...headers,
  });
  response.end(body);
}
