/** One HTTP request and its answer, with every header as the test says; and raw bytes where Node would not send it. */
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';

export interface Ask {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string | Uint8Array;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

// No connection is used twice: some of the requests leave it in no state for another.
const agent = new Agent({ keepAlive: false });

/** How long an answer may take, in milliseconds. */
const PATIENCE = 60_000;

export function exchange(port: number, { method = 'GET', path, headers = {}, body }: Ask): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const asked = request(
      { host: '127.0.0.1', port, method, path, headers: { ...length, ...headers }, agent, timeout: PATIENCE },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            text: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    asked.on('timeout', () => asked.destroy(new Error('no answer in time')));
    asked.on('error', reject);
    asked.end(body);
  });
}

/** Sends bytes as they are and answers all that comes back until the other side is silent or gone. */
export function rawExchange(port: number, bytes: string | Uint8Array, silence = 1_500): Promise<Answer> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    const end = () => {
      socket.destroy();
      resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), headers: {}, text });
    };
    socket.setTimeout(silence, end);
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (/\r\n\r\n/.test(text)) socket.setTimeout(60);
    });
    socket.on('error', end).on('close', end);
    socket.write(bytes);
  });
}

export function jsonOf(answer: Answer): Record<string, unknown> {
  const value: unknown = JSON.parse(answer.text);
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
