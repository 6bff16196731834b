import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import type { SiteHosts } from './contract/hosts.ts';
import { fixedListings } from './listings.fixture.ts';
import { createLog } from './log.ts';
import { DatabaseUnavailable, Rejection } from './rejection.ts';
import { type FunctionOptions, type Handler, serveFunction } from './serve-function.ts';
import { readSettings } from './settings.ts';

const KEY = 'sb_publishable_test';
const SITE: SiteHosts = {
  names: new Set(['lap.app']),
  hosts: ['names.example.com', 'also.example.com'],
  adminHost: undefined,
};
const SETTINGS = readSettings({
  SUPABASE_URL: 'http://localhost',
  SUPABASE_PUBLISHABLE_KEY: KEY,
  SUPABASE_SECRET_KEY: 'sb_secret_t',
});
const CONTEXT = { listings: fixedListings(SITE), settings: SETTINGS, log: createLog(console) };
const OPTIONS: FunctionOptions = { name: 'tested', method: 'POST' };
const BEHIND_GATEWAY = { ...CONTEXT, settings: { ...SETTINGS, hostHeader: 'x-request-host' } };

let log = '';
beforeEach(() => {
  mock.restoreAll();
  log = '';
  for (const method of ['log', 'error'] as const) {
    mock.method(console, method, (line: string) => {
      log += `${line}\n`;
    });
  }
});

function call(
  headers: Record<string, string>,
  {
    method = 'POST',
    options = OPTIONS,
    context = CONTEXT,
    handler = async () => ({ status: 200, body: { done: true } }),
  }: { method?: string; options?: FunctionOptions; context?: typeof CONTEXT; handler?: Handler } = {},
) {
  const request = new Request('http://localhost/functions/v1/tested', { method, headers });
  return serveFunction(context, options, handler).fetch(request);
}
const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code;

test('the message of an error that a handler throws is neither sent nor logged', async () => {
  const secret = 'ada@example.com offered 1,000';
  const handler = async () => {
    throw new RangeError(secret, { cause: new Error(secret) });
  };
  const response = await call({ apikey: KEY, origin: 'http://lap.app' }, { handler });
  assert.equal(response.status, 500);
  const text = await response.text();
  assert.equal(JSON.parse(text).code, 'internal');
  assert.doesNotMatch(text + [...response.headers].join(), /ada|1,000|RangeError/);
  assert.doesNotMatch(log, /ada|1,000/);
  assert.match(log, /"event":"thrown".*"reason":"RangeError"/);
  assert.equal(response.headers.get('access-control-allow-origin'), 'http://lap.app');
});

test('each request but a preflight is a line of the log, and a database that fails is one more', async () => {
  // The one that tests share leaves lines out after many.
  const context = { ...CONTEXT, log: createLog(console) };
  const { headers } = await call({ apikey: KEY }, { context });
  const { time: _, ms, ...line } = JSON.parse(log) as Record<string, unknown>;
  assert.ok(Number(ms) >= 0 && Number(ms) < 60_000, String(ms));
  const request_id = headers.get('x-request-id');
  assert.deepEqual(line, { event: 'request', function: 'tested', request_id, status: 200 });
  log = '';
  await call({ origin: 'https://lap.app' }, { method: 'OPTIONS', context });
  assert.equal(log, '');
  const failing = () => Promise.reject(new DatabaseUnavailable('submit_offer: 57P01'));
  const response = await call({ apikey: KEY }, { handler: failing, context });
  assert.deepEqual([response.status, response.headers.get('retry-after')], [503, '5']);
  assert.match(log, /"database_unavailable".*submit_offer: 57P01/);
});

