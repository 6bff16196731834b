import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/sha';
import { ChallengeSchema } from '../_shared/contract/bot-check.ts';
import { issueChallenge, type ProofPurpose } from '../_shared/proof-of-work.ts';
import type { Limit } from '../_shared/rate-limits.ts';
import { DatabaseUnavailable } from '../_shared/service.ts';
import { readSettings } from '../_shared/settings.ts';
import type { Attempt, PasswordResult, Session } from './auth-server.ts';
import { deviceOf, issueDeviceToken } from './device-token.ts';
import { createSignIn } from './handler.ts';

const SETTINGS = readSettings({
  SUPABASE_URL: 'http://localhost',
  SUPABASE_SECRET_KEY: 'sb_secret_t',
  SESSION_HOURS: '24',
  SESSION_IDLE_MINUTES: '30',
});
const EMAIL = 'owner@example.com';
const ADDRESS = { 'cf-connecting-ip': '2001:db8:1:ab01::7' };

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const tokenOf = (claims: object) => `${part({ alg: 'HS256' })}.${part(claims)}.c2ln`;
const SESSION: Session = {
  access_token: tokenOf({ sub: '1', session_id: 'session-7', name: 'ÿ~?>' }),
  refresh_token: 'refresh',
  user: { id: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff' },
};
const GRANTED: PasswordResult = { outcome: 'session', session: SESSION };

interface Call {
  name: string;
  args: Record<string, unknown>;
}

/** The handler with what the database and the auth server respond. */
function start(responses: Record<string, unknown>, result: PasswordResult = { outcome: 'rejected' }) {
  const calls: Call[] = [];
  const attempts: Attempt[] = [];
  const revoked: Session[] = [];
  const signIn = createSignIn({
    settings: SETTINGS,
    auth: {
      tryPassword: async (attempt) => {
        attempts.push(attempt);
        return result;
      },
      revoke: async (session) => void revoked.push(session),
    },
    callDatabase: async (name, args) => {
      calls.push({ name, args });
      const response = responses[name];
      return typeof response === 'function' ? response() : response;
    },
  });
  const send = async (change: object = {}, headers: Record<string, string> = ADDRESS) => {
    const response = await signIn(
      new Request('http://localhost/functions/v1/admin-auth', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ email: EMAIL, password: 'not the password', ...change }),
      }),
    );
    const body = (await response.json()) as Record<string, unknown>;
    return { status: response.status, code: body.code, body, headers: response.headers };
  };
  const buckets = () =>
    calls.map(({ name, args }) => [
      name,
      ...Object.values(args)
        .flat()
        .flatMap((arg) => (arg as Limit).bucket ?? []),
    ]);
  return { calls, attempts, revoked, send, buckets };
}

async function proofFor(purpose: ProofPurpose = { action: 'sign-in' }, expiresAt?: number): Promise<string> {
  const challenge = await issueChallenge(SETTINGS, purpose, 0, expiresAt);
  return btoa(JSON.stringify({ challenge, solution: await solveChallenge({ challenge, deriveKey }) }));
}

beforeEach(() => {
  mock.restoreAll();
  mock.timers.reset();
  mock.method(console, 'error', () => {});
  // Counters near 0, so that these tests do not spend their time on solving.
  const getRandomValues = crypto.getRandomValues.bind(crypto);
  mock.method(crypto, 'getRandomValues', (values: Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer>) =>
    values instanceof Uint32Array ? values.fill(1_000) : getRandomValues(values),
  );
});

const OPEN_LIMITS = [
  'sign-in.address',
  'sign-in.network-56',
  'sign-in.network-48',
  'sign-in.account-and-address',
  'sign-in.account',
  'sign-in.account-under-attack',
];

test('a rejected password gets its response in even time, and every other rejection at once', {
  timeout: 10_000,
}, async () => {
  // No timer fires by itself.
  mock.timers.enable({ apis: ['setTimeout'] });
  assert.equal((await start({ begin_sign_in: 60 }).send()).status, 429, 'the limits');
  const limited = start({ begin_sign_in: 0 }, { outcome: 'limited', wait: 60 });
  assert.equal((await limited.send()).status, 429, 'the auth server’s limits');
  assert.equal((await start({ begin_sign_in: 0 }, { outcome: 'full' }).send()).status, 503, 'the queue');

  const { send, attempts } = start({ begin_sign_in: 0 });
  let status: number | undefined;
  const rejected = send().then((response) => {
    status = response.status;
  });
  while (attempts.length === 0) await new Promise((later) => setImmediate(later));
  mock.timers.tick(599);
  await new Promise((later) => setImmediate(later));
  assert.equal(status, undefined);
  mock.timers.tick(1);
  await rejected;
  assert.equal(status, 401);
});

