/** Gateways with a fake backend, and calls to them, for the tests of the backend proxy. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BackendRequest } from '../backend-requests/backend-request.ts';
import { type BackendProxyOptions, createBackendProxy } from './backend-proxy.ts';
import { createGateway } from './gateway.ts';
import { HEALTHY, PAGES_OF_NOTHING } from './gateway-fakes.ts';

export const PUBLIC_KEY = 'sb_publishable_test';
export const ID = '0190a5b0-1111-4222-8333-444455556666';
const SITE = { names: new Set(['lap.app']), hosts: ['names.example.com'], adminHost: undefined };
const TOKEN_SECRET = 'secret of the tokens';

export const CLAIMS = { role: 'authenticated', aud: 'authenticated', exp: 4_000_000_000 };
export const SESSION = tokenWith(CLAIMS);
export const SIGNED_IN = { apikey: PUBLIC_KEY, authorization: `Bearer ${SESSION}` };

/** A request as the backend received it. */
export interface Received {
  readonly line: string;
  readonly headers: BackendRequest['headers'];
  readonly body: string;
}

/** A backend: what it responds to a request. It rejects when it ends before. */
export type Respond = (request: Received) => Promise<{
  readonly status?: number;
  readonly headers?: [name: string, value: string][];
  readonly body?: string;
}>;

export interface Call {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** A response, with the `code` of its JSON if it has one. */
interface CallResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly code: unknown;
}

/** Creates a token with these claims, signed as the auth server signs them. */
export function tokenWith(
  claims: object,
  header: object = { alg: 'HS256', typ: 'JWT' },
  secret = TOKEN_SECRET,
): string {
  const parts = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  const signature = createHmac('sha256', secret).update(parts.join('.')).digest('base64url');
  return [...parts, signature].join('.');
}

/** Creates a backend that responds with `[]` and adds each request to `received`. */
export function recordingBackend(received: Received[]): Respond {
  return async (request) => {
    received.push(request);
    const headers: [string, string][] = [
      ['content-type', 'application/json'],
      ['x-powered-by', 'someone'],
      ['server', 'other'],
    ];
    return { headers, body: '[]' };
  };
}

export function callTo(
  gateway: Server,
  { method = 'GET', path, headers = {}, body }: Call,
): Promise<CallResponse> {
  const { port } = gateway.address() as AddressInfo;
  return new Promise((resolve) => {
    request(
      { port, path, method, headers: { host: 'localhost', ...headers }, agent: false },
      async (response) => {
        const text = (await response.setEncoding('utf8').toArray()).join('');
        let code: unknown;
        try {
          code = (JSON.parse(text) as { code?: unknown }).code;
        } catch {
          // No JSON, no code.
        }
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, code });
      },
    )
      // The server may stop before its response.
      .on('error', () => {})
      .end(body);
  });
}

/** Starts a gateway in front of a backend. */
export async function gatewayTo(
  respond: Respond,
  clientIpOf: (request: IncomingMessage) => string = () => '127.0.0.1',
  isBehindProxy = false,
  catalogue?: BackendProxyOptions['catalogue'],
  onBotCheck?: BackendProxyOptions['onBotCheck'],
): Promise<Server> {
  const gateway = createGateway({
    pages: { ...PAGES_OF_NOTHING, siteHosts: () => SITE },
    backend: createBackendProxy({
      send: async ({ method, path, headers, body }) => {
        const request = { line: `${method} ${path}`, headers, body: Buffer.from(body).toString() };
        const response = { status: 200, headers: [], body: '', ...(await respond(request)) };
        return { ...response, body: new TextEncoder().encode(response.body) };
      },
      publishableKey: PUBLIC_KEY,
      tokenSecret: TOKEN_SECRET,
      siteHosts: () => SITE,
      clientIpOf,
      isBehindProxy,
      catalogue,
      onBotCheck,
    }),
    health: HEALTHY,
  });
  // With Node’s 511, the kernel drops what a test sends at once, and resends it for up to a minute on a busy machine.
  await once(gateway.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }), 'listening');
  return gateway;
}

export function close(...servers: Server[]): void {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
}
