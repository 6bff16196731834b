/**
 * Forwards requests to the backend. Path, query, headers and body are rewritten from what was checked
 * (check-backend-request.ts), so that two parsers cannot understand a request differently.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AGAIN } from '#contract/bot-check.ts';
import { SECURITY_HEADERS } from '../../src/serving/headers.ts';
import type { BackendRequest, BackendResponse } from '../backend-requests/backend-request.ts';
import { chooseEncoding, compressResponse } from '../pages/encodings.ts';
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
import { createWorkQueue, type WorkQueue } from './work-queue.ts';

/** Longest time the backend may take for one response, in milliseconds. */
const BACKEND_TIMEOUT_MS = 25_000;
/** `retry-after` of a request that found no place, in seconds. */
const RETRY_AFTER_S = 5;
/** Size of the smallest response that is compressed, in bytes: others fit into one packet. */
const MIN_COMPRESSED = 1_024;

/** Response headers that are forwarded to the client. */
const RESPONSE_HEADERS: ReadonlySet<string> = new Set([
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-allow-origin',
  'access-control-max-age',
  'allow',
  'content-range',
  'content-type',
  'retry-after',
  'vary',
  'x-request-id',
  'x-supabase-api-version',
]);

export interface BackendProxyOptions extends RequestCheckOptions {
  /** Sends a request to the backend. @throws when that ends before its response */
  send(request: BackendRequest): Promise<BackendResponse>;
  /** Responds to a request for the catalogue on this host. Absent: there is no such path. */
  readonly catalogue?: ((request: BackendRequest, host: string) => Promise<BackendResponse>) | undefined;
  /** Called with the name of the site for which a page got its first bot check. */
  readonly onBotCheck?: ((name: string) => void) | undefined;
  readonly clientIpOf: ClientIpOf;
  /** Whether `clientIpOf` reads the client's IP from a header of a proxy. */
  readonly isBehindProxy: boolean;
  readonly console?: Console;
}

export type BackendProxy = (
  request: IncomingMessage,
  response: ServerResponse,
  target: RequestTarget,
) => void;

/**
 * An upstream with its own slots, so that overload of one does not block the others: a flood of one is not queued in front
 * of others, since what waits for its turn waits here.
 * @param atWork calls that the backend has at one time
 */
function upstream(atWork: number, slots: ReturnType<typeof createSlots>) {
  return { queue: createWorkQueue(atWork), slots };
}

