import { type ClientRequest, type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { checkServerIdentity, type TLSSocket } from 'node:tls';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

/** The certificate that a server sent. */
export interface ServerCertificate {
  /** An invalid date where the server's cannot be read. */
  readonly validTo: Date;
  /** The names it is for, for messages. */
  readonly names: readonly string[];
  readonly isForHost: boolean;
  /** OpenSSL's code where the chain is not trusted or the time is wrong, such as `CERT_HAS_EXPIRED`. */
  readonly error: string | undefined;
}

export type Fetched = { readonly certificate: ServerCertificate | undefined } & (
  | {
      readonly status: 'response';
      readonly code: number;
      readonly location: string | undefined;
      /** Decompressed. */
      readonly body: Buffer;
    }
  /** `code` is that of Node or OpenSSL; `TIMEOUT` where the server took too long. */
  | { readonly status: 'failed'; readonly code: string }
);

export interface PageRequest {
  readonly protocol: 'https:' | 'http:';
  readonly host: string;
  readonly address: string;
  readonly port: number;
  readonly path: string;
  readonly timeoutMs: number;
}

/** Longest page, compressed and decompressed. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Sends one GET to one IP. Reports a wrong certificate, and reads the page nevertheless. Never throws. */
export function fetchPage({ protocol, host, address, port, path, timeoutMs }: PageRequest): Promise<Fetched> {
  return new Promise((resolve) => {
    let certificate: ServerCertificate | undefined;
    const fail = (error: unknown) => resolve({ status: 'failed', code: codeOf(error), certificate });
    const send = protocol === 'https:' ? requestSecure : requestPlain;
    const request: ClientRequest = send({
      host: address,
      port,
      path,
      servername: host,
      headers: { host, 'accept-encoding': 'br, gzip', 'user-agent': 'domain-storefront-doctor' },
      agent: false,
      // What is wrong is reported as a finding.
      rejectUnauthorized: false,
      signal: AbortSignal.timeout(timeoutMs),
    });
    request.on('socket', (socket) => {
      socket.once('secureConnect', () => {
        certificate = certificateOf(socket as TLSSocket, host);
      });
    });
    request.on('error', fail);
    // Without a listener Node closes the connection and reports nothing.
    request.on('upgrade', (_response, socket) => {
      socket.destroy();
      fail({ code: 'UPGRADE' });
    });
    request.on('response', (response) => {
      readBody(response).then((body) => {
        const { statusCode: code = 0, headers } = response;
        resolve({ status: 'response', code, location: headers.location, body, certificate });
      }, fail);
    });
    request.end();
  });
}

function certificateOf(socket: TLSSocket, host: string): ServerCertificate | undefined {
  const peer = socket.getPeerCertificate();
  if (peer.valid_to === undefined) return undefined;
  const isForHost = checkServerIdentity(host, peer) === undefined;
  const error = socket.authorizationError as unknown as string | undefined;
  const names = (peer.subjectaltname ?? '').split(', ').map((name) => name.replace(/^\w[\w ]*:/, ''));
  return {
    validTo: new Date(peer.valid_to),
    names: names.filter((name) => name !== ''),
    isForHost,
    error: error === 'ERR_TLS_CERT_ALTNAME_INVALID' ? undefined : (error ?? undefined),
  };
}

async function readBody(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw Object.assign(new Error('too long'), { code: 'TOO_LONG' });
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks);
  const encoding = response.headers['content-encoding'];
  if (encoding === 'br') return brotliDecompressSync(body, { maxOutputLength: MAX_BYTES });
  return encoding === 'gzip' ? gunzipSync(body, { maxOutputLength: MAX_BYTES }) : body;
}

function codeOf(error: unknown): string {
  const { code, name, cause } = error as NodeJS.ErrnoException & { cause?: Error };
  if (name === 'TimeoutError' || cause?.name === 'TimeoutError' || code === 'ABORT_ERR') return 'TIMEOUT';
  return code ?? 'unknown';
}
