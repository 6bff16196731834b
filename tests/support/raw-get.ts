import { type Agent, request } from 'node:http';
import type { HttpResponse } from './http-client.ts';

const TIMEOUT_MS = 60_000;

/**
 * Sends a GET with exactly this request target and these headers, where `fetch` would normalize both.
 * @param target such as `/x/../y`, sent as it is
 * @param agent keeps connections; absent: a connection for this request
 */
export function rawGet(
  port: number,
  target: string,
  headers: Readonly<Record<string, string>> = { host: 'localhost' },
  agent?: Agent,
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const sent = request({
      port,
      host: '127.0.0.1',
      headers: { ...headers },
      agent: agent ?? false,
      timeout: TIMEOUT_MS,
    });
    // Node rejects some characters in the option `path`, which a server must expect all the same.
    sent.path = target;
    sent.on('timeout', () => sent.destroy(new Error(`no response to ${target} in time`)));
    sent.on('error', reject).on('response', async (response) => {
      const text = (await response.setEncoding('utf8').toArray()).join('');
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
    });
    sent.end();
  });
}
