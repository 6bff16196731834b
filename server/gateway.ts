/** The one origin: pages by host name, and behind /auth/v1, /rest/v1 and /functions/v1 the backend. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { namesOfHost } from '#contract/hosts.ts';
import { chooseEncoding } from './encodings.ts';
import { type Forward, isBackend } from './forward.ts';
import { isAdmin, KEPT_OPEN, SECURITY_HEADERS } from './headers.ts';
import { type AnswerOf, QuickServer } from './quick-server.ts';
import type { Site, SiteFile } from './site.ts';
import { withoutQuery } from './without-query.ts';

export interface GatewayOptions {
  readonly site: Site;
  /** Answers requests to the backend's addresses; undefined where a hosted project does. */
  readonly forward: Forward | undefined;
  readonly adminHost: string | undefined;
}

export function createGateway({ site, forward, adminHost }: GatewayOptions): Server {
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    toOriginForm(request);
    const url = request.url ?? '/';
    if (forward && isBackend(url)) forward(request, response);
    else if (request.method === 'GET' || request.method === 'HEAD') sendPage(url, request, response);
    else refuseMethod(response);
  };
  const sendPage = (url: string, request: IncomingMessage, response: ServerResponse): void => {
    const path = pathOf(url);
    const host = request.headers.host ?? '';
    const hidden =
      path !== undefined && adminHost !== undefined && isAdmin(path) && namesOfHost(host)[0] !== adminHost;
    const file = path === undefined || hidden ? undefined : site.find(host, path);
    if (!hidden && (path === '/admin' || path === '/admin/')) redirect(response, '/admin/login');
    else if (file) sendFile(200, site, file, request, response);
    else sendFile(404, site, site.notFound(path ?? '/'), request, response);
  };
  const prepared: AnswerOf = ({ url, host, acceptEncoding }) => {
    const path = pathOf(url);
    // The backend's addresses and the desk have rules of their own, above.
    if (path === undefined || isAdmin(path) || (forward && isBackend(url))) return undefined;
    return site.answer(host, path, acceptEncoding);
  };
  const server = new QuickServer(OPTIONS, prepared, (request, response) => {
    try {
      answer(request, response);
    } catch (error) {
      console.error(`${withoutQuery(request.url)} could not be answered:`, error);
      unreadable(response);
    }
  });
  server.timeout = SILENCE;
  return server;
}

function refuseMethod(response: ServerResponse): void {
  response.writeHead(405, { ...SECURITY_HEADERS, allow: 'GET, HEAD', 'content-type': 'text/plain' });
  response.end('This address takes GET and HEAD requests only.\n');
}

/** The desk's own script goes there as well, where another server knows nothing of it. */
function redirect(response: ServerResponse, location: string): void {
  response.writeHead(302, { ...SECURITY_HEADERS, location, 'cache-control': 'no-store' });
  response.end();
}

/** A file that could not be read: the disk, or a build that is just replacing it. The next request may go well. */
function unreadable(response: ServerResponse): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(503, { ...SECURITY_HEADERS, 'content-type': 'text/plain', 'retry-after': '5' });
  response.end('This page cannot be shown at the moment. Please try again in a minute.\n');
}

const OPTIONS = {
  /** In milliseconds. */
  requestTimeout: 30_000,
  headersTimeout: 15_000,
  keepAliveTimeout: KEPT_OPEN,
  /** A request without a body is not made a stream of nothing: a tenth of the work of a page. */
  optimizeEmptyRequests: true,
  /** No WebSockets here: whoever offers another protocol is answered in this one. */
  shouldUpgradeCallback: () => false,
};

/**
 * How long a connection may carry nothing at all, in milliseconds: a visitor who never reads what is sent would hold it
 * for ever. Longer than everything above, and than the backend may take for an answer. No option of `createServer`.
 */
const SILENCE = 120_000;

/** `GET http://host/path`: what a proxy is asked, and what a server must understand as well (RFC 9112, 3.2.2). */
const ABSOLUTE = /^https?:\/\/((?:[\w.-]+|\[[\da-f:.]+\])(?::\d*)?)([/?#].*)?$/i;

/** The host of the first line is the one that counts. What is no address stays as it is, and is found nowhere. */
function toOriginForm(request: IncomingMessage): void {
  // By far the most, and cheaply told.
  if (request.url?.startsWith('/')) return;
  const [absolute, host, rest = '/'] = ABSOLUTE.exec(request.url ?? '') ?? [];
  if (absolute === undefined) return;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  request.headers.host = host;
}

function sendFile(
  status: 200 | 404,
  site: Site,
  file: SiteFile,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const accepts = request.headers['accept-encoding'];
  const answer = site.read(file, chooseEncoding(accepts, file.encodings));
  const known = request.headers['if-none-match'];
  if (status === 200 && known !== undefined && matches(known, answer.etag)) {
    response.writeHead(304, headersWithoutBody(answer.headers));
    response.end();
    return;
  }
  response.writeHead(status, answer.headers);
  response.end(request.method === 'HEAD' ? undefined : answer.body);
}

function matches(known: string, etag: string): boolean {
  return known.split(',').some((one) => {
    const tag = one.trim();
    return tag === '*' || tag === etag || tag === `W/${etag}`;
  });
}

function headersWithoutBody(headers: string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? '';
    if (!/^content-(?:type|length|encoding)$/.test(name)) kept.push(name, headers[at + 1] ?? '');
  }
  return kept;
}

/** The decoded path, or undefined where it cannot be decoded. */
function pathOf(url: string): string | undefined {
  if (!/[?#%]/.test(url)) return url;
  const end = url.search(/[?#]/);
  try {
    return decodeURIComponent(end < 0 ? url : url.slice(0, end));
  } catch {
    return undefined;
  }
}
