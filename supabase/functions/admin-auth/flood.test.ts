/** Signing in while others guess, with the queue and the limits as they are, on a clock that the test moves. */
import assert from 'node:assert/strict';
import { afterEach, mock, test } from 'node:test';
import { checkResults } from '../_shared/call-database.ts';
import { fixedListings } from '../_shared/listings.fixture.ts';
import { createLog } from '../_shared/log.ts';
import type { Limit } from '../_shared/rate-limits.ts';
import { serveFunction } from '../_shared/serve-function.ts';
import { readSettings } from '../_shared/settings.ts';
import { issueDeviceToken } from './device-token.ts';
import { createSignIn } from './handler.ts';
import { createQueue } from './queue.ts';

const KEY = 'sb_publishable_test';
const SETTINGS = readSettings({
  SUPABASE_URL: 'http://localhost',
  SUPABASE_PUBLISHABLE_KEY: KEY,
  SUPABASE_SECRET_KEY: 'sb_secret_t',
});
const OWNER = { email: 'owner@example.com', password: 'correct horse battery' };
const SESSION = { access_token: 'a.e30.b', refresh_token: 'refresh', user: { id: '1' } };

/** What the limits leave to 40 networks: 20 in 10 minutes each. */
const ATTEMPTS_OF_40_NETWORKS = 1.3;
/** More than the queue takes. */
const ATTEMPTS_OF_MANY_NETWORKS = 14;
/** The interval of the queue that runs, and the device's own. */
const KNOWN_DEVICE_MS = 1_000;
/** Longest time in the queue: 20 places. */
const NEW_DEVICE_MS = 11_000;
const STEP_MS = 50;

afterEach(() => {
  mock.restoreAll();
  mock.timers.reset();
});

test('while 40 networks guess, a known device signs in at once, and a new one gets in', async () => {
  const { clock, signIn, flood } = start();
  const attack = flood(ATTEMPTS_OF_40_NETWORKS, 40);
  await clock.pass(20_000);
  for (let time = 0; time < 100; time += 1) {
    const device = issueDeviceToken(SETTINGS, OWNER.email);
    const response = await clock.settles(signIn(`198.51.100.${time}`, { device }), KNOWN_DEVICE_MS);
    assert.equal(response.status, 200);
    // Without a pause, these alone would keep the queue full.
    await clock.pass(2_000);
  }
  for (let time = 0; time < 10; time += 1) {
    const response = await clock.settles(signIn(`198.51.${101 + time}.1`), NEW_DEVICE_MS);
    assert.equal(response.status, 200);
  }
  assert.ok(attack.statuses.has(401), 'guesses are checked');
});

test('while more networks guess than the queue takes, a known device signs in at once, and new ones are rejected as busy', async () => {
  const { clock, signIn, flood, calls } = start();
  const attack = flood(ATTEMPTS_OF_MANY_NETWORKS, 60_000);
  await clock.pass(10_000);
  calls.length = 0;
  await clock.pass(10_000);
  // One of 7 attempts gets the place that is free every 500 ms.
  assert.ok(calls.length <= 21, `${calls.length} calls of the database for 140 attempts`);
  for (let time = 0; time < 100; time += 1) {
    const device = issueDeviceToken(SETTINGS, OWNER.email);
    const response = await clock.settles(signIn(`198.51.100.${time}`, { device }), KNOWN_DEVICE_MS);
    assert.equal(response.status, 200);
  }
  // Each 500 ms one place is free for a moment: one attempt alone may get it.
  const attempts = Array.from({ length: 10 }, (_, network) => signIn(`198.51.${120 + network}.1`));
  const responses = await clock.settles(Promise.all(attempts), NEW_DEVICE_MS);
  const rejected = responses.filter(({ status }) => status !== 200);
  assert.ok(rejected.length > 5, `${rejected.length} of 10 rejected`);
  for (const response of rejected) {
    assert.deepEqual([response.status, response.headers.get('retry-after')], [503, '5']);
    assert.match(await response.text(), /"sign_in_busy"/);
  }
  assert.deepEqual([...attack.statuses].sort(), [401, 503]);
});