test('a right password opens an administrator’s session, for as long as the settings say', async () => {
  const { send, calls, revoked, buckets } = start({ begin_sign_in: 0, open_admin_session: true }, GRANTED);
  const { status, body } = await send();
  assert.equal(status, 200);
  assert.deepEqual(body.session, SESSION);
  assert.match((await deviceOf(SETTINGS, EMAIL, String(body.device))) ?? '', /./);
  assert.deepEqual(calls[1], {
    name: 'open_admin_session',
    args: { user_id: SESSION.user.id, session_id: 'session-7', hours: 24, idle_minutes: 30 },
  });
  assert.deepEqual(buckets(), [
    ['begin_sign_in', ...OPEN_LIMITS],
    ['open_admin_session'],
    ['forgive_sign_in', ...OPEN_LIMITS],
  ]);
  assert.deepEqual(revoked, []);
});

test('a right password signs in also where its hits cannot be given back', async () => {
  const forgive_sign_in = () => {
    throw new DatabaseUnavailable('forgive_sign_in: no answer');
  };
  const { send, revoked } = start({ begin_sign_in: 0, open_admin_session: true, forgive_sign_in }, GRANTED);
  assert.equal((await send()).status, 200);
  assert.deepEqual(revoked, []);
});

test('the session of a person who is no administrator is ended', async () => {
  const { send, revoked } = start({ begin_sign_in: 0, open_admin_session: false }, GRANTED);
  const { status, code, body } = await send();
  assert.equal(`${status} ${code}`, '401 wrong_credentials');
  assert.deepEqual(Object.keys(body).sort(), ['code', 'error', 'request_id']);
  assert.deepEqual(revoked, [SESSION]);
});

test('a session whose opening fails is ended, and the hits are given back', async () => {
  const open_admin_session = () => {
    throw new DatabaseUnavailable('open_admin_session: no answer');
  };
  const { send, revoked, buckets } = start({ begin_sign_in: 0, open_admin_session }, GRANTED);
  assert.equal((await send()).status, 503);
  assert.deepEqual(revoked, [SESSION]);
  assert.deepEqual(buckets().at(-1), ['forgive_sign_in', ...OPEN_LIMITS]);
});

test('an access token without a session id opens the session of nobody', async () => {
  for (const access_token of ['no token', tokenOf({}), tokenOf({ session_id: 7 }), 'a.%%%.c']) {
    const session = { ...SESSION, access_token };
    const { send, calls } = start(
      { begin_sign_in: 0, open_admin_session: false },
      { outcome: 'session', session },
    );
    mock.timers.enable({ apis: ['setTimeout'] });
    const sent = send();
    while (calls.length < 2) await new Promise((later) => setImmediate(later));
    mock.timers.tick(600);
    assert.equal((await sent).status, 401);
    assert.equal(calls[1]?.args.session_id, '');
    mock.timers.reset();
  }
});

test('a 503 gives every hit back', async () => {
  for (const outcome of [{ outcome: 'unavailable' }, { outcome: 'full' }] as const) {
    const { send, buckets } = start({ begin_sign_in: 0 }, outcome);
    const { status, headers } = await send();
    assert.equal(status, 503);
    assert.equal(headers.get('retry-after'), '5');
    assert.deepEqual(buckets(), [
      ['begin_sign_in', ...OPEN_LIMITS],
      ['forgive_sign_in', ...OPEN_LIMITS],
    ]);
  }
});

test('an attempt that the auth server’s own limit rejects counts for the address alone', async () => {
  const { send, buckets } = start({ begin_sign_in: 0 }, { outcome: 'limited', wait: 60 });
  assert.equal((await send()).status, 429);
  assert.deepEqual(buckets()[1], [
    'forgive_sign_in',
    'sign-in.account-and-address',
    'sign-in.account',
    'sign-in.account-under-attack',
  ]);
});

test('the limits have their sizes, and wider ones around an IPv6 address', async () => {
  const { send, calls } = start({ begin_sign_in: 1 });
  await send();
  const sizes = Object.values(calls[0]?.args ?? {})
    .flat()
    .map((limit) => {
      const { bucket, max, window } = limit as Limit;
      return [bucket, max, window];
    });
  assert.deepEqual(sizes, [
    ['sign-in.address', 10, 600],
    ['sign-in.network-56', 40, 600],
    ['sign-in.network-48', 160, 600],
    ['sign-in.account-and-address', 5, 900],
    ['sign-in.account', 30, 3600],
    ['sign-in.account-under-attack', 1, 300],
  ]);
  const ipv4 = start({ begin_sign_in: 1 });
  await ipv4.send({}, { 'cf-connecting-ip': '192.0.2.1' });
  assert.deepEqual(ipv4.buckets()[0]?.slice(0, 3), [
    'begin_sign_in',
    'sign-in.address',
    'sign-in.account-and-address',
  ]);
});

