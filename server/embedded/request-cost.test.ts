/** What one request of the public may cost the database: compared with the table of SECURITY.md. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { encodeProof, proofMaker } from '../../tests/abuse/proofs.ts';
import { createBackendProxy } from '../http/backend-proxy.ts';
import { BACKEND_ROUTES, type BackendRoute } from '../http/backend-routes.ts';
import { REQUEST_HOST_HEADER } from '../http/check-backend-request.ts';
import { CLIENT_IP_HEADER } from '../http/client-ip.ts';
import { createGateway } from '../http/gateway.ts';
import { HEALTHY, PAGES_OF_NOTHING } from '../http/gateway-fakes.ts';
import { KEYS, makeAdministrator, openBooted } from './booted-database.fixture.ts';
import type { OpenDatabase } from './open-database.ts';
import { PROJECT_URL } from './project-options.ts';
import { serveProject } from './serve-project.ts';

const HOST = 'names.example';
const SITE = { names: new Set(['lap.app']), hosts: [HOST], adminHost: HOST };
const OWNER = { email: 'owner@example.com', password: 'correct horse battery' };
/** More requests than a network has before a limit. */
const MANY = 260;

/** Path → the largest number of statements of one request before its sender meets a limit, and beyond it. */
const TABLE = new Map(
  [...readFileSync('SECURITY.md', 'utf8').matchAll(/^\| `(\w+ \/\S+)` \| (\d+)\b.* \| (\d+)\b.* \|$/gm)].map(
    ([, route = '', first, beyond]) => [route, { first: Number(first), beyond: Number(beyond) }],
  ),
);

/** Of each path the bodies that cost most, and different ones. */
const BODIES: Record<string, (() => object | Promise<object>)[]> = {
  'GET /functions/v1/bot-check?domain=lap.app': [],
  'POST /functions/v1/order-submit': [
    async () => ({ ...(await offer()) }),
    () => ({ ...OFFER, turnstile_token: 'none' }),
    async () => ({ ...(await offer()), domain_name: 'other.example' }),
  ],
  'POST /functions/v1/negotiation': [() => ({ token: hex() }), () => ({ token: 'none' })],
  'POST /functions/v1/admin-auth': [
    () => ({ ...OWNER, password: randomUUID() }),
    () => ({ email: `${randomUUID()}@example.com`, password: 'guess' }),
  ],
  'POST /auth/v1/token?grant_type=refresh_token': [() => ({ refresh_token: randomUUID() })],
};
const OFFER = {
  domain_name: 'lap.app',
  offer_amount: '$1',
  customer_name: 'Ada',
  customer_email: 'ada@example.com',
};

let database: OpenDatabase;
let gateway: Server;
let statements = 0;

before(async () => {
  database = await openBooted();
  await makeAdministrator(database, OWNER);
  const query = database.sql.query.bind(database.sql);
  database.sql.query = (async (...call: Parameters<typeof query>) => {
    // All requests share it: one at a time, and one a second for names and hosts of the site.
    if (!String((call[1] as unknown[] | undefined)?.[2]).includes('"read_listings"')) statements += 1;
    return await query(...call);
  }) as typeof query;
  const { fetch } = serveProject(database, KEYS, {
    dataDir: '',
    print: () => {},
    settings: { CLIENT_ADDRESS_HEADER: CLIENT_IP_HEADER, REQUEST_HOST_HEADER, ADMIN_HOST: HOST },
  });
  const names = JSON.stringify([{ name: 'lap.app' }]);
  await query(`select public.publish_listings($1, $2, $3, 'en')`, [names, [HOST], true]);
  const backend = createBackendProxy({
    send: async ({ method, path, headers, body }) => {
      const hasBody = method !== 'GET' && method !== 'HEAD';
      const response = await fetch(PROJECT_URL + path, {
        method,
        headers,
        ...(hasBody && { body: new Uint8Array(body) }),
      });
      const bytes = new Uint8Array(await response.arrayBuffer());
      return { status: response.status, headers: [...response.headers], body: bytes };
    },
    publishableKey: KEYS.publishableKey,
    tokenSecret: KEYS.jwtSecret,
    siteHosts: () => SITE,
    clientIpOf: ({ headers }: IncomingMessage) => String(headers['x-test-ip']),
    isBehindProxy: true,
    console: { ...console, error: () => {}, warn: () => {} },
  });
  const pages = { ...PAGES_OF_NOTHING, siteHosts: () => SITE };
  gateway = createGateway({ pages, backend, health: HEALTHY }).listen(0, '127.0.0.1');
  await once(gateway, 'listening');
});
after(async () => {
  gateway.closeAllConnections();
  gateway.close();
  await database.close();
});

