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

/** Undefined where the request is malformed: two Host headers, a host that is none, or a target that is no path. */
export function readRequestTarget(request: IncomingMessage): RequestTarget | undefined {
  const hostHeader = singleHostOf(request);
  if (hostHeader === undefined) return undefined;
  const url = request.url ?? '';
  if (url.startsWith('/')) return targetOf(hostHeader, url);
  const [, authority, rest = ''] = ABSOLUTE_FORM.exec(url) ?? [];
  // The host of the first line is the one that counts.
  return authority ? targetOf(authority, rest.startsWith('/') ? rest : `/${rest}`) : undefined;
}

/** The Host header; empty where there is none, undefined where there are several or one without a host. */
function singleHostOf({ rawHeaders, headers }: IncomingMessage): string | undefined {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === 'host') count += 1;
  }
  if (count === 0) return '';
  return count === 1 && headers.host ? headers.host : undefined;
}

function targetOf(authority: string, url: string): RequestTarget | undefined {
  const host = authority === '' ? '' : hostNameOf(authority);
  if (host === undefined || url.includes('#')) return undefined;
  const at = url.indexOf('?');
  return at < 0 ? { host, path: url, query: '' } : { host, path: url.slice(0, at), query: url.slice(at + 1) };
}
