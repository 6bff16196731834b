import assert from 'node:assert/strict';
import { after, afterEach, before, mock, test } from 'node:test';
import { type Behaviour, json, type Siteverify, startSiteverify } from '../../../tests/abuse/siteverify.ts';
import { fixedListings } from '../_shared/listings.fixture.ts';
import { createLog } from '../_shared/log.ts';
import { isVisitedHost, turnstile } from './turnstile.ts';

const SITE = { names: new Set(['lap.app']), hosts: ['names.example.com'], adminHost: undefined };
const SECRET = 'secret-7f3a';
const CLIENT = { address: '192.0.2.5', ip: '192.0.2.5', network: '192.0.2.0/24' };

let siteverify: Siteverify;
let tokens = 0;
let log = '';

before(async () => {
  siteverify = await startSiteverify();
});
after(() => siteverify.close());
afterEach(() => mock.restoreAll());

const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();
const passed = (change: object = {}) => ({
  success: true,
  hostname: 'lap.app',
  action: 'order-submit',
  challenge_ts: ago(10),
  'error-codes': [],
  ...change,
});
const rejected = (...codes: string[]) => json({ success: false, 'error-codes': codes });

/** Verifies a token to which siteverify responds so. */
async function verify(behaviour: Behaviour, token = `token-${++tokens}`, sentTo = 'lap.app') {
  siteverify.respondTo(token, behaviour);
  const write = (line: string) => {
    log += line;
  };
  const check = turnstile(
    { secret: SECRET, verifyUrl: siteverify.url },
    fixedListings(SITE),
    { loopbackOnly: true },
    createLog({ log: write, error: write }),
  );
  assert.ok(check.limitsFailures, 'each verification is a request to a third party');
  const read = check.read(token, 'lap.app', sentTo);
  assert.equal(read?.identity, token);
  const verdict = await read.verify(CLIENT);
  return { verdict, sent: siteverify.verificationsOf(token) };
}

test('a recent token of this host and action passes, verified once with the secret and the client’s IP', async () => {
  for (const change of [
    {},
    { hostname: 'www.lap.app' },
    { challenge_ts: ago(-55) },
    { challenge_ts: ago(325) },
  ]) {
    const { verdict, sent } = await verify(json(passed(change)));
    assert.equal(verdict, 'passed', JSON.stringify(change));
    assert.equal(sent.length, 1);
    assert.deepEqual([sent[0]?.get('secret'), sent[0]?.get('remoteip')], [SECRET, '192.0.2.5']);
  }
});

test('a token of an unknown host passes for an offer that was sent to that host', async () => {
  const behaviour = json(passed({ hostname: 'tunnel.example' }));
  assert.equal((await verify(behaviour, 'tunnel', 'tunnel.example')).verdict, 'passed');
  assert.equal((await verify(behaviour, 'other', 'other.example')).verdict, 'failed');
});

test('a token with special characters is verified unchanged', async () => {
  const { verdict, sent } = await verify(json(passed()), 'token&secret=b&response=c%00+ü');
  assert.deepEqual([verdict, sent[0]?.getAll('secret')], ['passed', [SECRET]]);
});

const NO_SUCCESS: [what: string, behaviour: Behaviour, verdict: 'failed' | 'expired'][] = [
  ['an invalid token', rejected('invalid-input-response'), 'failed'],
  ['an expired or used token', rejected('timeout-or-duplicate'), 'expired'],
  ['a success for another host', json(passed({ hostname: 'evil.example' })), 'failed'],
  ['a success for a look-alike host', json(passed({ hostname: 'lap.app.evil.example' })), 'failed'],
  ['a success without a host', json(passed({ hostname: undefined })), 'failed'],
  ['a success for another action', json(passed({ action: 'sign-in' })), 'failed'],
  ['a success without an action', json(passed({ action: undefined })), 'failed'],
  ['an old success', json(passed({ challenge_ts: ago(335) })), 'expired'],
  ['a success from the future', json(passed({ challenge_ts: ago(-65) })), 'failed'],
  ['a success without a time', json(passed({ challenge_ts: undefined })), 'failed'],
  ['a success with an invalid time', json(passed({ challenge_ts: 'yesterday' })), 'failed'],
  ['a success of a test key', json(passed({ metadata: { result_with_testing_key: true } })), 'failed'],
];
for (const [what, behaviour, verdict] of NO_SUCCESS) {
  test(`${what} is ${verdict}`, async () => assert.equal((await verify(behaviour)).verdict, verdict));
}

