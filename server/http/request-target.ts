import type { IncomingMessage } from 'node:http';
import { hostNameOf } from '#contract/hosts.ts';

/** Host, path and query of a request. Parsed once; all other code uses this and not the request. */
export interface RequestTarget {
  /** Host name in lower case, without port; empty where the request names none (HTTP/1.0). */
  readonly host: string;
  /** Path as it was sent: not decoded, without query. */
  readonly path: string;
  /** Query as it was sent, without `?`; empty where there is none. */
  readonly query: string;
}

/** `GET http://host/path`: the absolute form, which a server must understand too (RFC 9112, section 3.2.2). */
const ABSOLUTE_FORM = /^https?:\/\/([^/?]*)(.*)$/i;

/**
 * Undefined where the request is malformed: two Host headers, none in HTTP/1.1, a host that is none, or a target that is no
 * path.
 */
export function readRequestTarget(request: IncomingMessage): RequestTarget | undefined {
  const { url = '', headers } = request;
  const count = countHosts(request);
  if (count > 1 || (count === 1 && !headers.host)) return undefined;
  if (count === 0 && request.httpVersion === '1.1') return undefined;
  if (url.startsWith('/')) return targetOf(headers.host ?? '', url);
  const [, authority, rest = ''] = ABSOLUTE_FORM.exec(url) ?? [];
  // The host of the first line is the one that counts.
  return authority ? targetOf(authority, rest.startsWith('/') ? rest : `/${rest}`) : undefined;
}

/** Number of Host headers, of which Node returns the first. */
function countHosts({ rawHeaders }: IncomingMessage): number {
  return rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;
}

function targetOf(authority: string, url: string): RequestTarget | undefined {
  const host = authority === '' ? '' : hostNameOf(authority);
  if (host === undefined || url.includes('#')) return undefined;
  const at = url.indexOf('?');
  return at < 0 ? { host, path: url, query: '' } : { host, path: url.slice(0, at), query: url.slice(at + 1) };
}
