import assert from 'node:assert/strict';
import type { Server } from 'node:http';
import { after, afterEach, before, describe, test } from 'node:test';
import { CALLS } from '#contract/calls.ts';
import { ADMINISTRATOR_REQUESTS } from '../../commands/hosted/outside-check/expected-access.ts';
import {
  type Call,
  CLAIMS,
  callTo,
  close,
  gatewayTo,
  ID,
  PUBLIC_KEY,
  type Received,
  recordingBackend,
  SESSION,
  SIGNED_IN,
  tokenWith,
} from './backend-proxy.fixture.ts';

const NOTHING: Received = { line: '', headers: {}, body: '' };

describe('the checks of backend requests', () => {
  const received: Received[] = [];
  let gateway: Server;

  before(async () => {
    gateway = await gatewayTo(recordingBackend(received));
  });
  after(() => close(gateway));
  afterEach(() => {
    received.length = 0;
  });

  const call = (options: Call) => callTo(gateway, options);
  const patch = (body: unknown, more: Partial<Call> = {}): Call => ({
    method: 'PATCH',
    path: `/rest/v1/offers?id=eq.${ID}`,
    headers: { ...SIGNED_IN, 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...more,
  });

  test('the calls of the specification reach the backend, rewritten', async () => {
    await call({ path: '/rest/v1/offers?select=*&order=created_at.desc', headers: SIGNED_IN });
    await call(
      patch('{ "status" : "accepted" }', {
        headers: { ...SIGNED_IN, 'content-type': 'application/json', prefer: 'return=representation' },
      }),
    );
    assert.deepEqual(
      received.map(({ line, body }) => [line, body]),
      [
        ['GET /rest/v1/offers?select=*&order=created_at.desc', ''],
        [`PATCH /rest/v1/offers?id=eq.${ID}`, '{"status":"accepted"}'],
      ],
    );
    const [{ headers } = NOTHING, patched] = received;
    assert.equal(headers.apikey, PUBLIC_KEY);
    assert.equal(headers.authorization, SIGNED_IN.authorization);
    assert.equal(headers['x-client-address'], '127.0.0.1');
    assert.equal(patched?.headers.prefer, 'return=representation');
  });

  /** Of a list by amount: currency, amount and time. */
  const SORT_KEY = 'USD 100000000000750000 20261123010203123456';
  const FIND = '/rest/v1/rpc/find_offers';
  const PAGES = '/rest/v1/rpc/offer_pages';
  const HISTORY = '/rest/v1/rpc/offer_history';
  const MESSAGE = '/rest/v1/rpc/offer_message';
  const PRICES = '/rest/v1/rpc/asking_prices';
  const LONG_NAME = `${'a'.repeat(249)}.app`;
  const FILTER = { term: 'ada@example.com', status: 'pending', domain: 'lap.app', only: 'held' };
  const post = (path: string, body: unknown): Call => ({
    method: 'POST',
    path,
    headers: { ...SIGNED_IN, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

  test('the calls that find offers reach the backend', async () => {
    const calls: [path: string, body: unknown][] = [
      [FIND, { filter: FILTER }],
      [FIND, { from_sort_key: '2026-11-23T01:02:03.123456+00:00', from_id: ID, page_size: 100 }],
      [FIND, { filter: { sort: 'amount' }, from_sort_key: SORT_KEY, from_id: ID }],
      [FIND, { filter: { term: '漢字é' } }],
      [PAGES, { page_size: 100, filter: FILTER }],
      [PAGES, { page_size: 1_000 }],
      ['/rest/v1/rpc/offer_counts', {}],
      [PRICES, { names: [] }],
      [PRICES, { names: Array(200).fill(LONG_NAME) }],
      [PRICES, { names: Array(1_000).fill('xn--mnchen-3ya.example') }],
      [HISTORY, { offer_id: ID }],
      [MESSAGE, { offer_id: ID }],
    ];
    for (const [path, body] of calls) {
      const { status, text } = await call(post(path, body));
      assert.equal(status, 200, text);
    }
    assert.deepEqual(
      received.map(({ line, body }) => [line, JSON.parse(body)]),
      calls.map(([path, body]) => [`POST ${path}`, body]),
    );
  });

  const BODIES: [name: string, path: string, body: unknown][] = [
    ['a term of two characters', FIND, { filter: { term: 'ab' } }],
    ['a term of 101 characters', FIND, { filter: { term: 'a'.repeat(101) } }],
    ['a term with NUL', FIND, { filter: { term: 'abc\0' } }],
    ['a term with half a surrogate pair', FIND, { filter: { term: 'abc\ud800' } }],
    ['a term that is none', FIND, { filter: { term: ['abc'] } }],
    ['an unknown status', FIND, { filter: { status: 'sold' } }],
    ['a domain of 254 characters', FIND, { filter: { domain: 'a'.repeat(254) } }],
    ['a domain that is none', FIND, { filter: { domain: "lap.app' or true --" } }],
    ['an unknown list', FIND, { filter: { only: 'all' } }],
    ['an unknown order', FIND, { filter: { sort: 'id; drop table offers' } }],
    ['an unknown key of a filter', FIND, { filter: { customer_email: 'ada@example.com' } }],
    ['an unknown parameter', FIND, { filter: {}, offset: 5 }],
    ['101 rows', FIND, { page_size: 101 }],
    ['a key that is none', FIND, { from_sort_key: 'now()', from_id: ID }],
    ['a key with more', FIND, { from_sort_key: `${SORT_KEY})`, from_id: ID }],
    ['an id that is none', FIND, { from_sort_key: '2026-11-23T01:02:03Z', from_id: 'a' }],
    ['a term of two characters for the pages', PAGES, { page_size: 100, filter: { term: 'ab' } }],
    ['a filter of the pages that is none', PAGES, { page_size: 100, filter: 'status' }],
    ['a filter of the counts', '/rest/v1/rpc/offer_counts', { filter: {} }],
    ['no names to price', PRICES, {}],
    ['1,001 names to price', PRICES, { names: Array(1_001).fill('lap.app') }],
    ['a name of 254 characters', PRICES, { names: [`a${LONG_NAME}`] }],
    ['a name that is none', PRICES, { names: ['lap app'] }],
    ['a name that is no text', PRICES, { names: [1] }],
    ['names that are no list', PRICES, { names: 'lap.app' }],
    ['prices with an unknown parameter', PRICES, { names: ['lap.app'], all: true }],
    ['the history of no offer', HISTORY, {}],
    ['the message of no offer', MESSAGE, {}],
    ['the message of a list', MESSAGE, { offer_id: [ID] }],
    ['the history of a list', HISTORY, { offer_id: [ID] }],
  ];
  for (const [name, path, body] of BODIES) {
    test(`${name} is rejected with 400 before it reaches the backend`, async () => {
      const { status, code } = await call(post(path, body));
      assert.deepEqual([status, code], [400, 'malformed']);
      assert.deepEqual(received, []);
    });
  }

  test('only listed headers are forwarded', async () => {
    const claims = {
      'x-forwarded-for': '6.6.6.6',
      'x-forwarded-host': 'evil.example',
      'x-client-address': '6.6.6.6',
      'x-request-host': 'evil.example',
      'x-gateway-key': 'guess',
      'sb-forwarded-for': '6.6.6.6',
      cookie: 'a=b',
      'x-anything': 'a',
    };
    const host = 'names.example.com';
    await call({ path: '/rest/v1/offers', headers: { ...SIGNED_IN, ...claims, host } });
    await call({
      method: 'POST',
      path: '/functions/v1/order-submit',
      headers: { ...claims, apikey: PUBLIC_KEY, 'content-type': 'application/json' },
      body: '{}',
    });
    const ours = [
      'host',
      'connection',
      'content-length',
      'x-client-address',
      'x-request-host',
      'apikey',
      'authorization',
      'accept',
      'x-gateway-key',
      'content-type',
    ];
    for (const { headers } of received) {
      assert.deepEqual(
        Object.keys(headers).filter((name) => !ours.includes(name)),
        [],
      );
      assert.equal(headers['x-client-address'], '127.0.0.1');
      assert.notEqual(headers['x-gateway-key'], 'guess');
    }
    assert.equal(received[1]?.headers['x-gateway-key'], undefined, 'the functions need no such key');
    assert.equal(received[1]?.headers['x-request-host'], 'localhost');
  });

  test('the functions get the host of the request, of the first line before that of the header', async () => {
    const headers = { apikey: PUBLIC_KEY };
    const path = '/functions/v1/bot-check?domain=lap.app';
    await call({ path, headers: { ...headers, host: 'Tunnel.Example.:8443' } });
    await call({ path: `http://192.168.1.5:4321${path}`, headers: { ...headers, host: 'lap.app' } });
    assert.deepEqual(
      received.map((one) => one.headers['x-request-host']),
      ['tunnel.example', '192.168.1.5'],
    );
  });

  test('a call of a function reaches it with the public key in either header', async () => {
    const apikey = { apikey: PUBLIC_KEY };
    const bearer = { authorization: `Bearer ${PUBLIC_KEY}` };
    for (const [method, name] of [
      ['POST', 'admin-auth'],
      ['POST', 'order-submit'],
      ['GET', 'bot-check'],
    ] as const) {
      for (const headers of [apikey, bearer, { ...apikey, ...bearer }]) {
        await call({ method, path: `/functions/v1/${name}`, headers });
        const { apikey, authorization } = received.pop()?.headers ?? {};
        assert.deepEqual({ ...(apikey && { apikey }), ...(authorization && { authorization }) }, headers);
      }
    }
  });

  test('responses carry no header of the backend’s server, are not stored, and have the security headers', async () => {
    const { headers } = await call({ path: '/rest/v1/offers', headers: SIGNED_IN });
    assert.equal(headers['x-powered-by'], undefined);
    assert.equal(headers.server, undefined);
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.match(String(headers['permissions-policy']), /camera=\(\)/);
    assert.match(String(headers['strict-transport-security']), /^max-age=\d+$/);
  });

  const REJECTED: [name: string, call: Call, status: number, code: string][] = [
    ['a table off the list', { path: '/rest/v1/admins', headers: SIGNED_IN }, 404, 'unknown_route'],
    [
      'a function of the database for the functions',
      { method: 'POST', path: '/rest/v1/rpc/submit_offer', headers: SIGNED_IN },
      404,
      'unknown_route',
    ],
    ['sign-up', { method: 'POST', path: '/auth/v1/signup', headers: SIGNED_IN }, 404, 'unknown_route'],
    ['a path with dots', { path: '/rest/v1/x/../offers', headers: SIGNED_IN }, 404, 'unknown_route'],
    ['a path with two slashes', { path: '/rest/v1//offers', headers: SIGNED_IN }, 404, 'unknown_route'],
    ['an encoded path', { path: '/rest/v1/%6fffers', headers: SIGNED_IN }, 404, 'unknown_route'],
    [
      'a path with a slash at its end',
      { path: '/rest/v1/offers/', headers: SIGNED_IN },
      404,
      'unknown_route',
    ],
    ['inserting', { method: 'POST', path: '/rest/v1/offers', headers: SIGNED_IN }, 405, 'method_not_allowed'],
    [
      'deleting',
      { method: 'DELETE', path: '/rest/v1/offers', headers: SIGNED_IN },
      405,
      'method_not_allowed',
    ],
    ['a method before a key', { method: 'PUT', path: '/auth/v1/user' }, 405, 'method_not_allowed'],
    ['no key', { path: '/rest/v1/offers?nonsense' }, 401, 'unauthorized'],
    [
      'a secret key',
      { path: '/rest/v1/offers', headers: { apikey: 'sb_secret_right' } },
      401,
      'unauthorized',
    ],
    [
      'an expired session at a function',
      {
        method: 'POST',
        path: '/functions/v1/negotiation',
        headers: { ...SIGNED_IN, authorization: `Bearer ${tokenWith({ ...CLAIMS, exp: 1 })}` },
      },
      401,
      'session_ended',
    ],
    [
      'another key at a function',
      {
        method: 'POST',
        path: '/functions/v1/order-submit',
        headers: { authorization: 'Bearer sb_publishable_other' },
      },
      401,
      'unauthorized',
    ],
    ['a visitor', { path: '/rest/v1/offers', headers: { apikey: PUBLIC_KEY } }, 401, 'not_signed_in'],
    [
      'a visitor before the query',
      { path: '/rest/v1/offers?nonsense=1', headers: { apikey: PUBLIC_KEY } },
      401,
      'not_signed_in',
    ],
    [
      'an unknown query',
      { path: '/rest/v1/offers?and=(id.is.null)', headers: SIGNED_IN },
      400,
      'unsupported_query',
    ],
    [
      'a change of every row',
      patch({ status: 'accepted' }, { path: '/rest/v1/offers' }),
      400,
      'unsupported_query',
    ],
    ...[
      { prefer: 'count=planned' },
      { prefer: 'return=minimal, return=representation' },
      { 'accept-profile': 'private' },
      { 'content-profile': 'private' },
      { range: '0-9' },
      { 'content-encoding': 'gzip' },
      { 'x-http-method': 'DELETE' },
      { 'x-http-method-override': 'DELETE' },
      { 'x-method-override': 'DELETE' },
      { accept: 'text/csv' },
    ].map((headers): (typeof REJECTED)[number] => [
      `the header ${JSON.stringify(headers)}`,
      { path: '/rest/v1/offers', headers: { ...SIGNED_IN, ...headers } },
      400,
      'unsupported_query',
    ]),
    [
      'CSV',
      patch('status\naccepted', { headers: { ...SIGNED_IN, 'content-type': 'text/csv' } }),
      415,
      'not_json',
    ],
    [
      'JSON in another charset',
      patch(
        { status: 'accepted' },
        { headers: { ...SIGNED_IN, 'content-type': 'application/json; charset=utf-16' } },
      ),
      415,
      'not_json',
    ],
    ['another column', patch({ status: 'accepted', customer_name: 'changed' }), 400, 'malformed'],
    ['another status', patch({ status: 'sold' }), 400, 'malformed'],
    ['a list of changes', patch([{ status: 'accepted' }]), 400, 'malformed'],
    ['no JSON', patch('{"status":'), 400, 'malformed'],
    [
      'a sign-out of other sessions',
      { method: 'POST', path: '/auth/v1/logout?scope=others', headers: SIGNED_IN },
      400,
      'unsupported_query',
    ],
    [
      'a sign-out of every session',
      { method: 'POST', path: '/auth/v1/logout', headers: SIGNED_IN },
      400,
      'unsupported_query',
    ],
    [
      'a password as a refresh',
      {
        method: 'POST',
        path: '/auth/v1/token?grant_type=password',
        headers: { apikey: PUBLIC_KEY },
        body: '{}',
      },
      400,
      'unsupported_query',
    ],
    [
      'an encoded name of the grant',
      {
        method: 'POST',
        path: '/auth/v1/token?grant%5Ftype=refresh_token&grant_type=password',
        headers: { apikey: PUBLIC_KEY },
      },
      400,
      'unsupported_query',
    ],
    [
      'two grants',
      {
        method: 'POST',
        path: '/auth/v1/token?grant_type=refresh_token&grant_type=refresh_token',
        headers: { apikey: PUBLIC_KEY },
      },
      400,
      'unsupported_query',
    ],
    [
      'a refresh token that is none',
      {
        method: 'POST',
        path: '/auth/v1/token?grant_type=refresh_token',
        headers: { apikey: PUBLIC_KEY, 'content-type': 'application/json' },
        body: '{"refresh_token":["a"]}',
      },
      400,
      'malformed',
    ],
    [
      'a refresh with a password beside',
      {
        method: 'POST',
        path: '/auth/v1/token?grant_type=refresh_token',
        headers: { apikey: PUBLIC_KEY, 'content-type': 'application/json' },
        body: `{"refresh_token":"${ID}","password":"b"}`,
      },
      400,
      'malformed',
    ],
    [
      'a query for a function',
      { method: 'POST', path: '/functions/v1/order-submit?a=b', headers: { apikey: PUBLIC_KEY } },
      400,
      'unsupported_query',
    ],
    [
      'a challenge to sign in, which comes with a rejection only',
      { path: '/functions/v1/bot-check?purpose=sign-in', headers: { apikey: PUBLIC_KEY } },
      400,
      'unsupported_query',
    ],
    [
      'a compressed body',
      {
        method: 'POST',
        path: '/functions/v1/order-submit',
        headers: { 'content-encoding': 'gzip' },
        body: 'x',
      },
      415,
      'not_json',
    ],
    [
      'a function by another path',
      { method: 'POST', path: '/functions/v1/any/order-submit' },
      404,
      'unknown_route',
    ],
  ];
  for (const [name, options, status, code] of REJECTED) {
    test(`${name} is rejected with ${status} before it reaches the backend`, async () => {
      const response = await call(options);
      assert.deepEqual([response.status, response.code], [status, code], response.text);
      assert.equal(response.headers['cache-control'], 'no-store');
      assert.equal(response.headers['x-content-type-options'], 'nosniff');
      assert.deepEqual(received, []);
    });
  }

  test('a wrong method gets 405 with the allowed ones', async () => {
    for (const sent of [{ method: 'PUT' }, { method: 'HEAD', headers: SIGNED_IN }]) {
      const { status, headers } = await call({ path: '/rest/v1/offers', ...sent });
      assert.deepEqual([status, headers.allow], [405, 'GET, PATCH']);
    }
    const { text } = await call({ method: 'PUT', path: '/rest/v1/offers' });
    assert.match(text, /takes GET, PATCH requests only/);
    const head = { method: 'HEAD', path: '/rest/v1/offers' };
    assert.equal((await call(head)).status, 401, 'without a session');
    const elsewhere = { ...head, headers: { ...SIGNED_IN, host: 'lap.app' } };
    assert.equal((await call(elsewhere)).status, 401, 'on the host of a domain');
  });

  const TOKENS: [name: string, token: string][] = [
    ['with role service_role', tokenWith({ role: 'service_role', exp: 4_000_000_000 })],
    ['with role postgres', tokenWith({ role: 'postgres', exp: 4_000_000_000 })],
    ['without a role', tokenWith({ exp: 4_000_000_000 })],
    ['without exp', tokenWith({ role: 'authenticated', aud: 'authenticated' })],
    ['with role anon', tokenWith({ role: 'anon', aud: 'authenticated', exp: 4_000_000_000 })],
    ['for another audience', tokenWith({ role: 'authenticated', aud: 'other', exp: 4_000_000_000 })],
    ['with an infinite exp', tokenWith({ role: 'authenticated', aud: 'authenticated', exp: 1e308 })],
    ['with an exp that is not a number', tokenWith({ role: 'authenticated', exp: 'never' })],
    ['with another signature', tokenWith(CLAIMS, undefined, 'guess')],
    ['without a signature', SESSION.replace(/\.[^.]+$/, '.')],
    ['with another algorithm', tokenWith(CLAIMS, { alg: 'none' })],
    ['that has expired', tokenWith({ ...CLAIMS, exp: 1_000_000_000 })],
    ['that is not valid yet', tokenWith({ ...CLAIMS, nbf: 3_999_999_999 })],
    ['from the future', tokenWith({ ...CLAIMS, iat: 3_999_999_999 })],
    ['with four parts', `${SESSION}.c2ln`],
    ['with padding', `${SESSION}=`],
    ['that is not a JWT', 'token'],
  ];
  for (const [name, token] of TOKENS) {
    test(`a token ${name} is rejected with 401`, async () => {
      const headers = { apikey: PUBLIC_KEY, authorization: `Bearer ${token}` };
      assert.equal((await call({ path: '/rest/v1/offers', headers })).status, 401);
      assert.deepEqual(received, []);
    });
  }

  const HOSTS: [path: string, method: string, elsewhere: number, body?: object | undefined][] = [
    ...Object.entries(ADMINISTRATOR_REQUESTS).map(
      ([request, { query = '', body }]): [
        path: string,
        method: string,
        elsewhere: number,
        body?: object | undefined,
      ] => {
        const [method = '', path = ''] = request.split(' ');
        return [path + query, method, path.startsWith('/auth/') ? 404 : 401, body];
      },
    ),
    ['/functions/v1/admin-auth', 'POST', 404],
    ['/functions/v1/negotiation', 'POST', 401, { offer_id: ID }],
  ];
  for (const [path, method, elsewhere, body] of HOSTS) {
    test(`${path} exists on admin hosts; elsewhere ${elsewhere}`, async () => {
      for (const host of ['lap.app', 'www.lap.app', 'lap.app.localhost:4321', 'evil.example']) {
        const { status } = await call({ method, path, headers: { ...SIGNED_IN, host } });
        assert.equal(status, elsewhere, host);
      }
      assert.deepEqual(received, []);
      for (const host of ['localhost:4321', '127.0.0.1', '[::1]:4321', 'names.example.com']) {
        const headers = { ...SIGNED_IN, host, 'content-type': 'application/json' };
        const { status, text } = await call({
          method,
          path,
          headers,
          ...(body ? { body: JSON.stringify(body) } : {}),
        });
        assert.equal(status, 200, `${host}: ${text}`);
      }
      received.length = 0;
      for (const host of ['localhost', 'localhost:443', '127.0.0.1', '[::1]:4321']) {
        const headers = { ...SIGNED_IN, host, 'x-forwarded-for': '203.0.113.9' };
        assert.equal((await call({ method, path, headers })).status, elsewhere, `${host} through a proxy`);
      }
      assert.deepEqual(received, []);
    });
  }

  test('calls reach the database from no host of a domain, and on no host by another spelling', async () => {
    for (const host of ['localhost', '127.0.0.1', 'lap.app', 'www.lap.app.localhost', 'evil.example']) {
      const isAdmin = ['localhost', '127.0.0.1'].includes(host);
      const profile = { 'accept-profile': 'private', 'content-profile': 'private' };
      for (const headers of [
        { apikey: PUBLIC_KEY },
        { apikey: 'sb_secret_t' },
        { apikey: PUBLIC_KEY, ...profile },
        ...(isAdmin ? [] : [SIGNED_IN]),
      ] as Record<string, string>[]) {
        const calls = [...CLOSED, ...SPELLINGS].flatMap((path) => [
          { path, headers: { host, ...headers } },
          {
            method: 'POST',
            path,
            headers: { host, ...headers, 'content-type': 'application/json' },
            body: '{}',
          },
        ]);
        for (const sent of calls) {
          await call(sent);
          assert.deepEqual(received, [], `${sent.path} on ${host}`);
        }
      }
    }
  });
});

/** Every call of the database, and what else sends or reads messages. */
const CLOSED = [
  ...['/functions/v1/deliver', '/rest/v1/messages', '/rest/v1/message_state', '/rest/v1/rpc/queue_messages'],
  ...Object.keys(CALLS).map((name) => `/rest/v1/rpc/${name}`),
];

const SPELLINGS = [
  ...['/functions/v1/deliver/', '/functions/v1//deliver', '//functions/v1/deliver', '/deliver'],
  ...[
    '/functions/v1/%64eliver',
    '/functions%2fv1/deliver',
    '/functions/v1/deliver%00',
    '/FUNCTIONS/v1/deliver',
  ],
  ...['/functions/v1/Deliver', '/functions/v1/./deliver', '/functions/v1/order-submit/../deliver'],
  ...['/functions/v1/order-submit/deliver', '/functions/v1/deliver?retry=true', '/functions/v1/deliver;a'],
  ...['/functions/v1/order-submit%2f..%2fdeliver', '/functions/v1/deliver#a', '/functions/v1\\deliver'],
  ...[
    '/rest/v1/private.messages',
    '/rest/v1/messages?select=*',
    '/rest/v1/rpc/message_status/',
    '/rest/v1//rpc/message_status',
  ],
  ...['/rest/v1/rpc/message_status?select=*', '/rest/v1/rpc/%6dessage_status', '/rest/v1/rpc/MESSAGE_STATUS'],
  ...[
    '/rest/v1/rpc/private.message_status',
    '/rest/v1/rpc/../rpc/retry_messages',
    '/rest/v1/rpc/retry_messages?apikey=a',
  ],
  ...['/rest/v1/offers?select=*,messages(*)', '/control/check', '/control/judge-password', '//control/check'],
];
