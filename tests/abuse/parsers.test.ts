/**
 * Two parsers, one request: what the gateway checked is what arrives behind it, however the request was spelled. The
 * upstream records what it receives, read by the parsers of both sides.
 */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { getQueryParam, getQueryParams } from 'hono/utils/url';
import type { BackendRequest } from '../../server/backend-requests/backend-request.ts';
import { readQuery } from '../../server/backend-requests/rest-query.ts';
import { createBackendProxy } from '../../server/http/backend-proxy.ts';
import { BACKEND_ROUTES } from '../../server/http/backend-routes.ts';
import { createGateway } from '../../server/http/gateway.ts';
import { HEALTHY, PAGES_OF_NOTHING } from '../../server/http/gateway-fakes.ts';
import { PUBLIC_KEY } from '../support/product.ts';
import { bytesOf, type OddRequest, oddRequest } from './odd-requests.ts';
import { count } from './report.ts';
import { fastCheckSettings, runsOf } from './short-form.ts';

/** Longer than a busy machine may stand still: a request that arrived after it would count as the next one's. */
const RESPONSE_TIMEOUT_MS = 30_000;

const TOKEN_SECRET = 'secret of the tokens';
/** A token that the gateway lets through. */
const SESSION = sessionToken();
/** Written by the gateway. */
const EXPECTED_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'apikey',
  'authorization',
  'content-type',
  'origin',
  'prefer',
  'x-client-address',
  'x-client-info',
  'x-request-host',
  'access-control-request-headers',
  'access-control-request-method',
]);

describe('request parsing', () => {
  const received: BackendRequest[] = [];
  let gateway: Server;

  before(async () => {
    gateway = createGateway({
      pages: PAGES_OF_NOTHING,
      backend: createBackendProxy({
        send: async (request) => {
          received.push(request);
          return { status: 200, headers: [], body: new TextEncoder().encode('{}') };
        },
        publishableKey: PUBLIC_KEY,
        tokenSecret: TOKEN_SECRET,
        siteHosts: PAGES_OF_NOTHING.siteHosts,
        clientIpOf: () => '192.0.2.1',
        isBehindProxy: false,
      }),
      health: HEALTHY,
    });
    await once(gateway.listen(0, '127.0.0.1'), 'listening');
  });
  after(() => {
    gateway.closeAllConnections();
    gateway.close();
  });

  test('the backend parses every odd request as the gateway does', {
    timeout: runsOf(600_000, 60_000),
  }, async () => {
    let arrived = 0;
    await fc.assert(
      fc.asyncProperty(oddRequest, async (request) => {
        received.length = 0;
        count('parsed');
        await send(withKeys(request));
        try {
          assert.ok(received.length <= 1, `${received.length} requests arrived`);
          for (const one of received) assertAsChecked(one);
        } catch (error) {
          count('differences');
          throw error;
        }
        arrived += received.length;
      }),
      fastCheckSettings(20_000, 1_500),
    );
    assert.ok(arrived > 20, `only ${arrived} requests got through: the test compares nothing`);
  });

  /** As a visitor who is signed in: the rules that are left are those of spelling. */
  function withKeys(request: OddRequest): OddRequest {
    const keys = [
      ['apikey', ` ${PUBLIC_KEY}`],
      ['authorization', ` Bearer ${SESSION}`],
    ] as const;
    return { ...request, headers: [...keys, ...request.headers] };
  }

  async function send(request: OddRequest): Promise<void> {
    const socket = connect((gateway.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => {}).resume();
    const closed = once(socket, 'close');
    socket.setTimeout(RESPONSE_TIMEOUT_MS, () => socket.destroy());
    socket.write(bytesOf(request, 'localhost'));
    await closed;
  }
});

function assertAsChecked({ method, path: url, headers, body }: BackendRequest): void {
  const [path = '', query = ''] = url.split('?');
  const route = BACKEND_ROUTES[path]?.[method as 'GET'];
  assert.ok(route, `${method} ${path} is on no list`);
  assert.deepEqual(
    Object.keys(headers).filter((name) => !EXPECTED_HEADERS.has(name)),
    [],
  );

  // The standard's parser and the backend's router read the same names and values, each once.
  assert.equal(readQuery(query, route.query), query, 'the query is the checked one');
  const standard = [...new URL(url, 'http://localhost').searchParams];
  const routers = Object.entries(
    (getQueryParams(`http://localhost${url}`) ?? {}) as Record<string, string[]>,
  );
  assert.deepEqual(
    routers.map(([name, values]) => [name, values.join()]),
    standard,
  );
  for (const [name, value] of standard) assert.equal(getQueryParam(`http://localhost${url}`, name), value);

  // As the thread of the backend reads it; a request that it cannot make is an error.
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const made = new Request(`http://embedded${url}`, {
    method,
    headers,
    ...(hasBody && { body: new Uint8Array(body) }),
  });
  assert.equal(made.url, `http://embedded${url}`);
  if (route.to !== 'database') return;
  if (route.body === undefined) assert.equal(body.byteLength, 0);
  else {
    assert.equal(headers['content-type'], 'application/json');
    const parsed: unknown = JSON.parse(Buffer.from(body).toString());
    assert.equal(JSON.stringify(parsed), Buffer.from(body).toString(), 'the body is written anew');
    assert.ok(route.body.safeParse(parsed).success);
  }
}

function sessionToken(): string {
  const claims = { role: 'authenticated', aud: 'authenticated', exp: 4_000_000_000 };
  const parts = [{ alg: 'HS256' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  return [...parts, createHmac('sha256', TOKEN_SECRET).update(parts.join('.')).digest('base64url')].join('.');
}
