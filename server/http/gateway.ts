/** The one origin: pages by host name, `/health`, and behind /auth/v1, /rest/v1, /functions/v1 and /admin/catalogue the backend. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { CATALOGUE_PATH } from '#contract/catalogue-path.ts';
import { LOOPBACK_HOSTS } from '#contract/hosts.ts';
import { decodePath } from '../../src/serving/decode-path.ts';
import { ADMIN_HEADERS, hstsOf, noAdminHeaders, SECURITY_HEADERS } from '../../src/serving/headers.ts';
import { LINK_HEADERS, mendedOfferLink } from '../../src/serving/mangled-offer-link.ts';
import { HEALTH_PATH, HOST_TEXT_PATHS, isAdminPath, isBackendPath } from '../../src/serving/server-paths.ts';
import type { StaticPages } from '../pages/static-pages.ts';
import { isForAdminHost } from './admin-host.ts';
import type { BackendProxy } from './backend-proxy.ts';
import { isSentFrom, LOOPBACK, PRIVATE_NETWORKS } from './client-ip.ts';
import { type Health, statusOf } from './health.ts';
import { limitedLog } from './limited-log.ts';
import { type RequestTarget, readRequestTarget } from './request-target.ts';
import { TLS_ASK_PATH, tlsAskResponse } from './tls-ask.ts';
import type { Visits } from './visits.ts';

/**
 * How long a connection may carry nothing at all, in milliseconds: a visitor who never reads the response would hold it
 * for ever. Longer than everything else here, and than the backend may take. No option of `createServer`.
 */
const IDLE_TIMEOUT_MS = 120_000;

const SERVER_OPTIONS = {
  requestTimeout: 30_000,
  headersTimeout: 15_000,
  // Node looks for requests that are too slow only this often; its default of 30 s held slow headers for 41 s.
  connectionsCheckingInterval: 3_000,
  /** How long a connection waits for its next request, in milliseconds. */
  keepAliveTimeout: 15_000,
  /** Node's own response to a request without a Host header has no body: request-target.ts rejects it. */
  requireHostHeader: false,
  /** A request without a body is not made a stream of nothing: 10 % of the work of a page. */
  optimizeEmptyRequests: true,
  /** No WebSockets: a request to upgrade the protocol gets an HTTP/1.1 response. */
  shouldUpgradeCallback: () => false,
};

/** Requests of one connection without a response, which it pipelined. Browsers and proxies send one after the other. */
const MAX_UNANSWERED = 16;

const NO_STORE = { 'cache-control': 'no-store' };
const TEXT = { 'content-type': 'text/plain; charset=utf-8' };

export interface GatewayOptions {
  readonly pages: Pick<StaticPages, 'find' | 'hostText' | 'notFound' | 'siteHosts'>;
  /** Undefined where a hosted project is the backend. */
  readonly backend: BackendProxy | undefined;
  readonly health: () => Promise<Health>;
  /** Absent: no visit is counted. */
  readonly visits?: Pick<Visits, 'page'> | undefined;
  readonly console?: Console;
}

/** A response without the headers that all have. */
interface Reply {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body?: string | Buffer;
}

