/** Guards the development server: only own hosts, `/admin` on admin hosts alone, and no private file. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { posix } from 'node:path';
import type { Duplex } from 'node:stream';
import { noAdminHeaders } from '../../src/serving/headers.ts';
import { isAdminPath } from '../../src/serving/server-paths.ts';
import { isForAdminHost } from './admin-host.ts';
import type { DevFiles } from './dev-files.ts';
import type { DevHosts } from './dev-hosts.ts';
import { countHosts } from './request-target.ts';

/** Vite's path that starts the developer's editor with any file of the disk. */
const OPEN_IN_EDITOR = '/__open-in-editor';

const FORBIDDEN_HOST =
  'This host is not served here. Add it to settings.hosts in the catalogue, or use localhost.';

/**
 * Rejects a request that must not reach Vite.
 * @returns whether it was rejected
 */
export function rejectRequest(
  request: IncomingMessage,
  response: ServerResponse,
  hosts: DevHosts,
  files: DevFiles,
): boolean {
  const { url = '/', headers } = request;
  const { host = '' } = headers;
  const path = normalizedPath(url);
  if (!url.startsWith('/') || countHosts(request) > 1) return reject(response, 400, 'Bad request.');
  if (!hosts.isOwn(host)) return reject(response, 403, FORBIDDEN_HOST);
  if (isFromAnotherSite(request))
    return reject(response, 403, 'Requests of other sites are not served here.');
  if (isAdminPath(path) && !isForAdminHost(request, host, hosts.siteHosts()))
    return reject(response, 404, 'Not found.', noAdminHeaders(headers['sec-fetch-dest']));
  if (path.startsWith(OPEN_IN_EDITOR) || files.namesPrivateFile(url))
    return reject(response, 404, 'Not found.');
  return false;
}

/**
 * Ends the upgrade to the web socket of hot reload unless it comes from a page of the same own host. Vite itself lets
 * every program in that sends no Origin, and every host where its own list is empty of names.
 */
export function rejectUpgrade(request: IncomingMessage, socket: Duplex, hosts: DevHosts): boolean {
  const { host = '', origin } = request.headers;
  if (countHosts(request) === 1 && hosts.isOwn(host) && isSameHost(origin, host)) return false;
  // Without its protocol Vite leaves the connection alone.
  request.headers['sec-websocket-protocol'] = '';
  socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
  return true;
}

/**
 * Whether a page of another site sends a request, other than by a link to a page. Browsers send these headers, and scripts
 * cannot change them (Fetch Metadata).
 */
function isFromAnotherSite({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== 'cross-site' && site !== 'same-site') return false;
  return headers['sec-fetch-mode'] !== 'navigate' || headers['sec-fetch-dest'] !== 'document';
}

function isSameHost(origin: string | undefined, host: string): boolean {
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === new URL(`http://${host}`).host;
}

/** A URL's path in small letters, decoded and without `..` and `//`, so that one rule fits every spelling. */
function normalizedPath(url: string): string {
  let path = url.replace(/[?#].*$/s, '');
  for (let round = 0; round < 3 && path.includes('%'); round += 1) {
    try {
      path = decodeURIComponent(path);
    } catch {
      break;
    }
  }
  return posix.normalize(path.replaceAll('\\', '/')).toLowerCase();
}

function reject(
  response: ServerResponse,
  status: 400 | 403 | 404,
  text: string,
  headers: Record<string, string> = {},
): true {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...headers,
  });
  response.end(`${text}\n`);
  return true;
}