/** The handler of admin-auth with a database and an auth server in memory. */
function start() {
  let sent = 0;
  const database = countLimits();
  /** Names of the database's functions that were called. */
  const calls: string[] = [];
  const clock = startClock(() => sent);
  const served = serveFunction(
    {
      listings: fixedListings({ names: new Set(), hosts: [], adminHost: undefined }),
      settings: SETTINGS,
      log: createLog({ log: () => {}, error: () => {} }),
    },
    { name: 'admin-auth', method: 'POST' },
    createSignIn({
      settings: SETTINGS,
      log: createLog({ log: () => {}, error: () => {} }),
      auth: {
        tryPassword: async ({ password }) =>
          password === OWNER.password ? { outcome: 'session', session: SESSION } : { outcome: 'rejected' },
        revoke: async () => {},
      },
      queue: createQueue(),
      notify: () => {},
      callDatabase: checkResults((name, args: Parameters<typeof database>[1]) => {
        calls.push(name);
        return database(name, args);
      }),
    }),
  );
  const signIn = (from: string, change: object = {}): Promise<Response> => {
    sent += 1;
    return served.fetch(
      new Request('http://localhost/functions/v1/admin-auth', {
        method: 'POST',
        headers: { apikey: KEY, 'content-type': 'application/json', 'cf-connecting-ip': from },
        body: JSON.stringify({ ...OWNER, ...change }),
      }),
    );
  };
  /** So many attempts a second from so many networks, in turn. */
  const flood = (perSecond: number, networks: number) => {
    let guesses = 0;
    const statuses = new Set<number>();
    setInterval(() => {
      guesses += 1;
      const from = `2001:db8:${(guesses % networks).toString(16)}:${guesses.toString(16)}::1`;
      void signIn(from, { password: `guess ${guesses}` }).then(({ status }) => statuses.add(status));
    }, 1_000 / perSecond);
    return { statuses };
  };
  return { clock, signIn, flood, calls };
}

/** Time that passes in steps, each when every request has arrived: bodies are streams. */
function startClock(sent: () => number) {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: Date.now() });
  let arrived = 0;
  const start = globalThis.setTimeout;
  mock.method(globalThis, 'setTimeout', (callback: () => void, ms: number) => {
    // The minimum time of a rejection begins when the body was read.
    if (ms === 600) arrived += 1;
    return start(callback, ms);
  });
  const step = async () => {
    mock.timers.tick(STEP_MS);
    do await new Promise(setImmediate);
    while (arrived < sent());
  };
  return {
    pass: async (ms: number) => {
      for (let passed = 0; passed < ms; passed += STEP_MS) await step();
    },
    /** The result, which must be there after so much time. */
    settles: async <Result>(pending: Promise<Result>, ms: number): Promise<Result> => {
      let isSettled = false;
      void pending.finally(() => {
        isSettled = true;
      });
      for (let passed = 0; !isSettled; passed += STEP_MS) {
        assert.ok(passed <= ms, `no result after ${ms} ms`);
        await step();
      }
      return pending;
    },
  };
}

/** Counts limits as the database does, without the end of a window. */
function countLimits() {
  const hits = new Map<string, number>();
  const add = (limits: Limit[], by: number) => {
    for (const { bucket, key } of limits) {
      hits.set(`${bucket} ${key}`, (hits.get(`${bucket} ${key}`) ?? 0) + by);
    }
  };
  return async (name: string, args: Record<string, unknown>): Promise<unknown> => {
    if (name === 'open_admin_session') return { status: 'opened' };
    const limits = args.limits as Limit[];
    if (name === 'release_hits') return add(limits, -1);
    const isOver = limits.some(({ bucket, key, max }) => (hits.get(`${bucket} ${key}`) ?? 0) >= max);
    if (!isOver) add(limits, 1);
    return { wait: isOver ? 60 : 0, counted_at: new Date().toISOString() };
  };
}