export function createGateway({ pages, backend, health, visits, console }: GatewayOptions): Server {
  const log = limitedLog(console);
  const isCrowded = countUnanswered();
  const server = createServer(SERVER_OPTIONS, (request, response) => {
    if (isCrowded(response)) return;
    const target = readRequestTarget(request);
    response.setHeader('strict-transport-security', hstsOf(target?.host ?? '', pages.siteHosts()));
    if (!target) {
      const text = 'This request is malformed: it needs one Host header with a host name, and a path.';
      return send(request, response, textReply(400, text));
    }
    route(request, response, target).catch((error) => {
      log(`${target.path} failed: ${error instanceof Error ? error.message : error}`);
      // A file that could not be read: the disk, or a build that is just replacing it. The next request may go well.
      if (response.headersSent) response.destroy();
      else send(request, response, textReply(503, UNAVAILABLE, { 'retry-after': '5' }));
    });
  });
  server.timeout = IDLE_TIMEOUT_MS;
  server.on('clientError', rejectUnreadable);
  server.on('checkExpectation', (request, response: ServerResponse) => {
    if (isCrowded(response)) return;
    send(request, response, textReply(417, 'This expectation cannot be met.'));
  });
  return server;

  async function route(request: IncomingMessage, response: ServerResponse, target: RequestTarget) {
    const { path } = target;
    if (backend && (isBackendPath(path) || path === CATALOGUE_PATH)) backend(request, response, target);
    else if (request.method !== 'GET' && request.method !== 'HEAD') {
      const text = 'This path takes GET and HEAD requests only.';
      send(request, response, textReply(405, text, { allow: 'GET, HEAD' }));
    } else if (HOST_TEXT_PATHS.has(path)) send(request, response, await hostTextReply(target));
    else if (path === HEALTH_PATH) send(request, response, healthReply(request, target, await health()));
    else if (path === TLS_ASK_PATH && isSentFrom(PRIVATE_NETWORKS, request)) {
      const [status, text] = tlsAskResponse(target.query, pages.siteHosts());
      send(request, response, textReply(status, text, NO_STORE));
    } else send(request, response, pageReply(request, target));
  }

  async function hostTextReply({ host, path }: RequestTarget): Promise<Reply> {
    const found = await pages.hostText(host, path);
    return found ? { ...found, status: 200 } : textReply(404, 'There is nothing at this path.');
  }

  function pageReply(request: IncomingMessage, { host, path, query }: RequestTarget): Reply {
    // Before anything that could fail and log the path.
    const link = mendedOfferLink(path, query);
    if (link) return textReply(302, 'The link is mended.', { location: link, ...LINK_HEADERS });
    const accepts = request.headers['accept-encoding'];
    const decoded = decodePath(path);
    const isAdmin = isAdminPath(decoded);
    if (isAdmin && !isForAdminHost(request, host, pages.siteHosts())) {
      const page = pages.notFound(host, decoded, accepts);
      const cleared = noAdminHeaders(request.headers['sec-fetch-dest']);
      return { ...page, status: 404, headers: { ...page.headers, ...cleared } };
    }
    // The dashboard's own script goes there as well, where another server knows nothing of it.
    if (decoded === '/admin' || decoded === '/admin/')
      return textReply(302, 'The sign-in is at /admin/login.', { location: '/admin/login', ...NO_STORE });
    const found = pages.find(host, decoded, accepts);
    if (found?.name !== undefined) visits?.page(request, found.name);
    const page = { ...(found ?? pages.notFound(host, decoded, accepts)), status: found ? 200 : 404 };
    // Also for an error page, which is made for all paths.
    return isAdmin ? { ...page, headers: { ...ADMIN_HEADERS, ...page.headers } } : page;
  }

  function healthReply(request: IncomingMessage, { host }: RequestTarget, report: Health): Reply {
    // Visitors can send any Host header.
    const isTrusted = LOOPBACK_HOSTS.has(host)
      ? isSentFrom(LOOPBACK, request)
      : isForAdminHost(request, host, pages.siteHosts());
    const body = JSON.stringify(isTrusted ? report : { status: report.status });
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      ...NO_STORE,
    };
    return { status: statusOf(report), headers, body };
  }
}

/**
 * Closes a connection with too many requests without a response: Node reads all that arrived at once, and its own limit counts
 * only what was written to a client that does not read.
 * @returns counts a request; true where its connection was closed
 */
function countUnanswered(): (response: ServerResponse) => boolean {
  const numbers = new WeakMap<Duplex, number>();
  return (response) => {
    const { socket } = response.req;
    const number = (numbers.get(socket) ?? 0) + 1;
    numbers.set(socket, number);
    response.once('close', () => numbers.set(socket, (numbers.get(socket) ?? 1) - 1));
    if (number > MAX_UNANSWERED) socket.destroy();
    return number > MAX_UNANSWERED;
  };
}

const UNAVAILABLE = 'This page cannot be shown at the moment. Please try again in a minute.';

/** Responses to a request that Node's parser could not read, by its error. */
const UNREADABLE: Record<string, readonly [status: string, text: string]> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'The headers of this request, cookies included, are longer than 16 KB.',
  ],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [
    '413 Payload Too Large',
    'The chunk extensions of this request are too long.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [
    '408 Request Timeout',
    'This request took too long to arrive. Please try again.',
  ],
};
const MALFORMED = ['400 Bad Request', 'This request is malformed.'] as const;

/** Responds to a request that could not be read, with the headers of every response. */
function rejectUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [status, text] = UNREADABLE[error.code ?? ''] ?? MALFORMED;
  const body = `${text}\n`;
  const headers = Object.entries({
    ...SECURITY_HEADERS,
    ...TEXT,
    connection: 'close',
    'content-length': String(Buffer.byteLength(body)),
  });
  const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(`HTTP/1.1 ${status}\r\n${head}\r\n${body}`);
}

function textReply(status: number, text: string, headers: Record<string, string> = {}): Reply {
  return { status, headers: { ...TEXT, ...headers }, body: `${text}\n` };
}

/** Node sends no body to a HEAD request and with 304. */
function send(request: IncomingMessage, response: ServerResponse, { status, headers, body }: Reply): void {
  const known = request.headers['if-none-match'];
  if (status === 200 && headers.etag !== undefined && matches(known, headers.etag)) {
    const sent = Object.entries(headers).filter(([name]) => !DESCRIBES_BODY.test(name));
    response.writeHead(304, { ...SECURITY_HEADERS, ...Object.fromEntries(sent) }).end();
  } else {
    response.writeHead(status, { ...SECURITY_HEADERS, ...headers }).end(body);
  }
}

const DESCRIBES_BODY = /^content-(?:type|length|encoding)$/;

function matches(known = '', etag: string): boolean {
  return known.split(',').some((one) => ['*', etag, `W/${etag}`].includes(one.trim()));
}
