import assert from 'node:assert/strict';
import type { Server } from 'node:http';
import { after, before, beforeEach, test } from 'node:test';
import {
  type Call,
  CLAIMS,
  callTo,
  close,
  gatewayTo,
  type Received,
  recordingBackend,
  SESSION,
  tokenWith,
} from './backend-proxy.fixture.ts';

const PATH = '/admin/catalogue';
const TOKEN = { authorization: `Bearer ${SESSION}` };
const JSON_TYPE = { 'content-type': 'application/json' };

let gateway: Server;
let without: Server;
let received: { method: string; host: string; headers: Readonly<Record<string, string>>; body: string }[] =
  [];
const toBackend: Received[] = [];
let waiting: Promise<void> = Promise.resolve();
before(async () => {
  gateway = await gatewayTo(recordingBackend(toBackend), undefined, false, async (request, host) => {
    const body = Buffer.from(request.body).toString();
    received.push({ method: request.method, host, headers: request.headers, body });
    await waiting;
    return {
      status: 200,
      headers: [
        ['content-type', 'application/json; charset=utf-8'],
        ['x-request-id', 'an id'],
        ['server', 'other'],
      ],
      body: Buffer.from('{}'),
    };
  });
  without = await gatewayTo(recordingBackend(toBackend));
});
after(() => close(gateway, without));
beforeEach(() => {
  received = [];
});
const post = (call: Partial<Call> = {}, to = gateway) =>
  callTo(to, {
    method: 'POST',
    path: PATH,
    ...(call.method === 'OPTIONS' ? {} : { body: '{}' }),
    ...call,
    headers: { ...TOKEN, ...JSON_TYPE, ...call.headers },
  });

test('a request of an admin host reaches the catalogue, and not the backend', async () => {
  const { status, headers } = await post({
    headers: { origin: 'http://localhost', 'x-client-address': '203.0.113.7', cookie: 'a=b' },
    body: '{"action":"init"}',
  });
  assert.equal(status, 200);
  assert.equal(headers['cache-control'], 'no-store');
  assert.equal(headers['x-request-id'], 'an id');
  assert.equal(headers.server, undefined);
  assert.equal(headers['x-content-type-options'], 'nosniff');
  const [{ method, host, headers: sent, body } = {}] = received as Partial<(typeof received)[number]>[];
  assert.deepEqual([method, host, body], ['POST', 'localhost', '{"action":"init"}']);
  assert.deepEqual(
    [sent?.origin, sent?.authorization, sent?.cookie],
    ['http://localhost', TOKEN.authorization, undefined],
  );
  assert.notEqual(sent?.['x-client-address'], '203.0.113.7');
  assert.equal((await callTo(gateway, { path: PATH, headers: TOKEN })).status, 200);
  assert.equal((await post({ headers: { host: 'names.example.com' } })).status, 200);
  assert.deepEqual(toBackend, []);
});

for (const [what, call, status, code] of [
  ['a domain for sale', { headers: { host: 'lap.app' } }, 404, 'unknown_route'],
  ['another host', { headers: { host: 'evil.example' } }, 404, 'unknown_route'],
  ['loopback through a proxy', { headers: { 'x-forwarded-for': '203.0.113.7' } }, 404, 'unknown_route'],
  ['another method', { method: 'PUT' }, 405, 'method_not_allowed'],
  ['a preflight', { method: 'OPTIONS' }, 405, 'method_not_allowed'],
  ['a query', { path: `${PATH}?action=init` }, 400, 'unsupported_query'],
  ['no token', { headers: { authorization: '' } }, 401, 'session_ended'],
  ['the public key', { headers: { authorization: 'Bearer sb_publishable_test' } }, 401, 'session_ended'],
  [
    'a token that has ended',
    { headers: { authorization: `Bearer ${tokenWith({ ...CLAIMS, exp: 1 })}` } },
    401,
    'session_ended',
  ],
  [
    'a forged token',
    { headers: { authorization: `Bearer ${tokenWith(CLAIMS, undefined, 'other')}` } },
    401,
    'session_ended',
  ],
  [
    'a token of the service',
    { headers: { authorization: `Bearer ${tokenWith({ ...CLAIMS, role: 'service_role' })}` } },
    401,
    'session_ended',
  ],
  ['a form', { headers: { 'content-type': 'application/x-www-form-urlencoded' } }, 415, 'not_json'],
  ['a text', { headers: { 'content-type': 'text/plain' } }, 415, 'not_json'],
  ['a compressed body', { headers: { 'content-encoding': 'gzip' } }, 415, 'not_json'],
  ['a body beyond 64 KiB', { body: 'x'.repeat(64 * 1024 + 1) }, 413, 'too_large'],
] as [string, Partial<Call>, number, string][]) {
  test(`${what} is rejected`, async () => {
    const response = await post(call);
    assert.deepEqual([response.status, response.code], [status, code]);
    assert.deepEqual(received, []);
  });
}

test('without a catalogue, and at other spellings, there is nothing', async () => {
  assert.deepEqual((await post({}, without)).status, 404);
  for (const path of [`${PATH}/`, '/admin//catalogue', '/admin/%63atalogue', '/Admin/catalogue'])
    await callTo(gateway, { path, headers: TOKEN });
  assert.deepEqual(received, []);
});

test('one client has few requests at a time, and the rest is rejected at once', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  waiting = promise;
  let rejected = 0;
  const calls = Array.from({ length: 12 }, async () => {
    const { status, code } = await post();
    if (status !== 200) rejected += 1;
    if (rejected === 4) resolve();
    return `${status} ${code}`;
  });
  const results = await Promise.all(calls);
  assert.deepEqual(results.toSorted(), [
    ...Array(8).fill('200 undefined'),
    ...Array(4).fill('503 unavailable'),
  ]);
});
