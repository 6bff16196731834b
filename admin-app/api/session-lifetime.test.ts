import assert from 'node:assert/strict';
import { mock, type TestContext, test } from 'node:test';
import { createClient } from '@supabase/supabase-js';
import { signInAsAdmin } from './admin-auth.ts';
import { createCall } from './call.ts';
import { createDataApi } from './data-api.ts';
import { fetchForClient, serverAhead } from './session-lifetime.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const device = { readDeviceToken: async () => undefined, storeDeviceToken: async () => {} };

/**
 * A server with tokens of `lifetime` seconds, and a signed-in browser whose clock differs by `ahead` milliseconds. Time passes
 * in `time` alone.
 */
async function signedIn(t: TestContext, ahead: number, lifetime = 600) {
  const time = { server: Date.UTC(2026, 10, 20), ahead };
  const seconds = () => Math.floor(time.server / 1000);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const newSession = () => {
    const [iat, exp] = [seconds(), seconds() + lifetime];
    const access_token = `${part({ alg: 'HS256' })}.${part({ iat, exp, name: 'ÿ~?>' })}.c2ln`;
    const user = { id: '1', email: 'ada@example.com' };
    return {
      access_token,
      refresh_token: 'r',
      token_type: 'bearer',
      expires_in: lifetime,
      expires_at: exp,
      user,
    };
  };
  const counts = { token: 0, rejected: 0, calls: 0 };
  t.mock.method(Date, 'now', () => time.server + time.ahead);
  t.mock.method(globalThis, 'fetch', async (input: string, init?: RequestInit) => {
    const { pathname } = new URL(input);
    if (pathname === '/functions/v1/admin-auth') return Response.json({ session: newSession() });
    if (pathname === '/auth/v1/token') {
      counts.token += 1;
      return Response.json(newSession());
    }
    counts.calls += 1;
    const [, claims = ''] = new Headers(init?.headers).get('authorization')?.split('.') ?? [];
    const { exp } = JSON.parse(Buffer.from(claims, 'base64url').toString());
    if (seconds() < exp)
      return Response.json({
        status: {},
        held: 0,
        low: 0,
        overdue: 0,
        messages: 0,
        withdrawn: 0,
        domains: [],
      });
    counts.rejected += 1;
    return Response.json({ message: 'JWT expired' }, { status: 401 });
  });
  const client = createClient('http://backend.test', 'sb_publishable_test', {
    auth: { persistSession: false, autoRefreshToken: false },
    global: { fetch: fetchForClient },
  });
  const offsets: (number | undefined)[] = [];
  client.auth.onAuthStateChange((_, session) => session && offsets.push(serverAhead(session)));
  const credentials = { email: 'ada@example.com', password: 'correct horse' };
  assert.deepEqual(await signInAsAdmin(client, 'sb_publishable_test', credentials, device), { ok: true });
  const readToken = async () => (await client.auth.getSession()).data.session?.access_token;
  const requestData = createDataApi('http://backend.test', 'sb_publishable_test', readToken);
  const call = createCall({ auth: client.auth, requestData });
  const poll = async () => void (await Promise.all([1, 2, 3].map(() => call('offer_counts', {}))));
  /** Three calls every 10 seconds. @returns renewals and rejected calls in that time */
  async function use(minutes: number) {
    const before = { ...counts };
    for (let n = 0; n < minutes * 6; n += 1) {
      await poll();
      time.server += 10_000;
    }
    return { renewals: counts.token - before.token, rejected: counts.rejected - before.rejected };
  }
  return { time, use, poll, counts, ahead: () => offsets.at(-1) };
}

const CLOCKS = [0, 5, 9, 10, 30, 120, 400 * 24 * 60].flatMap((minutes) => [minutes, -minutes]).slice(1);
for (const minutes of CLOCKS) {
  test(`a clock that is ${minutes} minutes ahead renews a session before its end, and no call is rejected`, async (t) => {
    const { use, counts, ahead } = await signedIn(t, minutes * MINUTE_MS);
    assert.equal(counts.token, 1, 'the sign-in');
    assert.deepEqual(await use(7), { renewals: 0, rejected: 0 });
    assert.deepEqual(await use(60), { renewals: 7, rejected: 0 });
    assert.equal(ahead(), -minutes * MINUTE_MS);
  });
}

test('after a sleep of 8 hours, and after the clock was set, a session is renewed once', async (t) => {
  const { time, use, ahead } = await signedIn(t, 0);
  time.server += 8 * HOUR_MS;
  assert.deepEqual(await use(5), { renewals: 1, rejected: 0 });
  time.ahead = 2 * HOUR_MS;
  assert.deepEqual(await use(5), { renewals: 1, rejected: 0 });
  time.ahead = -400 * DAY_MS;
  // Not known before its token is rejected: of the three calls at once the first renews it.
  assert.deepEqual(await use(12), { renewals: 1, rejected: 3 });
  assert.equal(ahead(), 400 * DAY_MS);
});

for (const lifetime of [30, 60, 150]) {
  test(`a token of ${lifetime} s is renewed once a minute, and once more after it was rejected`, async (t) => {
    const { use } = await signedIn(t, 0, lifetime);
    const { renewals, rejected } = await use(30);
    assert.ok(renewals <= 60 && renewals >= 12, `${renewals} renewals`);
    assert.equal(rejected % 3, 0);
  });
}

test('what is no session is passed on as it is', async (t) => {
  for (const [url, response, text] of [
    ['/auth/v1/token?grant_type=refresh_token', new Response('<h1>Hotel</h1>'), '<h1>Hotel</h1>'],
    [
      '/auth/v1/token?grant_type=refresh_token',
      Response.json({ expires_at: 1 }, { status: 400 }),
      '{"expires_at":1}',
    ],
    ['/rest/v1/offers', Response.json({ expires_at: 1, expires_in: 1 }), '{"expires_at":1,"expires_in":1}'],
  ] as const) {
    const { status } = response;
    t.mock.method(globalThis, 'fetch', async () => response);
    const passed = await fetchForClient(`http://backend.test${url}`);
    assert.deepEqual([passed.status, await passed.text()], [status, text]);
    mock.restoreAll();
  }
});

test('a token without a time says nothing about the clock', () => {
  for (const access_token of [
    '',
    'no token',
    'a.%%%.c',
    `a.${btoa('{"iat":"soon"}')}.c`,
    `a.${btoa('null')}.c`,
  ])
    assert.equal(
      serverAhead({ access_token, expires_in: 600 } as Parameters<typeof serverAhead>[0]),
      undefined,
    );
});