test('every response has CORS headers for the page that sent the request', async () => {
  const origin = 'https://www.lap.app';
  const responses: Record<string, Response> = {
    success: await call({ apikey: KEY, origin }),
    'a rejection by the handler': await call(
      { apikey: KEY, origin },
      { handler: () => Promise.reject(new Rejection('malformed')) },
    ),
    'a wrong method': await call({ apikey: KEY, origin }, { method: 'PUT' }),
    'no key': await call({ origin }),
    'a function without its settings': await call(
      { apikey: KEY, origin },
      {
        context: {
          ...CONTEXT,
          log: createLog(console),
          settings: { ...SETTINGS, problem: 'SUPABASE_URL is missing.' },
        },
      },
    ),
    'a function without a public key': await call(
      { apikey: KEY, origin },
      { context: { ...CONTEXT, settings: { ...SETTINGS, keys: { ...SETTINGS.keys, publishableKeys: {} } } } },
    ),
    'a preflight': await call({ origin }, { method: 'OPTIONS' }),
  };
  assert.equal(responses['a wrong method']?.headers.get('allow'), 'POST');
  assert.equal(responses['a function without its settings']?.headers.get('retry-after'), '60');
  assert.match(log, /"not_configured".*SUPABASE_URL is missing\./);
  const statuses = Object.values(responses).map(({ status }) => status);
  assert.deepEqual(statuses, [200, 400, 405, 401, 503, 503, 204]);
  for (const [what, { headers }] of Object.entries(responses)) {
    assert.equal(headers.get('access-control-allow-origin'), origin, what);
    assert.equal(headers.get('vary'), 'Origin', what);
    assert.equal(headers.get('cache-control'), 'no-store', what);
    assert.equal(headers.get('x-content-type-options'), 'nosniff', what);
    assert.match(headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/, what);
  }
  const { headers } = await call({ origin }, { method: 'OPTIONS' });
  assert.match(headers.get('access-control-allow-headers') ?? '', /\bapikey\b.*\bcontent-type\b/);
  assert.match(headers.get('access-control-allow-methods') ?? '', /\bPOST\b/);
});

test('a request from another site is rejected without CORS headers', async () => {
  for (const origin of [
    'https://evil.example',
    'null',
    'https://lap.app.evil.example',
    'file://lap.app',
    'https://shop.lap.app',
  ]) {
    for (const method of ['POST', 'OPTIONS']) {
      const response = await call({ apikey: KEY, origin }, { method });
      assert.equal(response.status, 403, origin);
      assert.equal(await codeOf(response), 'foreign_origin', origin);
      assert.equal(response.headers.get('access-control-allow-origin'), null, origin);
    }
  }
});

test('a request without the public key is rejected before the handler', async () => {
  let handled = 0;
  const handler = async () => {
    handled += 1;
    return { status: 200, body: {} };
  };
  const wrong: Record<string, string>[] = [
    {},
    { apikey: '' },
    { apikey: 'sb_publishable_other' },
    { authorization: 'Bearer sb_publishable_other' },
    { authorization: KEY },
    { apikey: 'sb_publishable_other', authorization: 'Bearer sb_publishable_other' },
  ];
  for (const headers of wrong) {
    const response = await call(headers, { handler });
    assert.equal(response.status, 401, JSON.stringify(headers));
    assert.equal(await codeOf(response), 'unauthorized');
  }
  assert.equal(handled, 0);
});

test('the public key may come as apikey, as bearer, or both', async () => {
  const bearer = { authorization: `Bearer ${KEY}` };
  const right: Record<string, string>[] = [
    { apikey: KEY },
    bearer,
    { apikey: KEY, ...bearer },
    { authorization: `bearer ${KEY}` },
    { apikey: KEY, authorization: 'Bearer token of a session' },
    { apikey: '', ...bearer },
  ];
  for (const headers of right) {
    for (const adminOnly of [true, false]) {
      const { status } = await call(headers, { options: { ...OPTIONS, adminOnly } });
      assert.equal(status, 200, JSON.stringify(headers));
    }
  }
});

test('an admin function accepts requests from pages of the admin host only', async () => {
  const options = { ...OPTIONS, adminOnly: true };
  const statusFrom = async (origin: string, site = SITE) =>
    (await call({ apikey: KEY, origin }, { options, context: { ...CONTEXT, listings: fixedListings(site) } }))
      .status;
  for (const origin of ['https://names.example.com', 'http://localhost:4321', 'http://127.0.0.1:1']) {
    assert.equal(await statusFrom(origin), 200, origin);
  }
  for (const origin of [
    'https://lap.app',
    'https://www.lap.app',
    'http://lap.app.localhost',
    'https://also.example.com',
  ]) {
    assert.equal(await statusFrom(origin), 403, origin);
  }
  const site = { ...SITE, adminHost: 'admin.example' };
  assert.equal(await statusFrom('https://admin.example', site), 200);
  assert.equal(await statusFrom('http://localhost', site), 403);
  assert.equal((await call({ apikey: KEY }, { options })).status, 200, 'a program sends no Origin');
});

