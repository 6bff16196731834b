/** Sends a request with exactly this target and these headers, also over TLS with a server name of its own. */
import { type IncomingHttpHeaders, request } from 'node:http';
import { connect as connectTcp } from 'node:net';
import { connect as connectTls } from 'node:tls';

export interface LiteralRequest {
  readonly method: string;
  readonly target: string;
  /** Pairs, so that a header may be there twice. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
}

export interface LiteralResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

const TIMEOUT_MS = 60_000;

/** @param serverName of the handshake; absent: plain HTTP. The certificate is not verified. */
export function sendLiterally(
  port: number,
  { method, target, headers, body }: LiteralRequest,
  serverName?: string,
): Promise<LiteralResponse> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? [] : [['content-length', String(Buffer.byteLength(body))] as const];
    const sent = request({
      method,
      path: target,
      setHost: false,
      timeout: TIMEOUT_MS,
      headers: [...headers, ...length, ['connection', 'close'] as const].flat(),
      createConnection: () =>
        serverName === undefined
          ? connectTcp(port, '127.0.0.1')
          : connectTls({ port, host: '127.0.0.1', servername: serverName, rejectUnauthorized: false }),
    });
    sent.on('timeout', () => sent.destroy(new Error(`no response to ${target} in time`)));
    sent.on('error', reject).on('response', async (response) => {
      const chunks = (await response.toArray()) as Buffer[];
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) });
    });
    sent.end(body);
  });
}