test('an account is counted in any letter case, and apart from others', async () => {
  const keysOf = async (email: string) => {
    const { send, calls } = start({ begin_sign_in: 1 });
    await send({ email });
    return Object.values(calls[0]?.args ?? {})
      .flat()
      .map((limit) => limit as Limit);
  };
  const [lower, upper, other] = [
    await keysOf(EMAIL),
    await keysOf(EMAIL.toUpperCase()),
    await keysOf('other@example.com'),
  ];
  assert.deepEqual(upper, lower);
  const same = lower.filter(({ key }) => other.some((one) => one.key === key)).map(({ bucket }) => bucket);
  assert.deepEqual(same, ['sign-in.address', 'sign-in.network-56', 'sign-in.network-48']);
});

test('a device that signed in before has a lane of its own', async () => {
  const device = await issueDeviceToken(SETTINGS, EMAIL);
  const { send, attempts, buckets, calls } = start({ begin_sign_in: 0, open_admin_session: true }, GRANTED);
  assert.equal((await send({ device })).status, 200);
  assert.deepEqual(buckets()[0], ['begin_sign_in', 'sign-in.device']);
  const [limit] = (calls[0]?.args.limits ?? []) as Limit[];
  assert.deepEqual([limit?.max, limit?.window], [10, 600]);
  assert.equal(attempts[0]?.lane, 'device');
  assert.deepEqual(buckets()[2], ['forgive_sign_in', 'sign-in.device']);
});

test('a device token that is not valid is as good as none', async () => {
  const device = await issueDeviceToken(SETTINGS, 'other@example.com');
  const { send, attempts, buckets } = start({ begin_sign_in: 0, open_admin_session: true }, GRANTED);
  assert.equal((await send({ device })).status, 200);
  assert.deepEqual(buckets()[0], ['begin_sign_in', ...OPEN_LIMITS]);
  assert.equal(attempts[0]?.lane, 'open');
});

test('a solved challenge has a lane of its own, without limits of addresses, and is good once', async () => {
  let used = 0;
  const { send, attempts, buckets } = start(
    { use_once: () => used++ === 0, open_admin_session: true },
    GRANTED,
  );
  const proof = await proofFor();
  assert.equal((await send({ proof })).status, 200);
  assert.equal(attempts[0]?.lane, 'proof');
  assert.deepEqual(
    buckets().map(([name]) => name),
    ['use_once', 'open_admin_session'],
  );
  const again = await send({ proof });
  assert.equal(`${again.status} ${again.code}`, '409 bot_check_used');
  assert.equal(buckets().length, 2, 'and costs no further call of the database');

  const elsewhere = start({ use_once: false });
  assert.equal((await elsewhere.send({ proof: await proofFor() })).code, 'bot_check_used');
  assert.equal(elsewhere.attempts.length, 0);
});

test('a proof that is not genuine, for offers, or too late is rejected without the database', async () => {
  const { send, calls, attempts } = start({});
  assert.equal((await send({ proof: 'no proof' })).code, 'bot_check_failed');
  const forOffers = await proofFor({ action: 'order-submit', domain: 'lap.app' });
  assert.equal((await send({ proof: forOffers })).code, 'bot_check_failed');
  const late = await proofFor({ action: 'sign-in' }, Math.floor(Date.now() / 1000) - 1);
  assert.equal((await send({ proof: late })).code, 'bot_check_expired');
  const challenge = await issueChallenge(SETTINGS, { action: 'sign-in' }, 0);
  const unsolved = btoa(JSON.stringify({ challenge, solution: { counter: 1, derivedKey: 'ab'.repeat(32) } }));
  assert.equal((await send({ proof: unsolved })).code, 'bot_check_failed');
  assert.equal(calls.length + attempts.length, 0);
});

test('a rejection before the password was tried has a challenge, whose proof signs in', async () => {
  for (const rejecting of [start({ begin_sign_in: 60 }), start({ begin_sign_in: 0 }, { outcome: 'full' })]) {
    const { status, body } = await rejecting.send();
    assert.ok(status === 429 || status === 503);
    const challenge = ChallengeSchema.parse(body.challenge);
    const solution = await solveChallenge({ challenge, deriveKey });
    const proof = btoa(JSON.stringify({ challenge, solution }));
    const { send } = start({ use_once: true, open_admin_session: true }, GRANTED);
    assert.equal((await send({ proof })).status, 200);
  }
  const device = await issueDeviceToken(SETTINGS, EMAIL);
  const known = await start({ begin_sign_in: 60 }).send({ device });
  ChallengeSchema.parse(known.body.challenge);
  const both = start({ use_once: true, begin_sign_in: 60, open_admin_session: true }, GRANTED);
  assert.equal((await both.send({ device, proof: await proofFor() })).status, 200, 'the proof comes first');
  const full = await start({ use_once: true }, { outcome: 'full' }).send({ proof: await proofFor() });
  assert.deepEqual([full.status, full.body.challenge], [503, undefined]);
  const wrong = await start({ begin_sign_in: 0 }).send();
  assert.deepEqual([wrong.status, wrong.body.challenge], [401, undefined]);
});
