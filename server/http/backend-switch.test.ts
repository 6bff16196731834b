import assert from 'node:assert/strict';
import { once } from 'node:events';
import { IncomingMessage, type Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { after, before, mock, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { callTo, close } from './backend-proxy.fixture.ts';
import type { BackendProxy } from './backend-proxy.ts';
import { type BackendSwitch, createBackendSwitch } from './backend-switch.ts';
import { createGateway } from './gateway.ts';
import { HEALTHY, PAGES_OF_NOTHING } from './gateway-fakes.ts';

const SITE = { names: new Set(['lap.app']), hosts: [], adminHost: 'admin.example' };
const ORDER = { method: 'POST', path: '/functions/v1/order-submit', headers: { host: 'lap.app' } };

let paths: BackendSwitch;
let gateway: Server;

before(async () => {
  paths = createBackendSwitch(() => SITE);
  gateway = createGateway({
    pages: { ...PAGES_OF_NOTHING, siteHosts: () => SITE },
    backend: paths.handle,
    health: HEALTHY,
  }).listen(0, '127.0.0.1');
  await once(gateway, 'listening');
});
after(() => close(gateway));

test('while the backend starts, its paths are 503 with Retry-After, and pages are served', async () => {
  const order = await callTo(gateway, ORDER);
  assert.deepEqual([order.status, order.code, order.headers['retry-after']], [503, 'unavailable', '5']);
  assert.equal(JSON.parse(order.text).error, JSON.parse(order.text).message);
  // Not 401, which would end the session.
  const offers = await callTo(gateway, {
    path: '/rest/v1/offers?select=*',
    headers: { host: 'admin.example', authorization: 'Bearer of a session' },
  });
  assert.deepEqual([offers.status, offers.code], [503, 'unavailable']);
  assert.equal((await callTo(gateway, { path: '/', headers: { host: 'lap.app' } })).text, 'page');
});

test('while the backend starts, paths are 404 that it does not have, or not on this host', async () => {
  for (const [path, host] of [
    ['/rest/v1/users', 'admin.example'],
    ['/functions/v1/admin-auth', 'lap.app'],
  ] as const) {
    const { status, code } = await callTo(gateway, { method: 'POST', path, headers: { host } });
    assert.deepEqual([status, code], [404, 'unknown_route'], path);
  }
  const wrongMethod = await callTo(gateway, { ...ORDER, method: 'GET' });
  assert.deepEqual([wrongMethod.status, wrongMethod.headers.allow], [405, 'POST, OPTIONS']);
});

test('closing waits for requests in flight, no longer, and rejects later ones', async (t) => {
  // The longest wait does not end.
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const arrived = Promise.withResolvers<ServerResponse>();
  const proxy: BackendProxy = (_request: IncomingMessage, response) => arrived.resolve(response);
  paths.open(proxy);
  const inFlight = callTo(gateway, ORDER);
  const response = await arrived.promise;
  let closed = 0;
  const close = () =>
    paths.close().then(() => {
      closed += 1;
    });
  void close();
  assert.equal((await callTo(gateway, ORDER)).status, 503);
  assert.equal(closed, 0);
  response.writeHead(201).end();
  assert.equal((await inFlight).status, 201);
  for (let turn = 0; closed === 0 && turn < 1_000; turn += 1) await nextTurn();
  assert.equal(closed, 1);
  void close();
  await nextTurn();
  assert.equal(closed, 2, 'with none in flight at once');
});

test('closing waits for no longer than 2.5 s for a request that does not end', async (context) => {
  const other = createBackendSwitch(() => SITE);
  const arrived = Promise.withResolvers<void>();
  other.open(() => arrived.resolve());
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  other.handle(response.req, response, { host: 'lap.app', path: '/functions/v1/order-submit', query: '' });
  await arrived.promise;
  mock.timers.enable({ apis: ['setTimeout'] });
  context.after(() => mock.timers.reset());
  let isClosed = false;
  void other.close().then(() => {
    isClosed = true;
  });
  mock.timers.tick(2_499);
  await nextTurn();
  assert.equal(isClosed, false);
  mock.timers.tick(1);
  await nextTurn();
  assert.equal(isClosed, true, 'closed after 2.5 s');
});
