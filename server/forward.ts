/** Passes requests on to the backend's processes, saying truthfully who asked, whatever the request claims itself. */
import { Agent, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import { SECURITY_HEADERS } from './headers.ts';

export type Forward = (request: IncomingMessage, response: ServerResponse) => void;

export interface ForwardOptions {
  /** Where auth and the data API answer, or undefined while they are down. */
  databaseOrigin(): string | undefined;
  functionsOrigin(): string | undefined;
  readonly trustedProxies: number;
}

/** How long the backend may take for one answer, in milliseconds. */
const PATIENCE = 25_000;

/** Headers that belong to one connection, and those by which a request could claim to come from elsewhere. */
const NOT_PASSED_ON =
  /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|host|forwarded|x-forwarded-.*|x-real-ip|x-client-address|cf-.*|sb-.*)$/;

export function createForward(options: ForwardOptions): Forward {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  return (request, response) => {
    const isFunction = request.url?.startsWith('/functions/') === true;
    const origin = isFunction ? options.functionsOrigin() : options.databaseOrigin();
    if (origin === undefined) return unavailable(response);

    const passed: Record<string, string | string[]> = {};
    for (const [name, value] of Object.entries(request.headers)) {
      if (value !== undefined && !NOT_PASSED_ON.test(name)) passed[name] = value;
    }
    const address = addressOf(request, options.trustedProxies);
    if (address) passed[CLIENT_ADDRESS_HEADER] = address;
    if (request.headers.host) passed['x-forwarded-host'] = request.headers.host.toLowerCase();

    const onward = send(`${origin}${request.url}`, {
      agent,
      method: request.method,
      headers: passed,
      timeout: PATIENCE,
    });
    onward.on('response', (answer) => {
      const headers: Record<string, string | string[]> = { ...SECURITY_HEADERS };
      for (const [name, value] of Object.entries(answer.headers)) {
        if (value !== undefined && !NOT_PASSED_ON.test(name)) headers[name] = value;
      }
      // Whatever the backend answers is for the asker alone.
      headers['cache-control'] = 'no-store';
      response.writeHead(answer.statusCode ?? 502, headers);
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    });
    onward.on('timeout', () => onward.destroy());
    onward.on('error', () => (response.headersSent ? response.destroy() : unavailable(response)));
    // The visitor is gone before the answer. After it, the connection is kept for the next request.
    response.on('close', () => {
      if (!response.writableFinished) onward.destroy();
    });
    request.pipe(onward);
  };
}

/** The header by which functions learn the visitor's address; nobody else's value gets through. */
export const CLIENT_ADDRESS_HEADER = 'x-client-address';

/** The address the connection came from, or, behind trusted proxies, the one that the outermost of them saw. */
function addressOf(request: IncomingMessage, trustedProxies: number): string | undefined {
  if (trustedProxies === 0) return request.socket.remoteAddress;
  const seen = String(request.headers['x-forwarded-for'] ?? '').split(',');
  return seen.at(-trustedProxies)?.trim() || undefined;
}

function unavailable(response: ServerResponse): void {
  const body = JSON.stringify({
    error: 'This cannot be done at the moment. Please try again in a minute.',
    message: 'This cannot be done at the moment. Please try again in a minute.',
    code: 'unavailable',
  });
  response.writeHead(503, {
    ...SECURITY_HEADERS,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'retry-after': '5',
  });
  response.end(body);
}