export function createBackendProxy(options: BackendProxyOptions): BackendProxy {
  // A proxy that no setting names makes all visitors one IP of this machine.
  const publicSlots = (mostOfLoopback: Most) =>
    createSlots(512, MOST_OF_PUBLIC, options.isBehindProxy ? MOST_OF_PUBLIC : mostOfLoopback);
  const upstreams = {
    // A rejection takes 600 ms or more. No request with a slot waits here, so that the queue of the function decides who
    // waits.
    'admin-auth': upstream(512, publicSlots(MOST_OF_PUBLIC)),
    // Cheap: few at a time are enough, and a flood does not delay offers.
    'bot-check': upstream(8, publicSlots({})),
    'order-submit': upstream(96, publicSlots({ ip: 72 })),
    // Moves are few, and each has a few calls.
    negotiation: upstream(16, publicSlots({ ip: 12 })),
    'negotiation of the owner': upstream(16, createSlots(256, { ip: 12 })),
    // One at a time is read or written.
    catalogue: upstream(8, createSlots(64, { ip: 8 })),
    // For users whose token was verified here.
    database: upstream(64, createSlots(512, { ip: 48 })),
    // Open to every client: few at a time, separate from those of signed-in users.
    refresh: upstream(8, publicSlots({ ip: 6 })),
  };
  const bodies = createBodySlots(2_048);
  const failedRefreshes = createFailureLimit();
  const delivered = createDeliveredTokens();
  const checkRequest = createRequestCheck(options);
  const log = limitedLog(options.console);

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
    const { catalogue } = options;
    if (route.to === 'catalogue' && !catalogue) return { rejected: 'unknown_route' };
    const ip = options.clientIpOf(request);

    const read = await receiveBody(request, response, ip);
    if (read === undefined) return undefined;
    const isRefresh = route.to === 'database' && route.role === 'anon';
    // supabase-js ends the session on 408 and retries on 503.
    if (read === 'too_slow' && isRefresh) return { rejected: 'unavailable' };
    if (typeof read === 'string') return { rejected: read };
    const body = checkBody(route, read);
    if (body === undefined) return { rejected: 'malformed' };

    const token = isRefresh ? refreshTokenIn(body) : undefined;
    const isLimited = token !== undefined && !delivered.has(token);
    const wait = isLimited ? failedRefreshes.wait(ip) : 0;
    if (wait > 0) return { rejected: 'too_many_requests', headers: { 'retry-after': String(wait) } };

    const isOwners = route.to === 'negotiation' && role === 'authenticated';
    const { queue, slots } =
      upstreams[isRefresh ? 'refresh' : isOwners ? 'negotiation of the owner' : route.to];
    const release = slots.acquire(ip);
    if (!release) return { rejected: 'unavailable' };
    const removeFailure = isLimited ? failedRefreshes.add(ip) : undefined;
    if (ip !== undefined) headers[CLIENT_IP_HEADER] = ip;
    const onResponse = isRefresh || route.to === 'admin-auth' ? delivered.readFrom : undefined;
    const forwarded = { method: request.method ?? '', path, headers, body };
    const send = () =>
      catalogue && route.to === 'catalogue' ? catalogue(forwarded, target.host) : options.send(forwarded);
    // For sessions alone: no other site can send their token with texts of its own, and measure the response (BREACH).
    const accepts = role === 'authenticated' ? request.headers['accept-encoding'] : undefined;
    const status = await forward(response, queue, forwarded, send, accepts, onResponse).finally(release);
    if (route.to === 'bot-check' && status === 200) noteBotCheck(forwarded);
    const kind = Math.floor((status ?? 0) / 100);
    if (kind !== 4) removeFailure?.();
    else if (token !== undefined) delivered.delete(token);
    return status === undefined ? { rejected: 'unavailable' } : undefined;
  }

  /** With `show` none was given out, and `domain` is any text. */
  function noteBotCheck({ path, headers }: BackendRequest): void {
    const query = new URLSearchParams(path.split('?')[1]);
    const name = query.get('domain') ?? '';
    if (query.has('show') || headers['x-client-info'] === AGAIN) return;
    if (options.siteHosts().names.has(name)) options.onBotCheck?.(name);
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
   * Sends a request when its turn comes, and responds. If the client disconnects, a request that was sent runs to its end,
   * because it costs the backend the same.
   * @param accepts Accept-Encoding of the response
   * @returns the status once the backend has responded; undefined without response, at the latest after its timeout
   */
  async function forward(
    response: ServerResponse,
    queue: WorkQueue,
    request: BackendRequest,
    send: () => Promise<BackendResponse>,
    accepts: string | undefined,
    onResponse?: (body: Buffer) => void,
  ): Promise<number | undefined> {
    const waiting = new AbortController();
    const late = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => {
      waiting.abort();
      late.resolve(undefined);
    }, BACKEND_TIMEOUT_MS).unref();
    response.once('close', () => waiting.abort());
    const end = await queue.enter(waiting.signal);
    try {
      const received = end && (await Promise.race([send(), late.promise]));
      if (received) {
        onResponse?.(Buffer.from(received.body));
        if (!response.destroyed) await respond(response, received, accepts);
        return received.status;
      }
      if (!response.destroyed) logFailure(request, 'no response in time');
    } catch (error) {
      logFailure(request, error instanceof Error ? error.name : String(error));
    } finally {
      clearTimeout(timer);
      end?.();
    }
    return undefined;
  }

  function logFailure({ method, path }: BackendRequest, reason: string): void {
    log(`The backend did not respond to ${method} ${path.split('?')[0]} (${reason}).`);
  }
}

async function respond(
  response: ServerResponse,
  { status, headers, body }: BackendResponse,
  accepts: string | undefined,
): Promise<void> {
  const forwarded = headers.filter(([name]) => RESPONSE_HEADERS.has(name));
  const encoding = body.byteLength < MIN_COMPRESSED ? 'identity' : chooseEncoding(accepts);
  const sent = encoding === 'identity' ? body : await compressResponse(body, encoding);
  const hasBody = sent.byteLength > 0;
  response.writeHead(status, {
    ...Object.fromEntries(forwarded),
    ...(hasBody ? { 'content-length': sent.byteLength } : {}),
    ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
    ...SECURITY_HEADERS,
    // The response is private to this client.
    'cache-control': 'no-store',
  });
  response.end(hasBody ? sent : undefined);
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
