/** The one origin: pages by host name, `/health`, and behind /auth/v1, /rest/v1 and /functions/v1 the backend. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { isAdminHost } from '#contract/hosts.ts';
import { decodePath } from '../../src/serving/decode-path.ts';
import { ADMIN_HEADERS, hstsOf, SECURITY_HEADERS } from '../../src/serving/headers.ts';
import { HEALTH_PATH, isAdminPath, isBackendPath, ON_DEMAND_PATHS } from '../../src/serving/server-paths.ts';
import type { BackendProxy } from './backend-proxy.ts';
import { isFromPrivatePeer } from './client-ip.ts';
import { type Health, statusOf } from './health.ts';
import { limitedLog } from './limited-log.ts';
import type { RenderOnDemand } from './on-demand.ts';
import { type RequestTarget, readRequestTarget } from './request-target.ts';
import type { StaticPages, StaticResponse } from './static-pages.ts';
import { TLS_ASK_PATH, tlsAskResponse } from './tls-ask.ts';

/** How long a connection waits for its next request, in milliseconds. */
const KEEP_ALIVE_TIMEOUT_MS = 15_000;
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
  keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
  /** A request without a body is not made a stream of nothing: 10 % of the work of a page. */
  optimizeEmptyRequests: true,
  /** No WebSockets: a request to upgrade the protocol gets an HTTP/1.1 response. */
  shouldUpgradeCallback: () => false,
};

export interface GatewayOptions {
  readonly pages: Omit<StaticPages, 'folder' | 'open'>;
  /** Undefined where a hosted project is the backend. */
  readonly backend: BackendProxy | undefined;
  readonly health: () => Promise<Health>;
  /** Renders what each host has its own of, such as robots.txt. */
  readonly onDemand: RenderOnDemand;
}