function needsSession(route: BackendRoute): boolean {
  return route.to === 'catalogue' || (route.to === 'database' && route.role === 'authenticated');
}

test('the table has every public route', () => {
  const isPublic = Object.entries(BACKEND_ROUTES).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, route]) =>
      method !== 'OPTIONS' && !needsSession(route) ? [`${method} ${path}`] : [],
    ),
  );
  assert.deepEqual([...TABLE.keys()].sort(), isPublic.sort());
  assert.deepEqual(
    Object.keys(BODIES)
      .map((path) => path.split('?')[0])
      .sort(),
    isPublic.sort(),
  );
});

test('a preflight, and a route of administrators without a session, costs nothing', async () => {
  for (const [path, methods] of Object.entries(BACKEND_ROUTES)) {
    for (const [method, route] of Object.entries(methods)) {
      if (method !== 'OPTIONS' && !needsSession(route)) continue;
      const { cost } = await send(`${method} ${path}`, '192.0.2.1', {});
      assert.equal(cost, 0, `${method} ${path}`);
    }
  }
});

test('with Turnstile, an offer whose check cannot be made costs two', async () => {
  const settings = { TURNSTILE_SECRET_KEY: '0xsecret', TURNSTILE_VERIFY_URL: 'http://127.0.0.1:9/' };
  const { fetch } = serveProject(database, KEYS, { dataDir: '', print: () => {}, settings });
  const before = statements;
  const { status } = await fetch(`${PROJECT_URL}/functions/v1/order-submit`, {
    method: 'POST',
    headers: { apikey: KEYS.publishableKey, 'content-type': 'application/json' },
    body: JSON.stringify({ ...OFFER, turnstile_token: 'a.token.of-turnstile' }),
  });
  assert.deepEqual([status, statements - before], [503, 2]);
});

for (const [route, bodies] of Object.entries(BODIES)) {
  const [path = ''] = route.split('?');
  test(`${path} costs what the table says, also from many IPs of a network`, async () => {
    const { first, beyond } = TABLE.get(path) ?? { first: -1, beyond: -1 };
    let most = 0;
    for (const [at, body] of (bodies.length > 0 ? bodies : [undefined]).entries()) {
      const { cost } = await send(route, `203.0.113.${at}`, await body?.());
      most = Math.max(most, cost);
    }
    assert.equal(most, first, 'before a limit');
    const body = bodies[0];
    // Where nothing is to be limited, nothing is counted either.
    if (first === 0 || body === undefined) return;
    for (let sent = 0, cost = first; cost > 0; sent += 1) {
      assert.ok(sent < MANY, 'the network meets no limit');
      ({ cost } = await send(route, `2001:db8:1:${sent.toString(16)}::1`, await body()));
    }
    for (let sent = 0; sent < 5; sent += 1) {
      const { cost } = await send(route, `2001:db8:1:f${sent}::1`, await body());
      assert.equal(cost, beyond, 'beyond a limit');
    }
  });
}

/** Sends a request, and counts the statements until its response. */
async function send(route: string, ip: string, body?: object): Promise<{ status: number; cost: number }> {
  const [method = '', path = ''] = route.split(' ');
  const hasBody = method !== 'GET' && method !== 'HEAD' && body !== undefined;
  const headers = {
    host: HOST,
    apikey: KEYS.publishableKey,
    'x-test-ip': ip,
    ...(hasBody && { 'content-type': 'application/json' }),
  };
  const before = statements;
  const { port } = gateway.address() as AddressInfo;
  const sent = request({ host: '127.0.0.1', port, method, path, headers, agent: false });
  sent.end(hasBody ? JSON.stringify(body) : undefined);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'close');
  return { status: response.statusCode ?? 0, cost: statements - before };
}

function hex(): string {
  return randomUUID().replaceAll('-', '');
}

/** With a proof that was solved with the server's key. */
async function offer(): Promise<object> {
  return { ...OFFER, turnstile_token: encodeProof(await proofMaker(KEYS.secretKey)()) };
}