test('the port of an origin does not count: behind a proxy the server may see a Host without it', async () => {
  for (const origin of ['https://lap.app:8443', 'http://www.lap.app:80']) {
    const response = await call({ apikey: KEY, origin, host: 'lap.app' });
    assert.equal(response.status, 200, origin);
    assert.equal(response.headers.get('access-control-allow-origin'), origin);
  }
  assert.equal(
    await codeOf(await call({ apikey: KEY, origin: 'https://evil.example:443' })),
    'foreign_origin',
  );
});

test('pages of the host that a request was sent to may call a function, whatever the host', async () => {
  const statusFrom = async (origin: string, sentTo: string, more: Partial<FunctionOptions> = {}) => {
    const headers = { apikey: KEY, origin, 'x-request-host': sentTo };
    const response = await call(headers, { context: BEHIND_GATEWAY, options: { ...OPTIONS, ...more } });
    const allowed = response.headers.get('access-control-allow-origin');
    assert.equal(allowed, response.status === 200 ? origin : null, origin);
    return response.status;
  };
  const SAME: [origin: string, sentTo: string][] = [
    ['http://192.168.1.5:4321', '192.168.1.5'],
    ['http://[fd00::5]:4321', '[fd00::5]'],
    ['https://tunnel.example', 'tunnel.example'],
    ['https://shop.lap.app.', 'shop.lap.app'],
  ];
  for (const [origin, sentTo] of SAME) {
    assert.equal(await statusFrom(origin, sentTo), 200, origin);
    assert.equal(await statusFrom(origin, sentTo, { adminOnly: true }), 403, origin);
    assert.equal(await statusFrom(origin, 'lap.app'), 403, origin);
    assert.equal(await statusFrom(origin, ''), 403, origin);
    assert.equal(await statusFrom('https://evil.example', sentTo), 403, origin);
  }
  assert.equal(await statusFrom('https://lap.app', 'tunnel.example'), 200, 'an own host, as before');
});

test('without a gateway a header of that name is the client’s and counts for nothing', async () => {
  const headers = { apikey: KEY, origin: 'https://tunnel.example', 'x-request-host': 'tunnel.example' };
  assert.equal(await codeOf(await call(headers)), 'foreign_origin');
});

test('behind a gateway pages of loopback sign in only where the request was sent to their own host', async () => {
  const options = { ...OPTIONS, adminOnly: true };
  const statusOf = async (origin: string, sentTo: string) =>
    (await call({ apikey: KEY, origin, 'x-request-host': sentTo }, { context: BEHIND_GATEWAY, options }))
      .status;
  assert.equal(await statusOf('http://localhost:4321', 'localhost'), 200);
  assert.equal(await statusOf('http://[::1]:4321', '[::1]'), 200);
  for (const sentTo of ['names.example.com', '127.0.0.1', ''])
    assert.equal(await statusOf('http://localhost:4321', sentTo), 403, sentTo);
  assert.equal(await statusOf('https://names.example.com', 'names.example.com'), 200);
});

test('a spoofed Host or X-Forwarded-Host does not replace the origin', async () => {
  const headers = {
    apikey: KEY,
    origin: 'https://evil.example',
    host: 'lap.app',
    'x-forwarded-host': 'lap.app',
  };
  assert.equal(await codeOf(await call(headers)), 'foreign_origin');
});

test('a function for the secret key accepts that key alone, in either header', async () => {
  const options: FunctionOptions = { ...OPTIONS, key: 'secret' };
  assert.equal((await call({ apikey: 'sb_secret_t' }, { options })).status, 200);
  assert.equal((await call({ authorization: 'Bearer sb_secret_t' }, { options })).status, 200);
  const wrong: Record<string, string>[] = [
    {},
    { apikey: KEY },
    { apikey: 'sb_secret_x' },
    { authorization: 'Bearer sb_secret_x' },
  ];
  for (const headers of wrong) {
    const response = await call(headers, { options });
    assert.deepEqual(
      [response.status, await codeOf(response)],
      [401, 'unauthorized'],
      JSON.stringify(headers),
    );
  }
  for (const headers of [{ apikey: 'sb_secret_t' }, { authorization: 'Bearer sb_secret_t' }]) {
    assert.equal((await call(headers)).status, 401, 'where the public key is wanted');
  }
});