export function createGateway({ pages, backend, health, onDemand }: GatewayOptions): Server {
  const log = limitedLog();
  const server = createServer(SERVER_OPTIONS, (request, response) => {
    const target = readRequestTarget(request);
    response.setHeader('strict-transport-security', hstsOf(target?.host ?? '', pages.siteHosts()));
    if (!target) {
      sendText(
        response,
        400,
        'This request is malformed: it needs one Host header with a host name, and a path.',
      );
      return;
    }
    try {
      route(request, response, target);
    } catch (error) {
      log(`${target.path} failed: ${error instanceof Error ? error.message : error}`);
      // A file that could not be read: the disk, or a build that is just replacing it. The next request may go well.
      if (response.headersSent) response.destroy();
      else sendText(response, 503, UNAVAILABLE, { 'retry-after': '5' });
    }
  });
  server.timeout = IDLE_TIMEOUT_MS;
  server.on('clientError', rejectUnreadable);
  server.on('checkExpectation', (_request, response: ServerResponse) => {
    sendText(response, 417, 'This expectation cannot be met.');
  });
  return server;

  function route(request: IncomingMessage, response: ServerResponse, target: RequestTarget): void {
    if (backend && isBackendPath(target.path)) {
      backend(request, response, target);
    } else if (request.method !== 'GET' && request.method !== 'HEAD') {
      const text = 'This path takes GET and HEAD requests only.';
      sendText(response, 405, text, { allow: 'GET, HEAD' });
    } else if (target.path === TLS_ASK_PATH && isFromPrivatePeer(request)) {
      const [status, text] = tlsAskResponse(target.query, pages.siteHosts());
      sendText(response, status, text, { 'cache-control': 'no-store' });
    } else if (target.path === HEALTH_PATH) {
      void health().then((report) => sendHealth(request, response, target, report));
    } else if (ON_DEMAND_PATHS.has(target.path)) {
      renderOnDemand(request, response, target);
    } else {
      sendPage(request, response, target);
    }
  }

  function renderOnDemand(request: IncomingMessage, response: ServerResponse, target: RequestTarget): void {
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
    // The page sees what was checked, and no query. Astro builds a URL from the host, which not every host that is valid
    // in a Host header can be part of (`lap.app:99999`); the page reads it from its locals.
    request.url = target.path;
    request.headers.host = 'localhost';
    onDemand(request, response, { host: target.host, site: pages.site() }).catch((error) => {
      log(`${target.path} failed: ${error instanceof Error ? error.message : error}`);
      response.destroy();
    });
  }

  function sendPage(request: IncomingMessage, response: ServerResponse, { host, path }: RequestTarget): void {
    const accepts = request.headers['accept-encoding'];
    const decoded = decodePath(path);
    if (decoded !== undefined && isAdminPath(decoded)) {
      if (!isAdminHost(host, pages.siteHosts())) {
        // A session stored by an earlier version would be readable by the domain's buyer.
        response.setHeader('clear-site-data', '"storage"');
        send(request, response, 404, pages.notFound(decoded, accepts));
        return;
      }
      if (decoded === '/admin' || decoded === '/admin/') {
        redirect(response, '/admin/login');
        return;
      }
      // Also for an error page, which is made for all paths.
      for (const [name, value] of Object.entries(ADMIN_HEADERS)) response.setHeader(name, value);
    }
    const found = decoded === undefined ? undefined : pages.find(host, decoded, accepts);
    if (found) send(request, response, 200, found);
    else send(request, response, 404, pages.notFound(decoded ?? '/', accepts));
  }

  function sendHealth(
    request: IncomingMessage,
    response: ServerResponse,
    { host }: RequestTarget,
    report: Health,
  ): void {
    const isTrusted = isLoopback(host) ? isFromThisMachine(request) : isAdminHost(host, pages.siteHosts());
    const shown = isTrusted ? report : { status: report.status };
    const body = JSON.stringify(shown);
    response.writeHead(statusOf(report), {
      ...SECURITY_HEADERS,
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  }
}

/** Status of a request that Node's parser could not read, by its error. */
const UNREADABLE: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** Responds to a malformed request as Node would, with the headers of every response. */
function rejectUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const status = UNREADABLE[error.code ?? ''] ?? '400 Bad Request';
  const headers = Object.entries({ ...SECURITY_HEADERS, connection: 'close', 'content-length': '0' });
  socket.end(`HTTP/1.1 ${status}\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
}

const UNAVAILABLE = 'This page cannot be shown at the moment. Please try again in a minute.';

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '127.0.0.1' || host === '[::1]';
}

/** Whether a process on this machine sends a request, and no proxy: visitors can send any Host header. */
function isFromThisMachine({ socket, headers }: IncomingMessage): boolean {
  const isLocal = /^(?:::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? '');
  return isLocal && headers['x-forwarded-for'] === undefined && headers.forwarded === undefined;
}

function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, {
    ...SECURITY_HEADERS,
    'content-type': 'text/plain; charset=utf-8',
    ...headers,
  });
  response.end(`${text}\n`);
}

/** The dashboard's own script goes there as well, where another server knows nothing of it. */
function redirect(response: ServerResponse, location: string): void {
  response.writeHead(302, {
    ...SECURITY_HEADERS,
    location,
    'cache-control': 'no-store',
  });
  response.end();
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  status: 200 | 404,
  { headers, body, etag }: StaticResponse,
): void {
  const known = request.headers['if-none-match'];
  if (status === 200 && known !== undefined && matches(known, etag)) {
    response.writeHead(304, withoutBodyHeaders(headers));
    response.end();
    return;
  }
  response.writeHead(status, headers);
  response.end(request.method === 'HEAD' ? undefined : body);
}

function matches(known: string, etag: string): boolean {
  return known.split(',').some((one) => {
    const tag = one.trim();
    return tag === '*' || tag === etag || tag === `W/${etag}`;
  });
}

/** Flat pairs without those that describe a body. */
function withoutBodyHeaders(headers: string[]): string[] {
  const left: string[] = [];
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? '';
    if (!/^content-(?:type|length|encoding)$/.test(name)) left.push(name, headers[at + 1] ?? '');
  }
  return left;
}
