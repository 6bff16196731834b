/** Passes requests on to the backend's processes, saying truthfully who asked, whatever the request claims itself. */
import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  type ServerResponse,
  request as send,
} from 'node:http';
import { REFUSALS, type RefusalCode } from '#contract/refusals.ts';
import { SECURITY_HEADERS } from './headers.ts';
import { readBody } from './request-body.ts';
import { withoutQuery } from './without-query.ts';

export type Forward = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Whether an address belongs to the backend; also once its dots are resolved, as they are on the way:
 * `/rest/v1/../../control` would arrive as `/control`.
 */
export function isBackend(url: string): boolean {
  return BACKEND.test(url) && BACKEND.test(new URL(url, 'http://localhost').pathname);
}
const BACKEND = /^\/(?:auth|rest|functions)\/v1(?:\/|$)/;

export interface ForwardOptions {
  /** Where auth and the data API answer, or undefined while they are down. */
  databaseOrigin(): string | undefined;
  functionsOrigin(): string | undefined;
  readonly trustedProxies: number;
}

/** How long the backend may take for one answer, in milliseconds. */
const PATIENCE = 25_000;

/** A way to one part of the backend. Each has connections of its own, so that whoever crowds one holds up no other. */
interface Door {
  readonly agent: Agent;
  /** How many requests may be on their way at once, those included that wait for a connection. */
  readonly most: number;
  inside: number;
}

function door(connections: number, waiting = Number.POSITIVE_INFINITY): Door {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return { agent, most: connections + waiting, inside: 0 };
}

/** As the functions' process finds the function: by the last part of the address, once its dots are resolved. */
function destinationOf(url: string): 'signIn' | 'functions' | 'database' {
  const { pathname } = new URL(url, 'http://localhost');
  if (!pathname.startsWith('/functions/')) return 'database';
  return pathname.endsWith('/admin-auth') ? 'signIn' : 'functions';
}

/** Headers that belong to one connection, and those by which a request could claim to come from elsewhere. */
const NOT_PASSED_ON =
  /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|host|forwarded|x-forwarded-.*|x-real-ip|x-client-address|cf-.*|sb-.*)$/;

export function createForward(options: ForwardOptions): Forward {
  const doors = {
    // More than may stand in the line for a password (auth-server.ts): the others learn at once that they may not try.
    signIn: door(40, 200),
    functions: door(64),
    database: door(64),
  };
  return (request, response) => {
    pass(request, response).catch((error) => {
      console.error(`A request to ${withoutQuery(request.url)} could not be passed on:`, error);
      response.destroy();
    });
  };

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request, response);
    if (body === undefined) return;
    if (typeof body === 'string') return refuse(response, body);
    const leadsTo = destinationOf(request.url ?? '/');
    const origin = leadsTo === 'database' ? options.databaseOrigin() : options.functionsOrigin();
    const through = doors[leadsTo];
    if (origin === undefined || through.inside >= through.most) return refuse(response, 'unavailable');

    const ask = (isRepeat: boolean): ClientRequest => {
      const asked = send(`${origin}${request.url}`, {
        // The other kept connections may be closed as well.
        agent: isRepeat ? false : through.agent,
        method: request.method,
        headers: headersFor(request, body, options.trustedProxies),
        timeout: PATIENCE,
      });
      // The other timeout counts from when there is a connection.
      const giveUp = () => asked.destroy(new Error('too slow'));
      const late = setTimeout(giveUp, PATIENCE);
      asked.on('response', (answer) => {
        clearTimeout(late);
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
      through.inside += 1;
      asked.on('close', () => {
        through.inside -= 1;
      });
      asked.on('timeout', giveUp);
      asked.on('error', (error: NodeJS.ErrnoException) => {
        clearTimeout(late);
        if (response.headersSent || response.destroyed) response.destroy();
        // A kept connection that the backend closed at this very moment.
        else if (mayRepeat && asked.reusedSocket && error.code === 'ECONNRESET') onward = ask(true);
        else {
          const reason = error.code ?? error.message;
          const path = withoutQuery(request.url);
          console.error(`The backend did not answer ${request.method} ${path} (${reason}).`);
          refuse(response, 'unavailable');
        }
      });
      asked.end(body);
      return asked;
    };
    const mayRepeat = REPEATABLE.has(request.method ?? '');
    let onward = ask(false);
    // The visitor is gone before the answer. After it, the connection is kept for the next request.
    response.on('close', () => {
      if (!response.writableFinished) onward.destroy();
    });
  }
}

/** Asked twice, these do what they do once. */
const REPEATABLE: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** What the visitor may say to the backend, and what is said about the visitor. */
function headersFor(
  request: IncomingMessage,
  body: Buffer,
  trustedProxies: number,
): Record<string, string | string[]> {
  const passed: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined && !NOT_PASSED_ON.test(name)) passed[name] = value;
  }
  // Said for every method: Node would frame none for GET, and the backend would take a body for the next request.
  passed['content-length'] = String(body.byteLength);
  const address = addressOf(request, trustedProxies);
  if (address) passed[CLIENT_ADDRESS_HEADER] = address;
  if (request.headers.host) passed['x-forwarded-host'] = request.headers.host.toLowerCase();
  return passed;
}

/** The header by which functions learn the visitor's address; nobody else's value gets through. */
export const CLIENT_ADDRESS_HEADER = 'x-client-address';

/** The address the connection came from, or, behind trusted proxies, the one that the outermost of them saw. */
function addressOf(request: IncomingMessage, trustedProxies: number): string | undefined {
  if (trustedProxies === 0) return request.socket.remoteAddress;
  const seen = String(request.headers['x-forwarded-for'] ?? '').split(',');
  return seen.at(-trustedProxies)?.trim() || undefined;
}

/** In the words of the functions, and under the name that the data API's clients look for, too. */
function refuse(response: ServerResponse, code: RefusalCode): void {
  const [status, error] = REFUSALS[code];
  const body = JSON.stringify({ error, message: error, code });
  response.writeHead(status, {
    ...SECURITY_HEADERS,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    ...(code === 'unavailable' ? { 'retry-after': '5' } : {}),
    // The rest of the body may never come.
    ...(code === 'too_slow' ? { connection: 'close' } : {}),
  });
  response.end(body);
}
