/** Sends one HTTP request with exactly the given headers, or raw bytes that Node would not send. */
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';

export interface HttpRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string | Uint8Array;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

// Some requests leave their connection unusable, so each has its own.
const agent = new Agent({ keepAlive: false });

const RESPONSE_TIMEOUT_MS = 60_000;

export function sendRequest(
  port: number,
  { method = 'GET', path, headers = {}, body }: HttpRequest,
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        headers: { ...length, ...headers },
        agent,
        timeout: RESPONSE_TIMEOUT_MS,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    sent.on('timeout', () => sent.destroy(new Error('no response in time')));
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Sends bytes unchanged and returns the response, which ends on close, or once no more comes after its headers. */
export function sendBytes(port: number, bytes: string | Uint8Array): Promise<HttpResponse> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    const end = () => {
      socket.destroy();
      resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), headers: {}, text });
    };
    socket.setTimeout(RESPONSE_TIMEOUT_MS, end);
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (/\r\n\r\n/.test(text)) socket.setTimeout(60);
    });
    socket.on('error', end).on('close', end);
    socket.write(bytes);
  });
}

export function jsonOf(response: HttpResponse): Record<string, unknown> {
  const value: unknown = JSON.parse(response.text);
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