const html: Behaviour = (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
const OUTAGES: [what: string, behaviour: Behaviour][] = [
  ['responds with 500', json({ success: true }, 500)],
  ['responds with 503 and HTML', (response) => response.writeHead(503).end('<h1>busy</h1>')],
  ['responds with HTML', html],
  ['responds with an empty body', (response) => response.end()],
  ['responds with an array', json([true])],
  ['responds with success as a string', json(passed({ success: 'true' }))],
  ['responds with success as a number', json(passed({ success: 1 }))],
  ['has an internal error', rejected('internal-error')],
  ['resets the connection', (response) => response.socket?.resetAndDestroy()],
  [
    'stops in the middle',
    (response) => {
      response.writeHead(200, { 'content-length': '500' });
      response.write('{"success":true,', () => response.destroy());
    },
  ],
  ['responds with 5 MB', json(passed({ cdata: 'a'.repeat(5_000_000) }))],
  [
    'redirects',
    (response, ...sent) =>
      response.req.url === '/elsewhere'
        ? json(passed())(response, ...sent)
        : response.writeHead(307, { location: '/elsewhere' }).end(),
  ],
  ['rejects the secret', rejected('invalid-input-secret')],
  ['reports a missing secret', rejected('missing-input-secret')],
];
for (const [what, behaviour] of OUTAGES) {
  test(`a token is neither passed nor failed when siteverify ${what}`, async () => {
    assert.equal((await verify(behaviour)).verdict, 'unavailable');
  });
}

test('a token is neither passed nor failed when a field of siteverify’s response has another type', async () => {
  for (const change of [
    { hostname: ['lap.app'] },
    { action: true },
    { challenge_ts: Date.now() },
    { 'error-codes': 'none' },
    { metadata: [] },
    { metadata: { result_with_testing_key: 'yes' } },
  ])
    assert.equal((await verify(json(passed(change)))).verdict, 'unavailable', JSON.stringify(change));
});

test('a check ends when siteverify never responds, after 4 and 2 seconds', async () => {
  const waits: number[] = [];
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  mock.method(AbortSignal, 'timeout', (ms: number) => {
    waits.push(ms);
    return timeout(20);
  });
  const { verdict, sent } = await verify(() => {});
  assert.equal(verdict, 'unavailable');
  assert.deepEqual(waits, [4_000, 2_000]);
  assert.ok(sent.length <= 2);
});

test('every verification of a token has the same idempotency key', async () => {
  const behaviour: Behaviour = (response, form, time) =>
    (time === 1 ? html : json(passed()))(response, form, time);
  assert.equal((await verify(behaviour, 'token-again')).verdict, 'passed');
  const { sent } = await verify(behaviour, 'token-again');
  assert.equal(sent.length, 3);
  const [first, ...others] = sent.map((form) => form.get('idempotency_key'));
  assert.match(first ?? '', /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.deepEqual(others, [first, first]);
});

test('a rejected secret is logged, and no line holds a secret or a token', async () => {
  await verify(rejected('invalid-input-secret'));
  assert.match(log, /Turnstile rejects TURNSTILE_SECRET_KEY\./);
  assert.doesNotMatch(log, /secret-7f3a|token-/);
});

test('a token solved at localhost is accepted only by a server that listens on loopback', () => {
  for (const host of ['localhost', '127.0.0.1', '[::1]', 'lap.app.localhost', 'LOCALHOST']) {
    assert.equal(isVisitedHost(host, SITE, true, undefined), true, host);
    assert.equal(isVisitedHost(host, SITE, false, undefined), false, host);
  }
  for (const host of ['lap.app', 'www.lap.app', 'names.example.com']) {
    assert.equal(isVisitedHost(host, SITE, false, undefined), true, host);
  }
  for (const host of ['evil.example', 'localhost.evil.example', '']) {
    assert.equal(isVisitedHost(host, SITE, true, undefined), false, host);
  }
});

test('a token solved on the host that the offer was sent to is accepted, unless that is loopback', () => {
  for (const host of ['tunnel.example', '192.168.1.5', 'shop.lap.app']) {
    for (const loopbackOnly of [true, false]) {
      assert.equal(isVisitedHost(host, SITE, loopbackOnly, host), true, host);
      assert.equal(isVisitedHost(host, SITE, loopbackOnly, 'lap.app'), false, host);
      assert.equal(isVisitedHost(host, SITE, loopbackOnly, undefined), false, host);
    }
  }
  for (const loopbackOnly of [true, false])
    assert.equal(isVisitedHost('Tunnel.Example', SITE, loopbackOnly, 'tunnel.example'), true);
  for (const host of ['localhost', '127.0.0.1', '[::1]', 'desk.localhost'])
    assert.equal(isVisitedHost(host, SITE, false, host), false, host);
});
