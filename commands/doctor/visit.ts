import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { PeerCertificate, TLSSocket } from 'node:tls';
import { namesOfHost } from '#contract/hosts.ts';
import type { Dns } from './dns.ts';

export interface Network {
  readonly dns: Pick<Dns, 'addressesOf'>;
  readonly httpsPort: number;
  readonly httpPort: number;
  /** Of one request, in milliseconds. */
  readonly timeoutMs: number;
}

/** What one address of a host responds with. */
export interface Visit {
  readonly address: string;
  readonly secure: Fetched;
  readonly plain: Fetched;
  /**
   * Where the redirects end that begin at https or, where that does not respond, at http. It is a redirect itself where
   * it leads to another site, or in a circle.
   */
  readonly end: Fetched;
}

export type Fetched = { readonly url: URL; readonly certificate: Certificate | undefined } & (
  | {
      readonly status: 'response';
      readonly code: number;
      readonly redirect: URL | undefined;
      readonly body: Buffer;
    }
  /** `code` is that of Node or OpenSSL; `TIMEOUT` where the server took too long. */
  | { readonly status: 'failed'; readonly code: string; readonly redirect?: undefined }
);

export interface Certificate {
  readonly peer: PeerCertificate;
  /** OpenSSL's code where the chain is not trusted or the time is wrong, such as `CERT_HAS_EXPIRED`. */
  readonly error: string | undefined;
}

const MAX_REDIRECTS = 3;
/** Longest page. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Requests a page over https and over http, and follows redirects between the host and its `www.`. Never throws. */
export async function visit(host: string, address: string, path: string, network: Network): Promise<Visit> {
  const lookup: LookupFunction = async (name, _options, done) => {
    // Called back later in any case: Node's TLS sockets crash where the connection fails at once.
    const found = name === host ? Promise.resolve({ addresses: [address] }) : network.dns.addressesOf(name);
    const [first] = (await found).addresses;
    if (first) done(null, [{ address: first, family: isIP(first) }]);
    else done(Object.assign(new Error(`${name} has no address`), { code: 'ENOTFOUND' }), []);
  };
  const fetch = (url: URL) => fetchPage(url, lookup, network);
  const [secure, plain] = await Promise.all([
    fetch(new URL(`https://${host}${path}`)),
    fetch(new URL(`http://${host}${path}`)),
  ]);
  let end = secure.status === 'response' ? secure : plain;
  for (let count = 0; end.redirect && isOfName(end.redirect, host) && count < MAX_REDIRECTS; count += 1) {
    end = await fetch(end.redirect);
  }
  return { address, secure, plain, end };
}

/** Whether a URL is of the host or of another one of its name, such as www.lap.app of lap.app. */
export function isOfName({ protocol, hostname }: URL, host: string): boolean {
  const names = namesOfHost(host);
  return /^https?:$/.test(protocol) && namesOfHost(hostname).some((name) => names.includes(name));
}

/** Reports a wrong certificate, and reads the page nevertheless. Never throws. */
function fetchPage(url: URL, lookup: LookupFunction, network: Network): Promise<Fetched> {
  return new Promise((resolve) => {
    const isSecure = url.protocol === 'https:';
    let certificate: Certificate | undefined;
    const fail = (error: unknown) => resolve({ status: 'failed', url, code: codeOf(error), certificate });
    const request = (isSecure ? requestSecure : requestPlain)({
      host: url.hostname,
      lookup,
      port: url.port || (isSecure ? network.httpsPort : network.httpPort),
      path: `${url.pathname}${url.search}`,
      headers: { host: url.host, 'user-agent': 'domain-storefront-doctor' },
      agent: false,
      // What is wrong is reported as a finding.
      rejectUnauthorized: false,
      signal: AbortSignal.timeout(network.timeoutMs),
    });
    request.on('socket', (socket) => {
      socket.once('secureConnect', () => {
        certificate = certificateOf(socket as TLSSocket);
      });
    });
    request.on('error', fail);
    // Without a listener Node closes the connection and reports nothing.
    request.on('upgrade', (_response, socket) => {
      socket.destroy();
      fail({ code: 'UPGRADE' });
    });
    request.on('response', (response) => {
      const { statusCode: code = 0, headers } = response;
      const isRedirect = [301, 302, 303, 307, 308].includes(code) && headers.location !== undefined;
      const redirect = isRedirect ? (URL.parse(headers.location ?? '', url) ?? undefined) : undefined;
      readBody(response).then(
        (body) => resolve({ status: 'response', url, code, redirect, body, certificate }),
        fail,
      );
    });
    request.end();
  });
}

function certificateOf(socket: TLSSocket): Certificate | undefined {
  const peer = socket.getPeerCertificate();
  const error = (socket.authorizationError as unknown as string | null) ?? undefined;
  return peer.valid_to === undefined ? undefined : { peer, error };
}

async function readBody(response: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw Object.assign(new Error('too long'), { code: 'TOO_LONG' });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function codeOf(error: unknown): string {
  const { code, name, cause } = error as NodeJS.ErrnoException & { cause?: Error };
  if (name === 'TimeoutError' || cause?.name === 'TimeoutError' || code === 'ABORT_ERR') return 'TIMEOUT';
  return code ?? 'unknown';
}
