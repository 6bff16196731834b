import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/sha';
import { type Challenge, ChallengeSchema } from '../_shared/contract/bot-check.ts';
import { fixedListings } from '../_shared/listings.fixture.ts';
import { issueChallenge, ProofPurposeSchema } from '../_shared/proof-of-work.ts';
import type { Limit } from '../_shared/rate-limits.ts';
import { DatabaseUnavailable } from '../_shared/rejection.ts';
import { serveFunction } from '../_shared/serve-function.ts';
import { readSettings } from '../_shared/settings.ts';
import type { Attempt, PasswordResult, Session } from './auth-server.ts';
import { deviceOf, issueDeviceToken } from './device-token.ts';
import { createSignIn } from './handler.ts';
import type { Lane } from './lanes.ts';
import { type Queue, QueueFull } from './queue.ts';
import type { Source } from './waiting-tasks.ts';

const KEY = 'sb_publishable_test';
const ENV = { SUPABASE_URL: 'http://localhost', SUPABASE_SECRET_KEY: 'sb_secret_t' };
// @supabase/server reads them itself.
Object.assign(process.env, { ...ENV, SUPABASE_PUBLISHABLE_KEY: KEY });
const LISTINGS = fixedListings({ names: new Set<string>(), hosts: [], adminHost: undefined });
const SETTINGS = readSettings({
  ...ENV,
  SESSION_HOURS: '24',
  SESSION_IDLE_MINUTES: '30',
});
const EMAIL = 'owner@example.com';
const IPV6_HEADER = { 'cf-connecting-ip': '2001:db8:1:ab01::7' };

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

/** What begin_sign_in returns. */
const BEGUN = { wait: 0, harder: true, level: 0 };
const LIMITED = { wait: 60, harder: false, level: 0 };
/** What begin_sign_in_by_proof returns. */
const BY_PROOF = { outcome: 'begun' };

interface Options {
  /** Whether every queue is full. */
  full?: boolean;
  /** How full every queue is for a source. */
  fullness?: number;
  /** What the queues wait for before they run a task. */
  turn?: () => Promise<void>;
}

/** The handler with what the database and the auth server respond. */
function start(
  responses: Record<string, unknown>,
  result: PasswordResult = { outcome: 'rejected' },
  { full = false, fullness = 0, turn = async () => {} }: Options = {},
) {
  const calls: Call[] = [];
  const attempts: Attempt[] = [];
  const revoked: Session[] = [];
  /** What was queued, and what ran in the queue. */
  const queued: { lane: Lane; source: Source; ended: 'running' | 'run' | undefined }[] = [];
  const queueOf = (lane: Lane): Queue => ({
    run: async (source, task) => {
      if (full) throw new QueueFull();
      const entry: (typeof queued)[number] = { lane, source, ended: undefined };
      queued.push(entry);
      await turn();
      entry.ended = 'running';
      return await task().finally(() => {
        entry.ended = 'run';
      });
    },
    fullnessFor: () => fullness,
  });
  const handler = createSignIn({
    settings: SETTINGS,
    auth: {
      tryPassword: async (attempt) => {
        attempts.push(attempt);
        return result;
      },
      revoke: async (session) => {
        assert.equal(queued.at(-1)?.ended, 'running', 'within the interval of the queue');
        revoked.push(session);
      },
    },
    lanes: { device: queueOf('device'), proof: queueOf('proof'), open: queueOf('open') },
    callDatabase: async (name, args) => {
      calls.push({ name, args });
      if (name === 'open_admin_session') assert.equal(queued.at(-1)?.ended, 'running');
      const response = responses[name];
      return typeof response === 'function' ? response() : response;
    },
  });
  const served = serveFunction(
    { name: 'admin-auth', method: 'POST', listings: LISTINGS, settings: SETTINGS },
    handler,
  );
  const send = async (change: object = {}, headers: Record<string, string> = IPV6_HEADER) => {
    const response = await served.fetch(
      new Request('http://localhost/functions/v1/admin-auth', {
        method: 'POST',
        headers: { apikey: KEY, 'content-type': 'application/json', ...headers },
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
  return { calls, attempts, revoked, queued, send, buckets };
}

async function encodeSolved(challenge: Challenge): Promise<string> {
  return btoa(JSON.stringify({ challenge, solution: await solveChallenge({ challenge, deriveKey }) }));
}

/** A proof of the account `EMAIL`, as the handler makes its challenge; of one that solves nothing yet. */
async function proofFor(level = 0, email = EMAIL): Promise<string> {
  const { body } = await start({ begin_sign_in: { ...LIMITED, level } }).send({ email });
  return await encodeSolved(ChallengeSchema.parse(body.challenge));
}

beforeEach(() => {
  mock.restoreAll();
  mock.timers.reset();
  mock.method(console, 'log', () => {});
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
const BEGIN_OPEN = ['begin_sign_in', ...OPEN_LIMITS, 'sign-in.account-by-proof'];

test('a wrong password is rejected after 600 ms, and every other rejection is sent at once', {
  timeout: 10_000,
}, async () => {
  // No timer fires by itself.
  mock.timers.enable({ apis: ['setTimeout'] });
  assert.equal((await start({ begin_sign_in: LIMITED }).send()).status, 429, 'the limits');
  const limited = start({ begin_sign_in: BEGUN }, { outcome: 'limited', wait: 60 });
  assert.equal((await limited.send()).status, 429, 'the auth server’s limits');
  assert.equal(
    (await start({ begin_sign_in: BEGUN }, undefined, { full: true }).send()).status,
    503,
    'the queue',
  );

  const { send, attempts } = start({ begin_sign_in: BEGUN });
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

test('a right password opens an administrator’s session with the lifetime from the settings', async () => {
  const { send, calls, revoked, buckets } = start(
    { begin_sign_in: BEGUN, open_admin_session: true },
    GRANTED,
  );
  const { status, body } = await send();
  assert.equal(status, 200);
  assert.deepEqual(body.session, SESSION);
  assert.match(deviceOf(SETTINGS, EMAIL, String(body.device)) ?? '', /./);
  assert.deepEqual(calls[1], {
    name: 'open_admin_session',
    args: { user_id: SESSION.user.id, session_id: 'session-7', hours: 24, idle_minutes: 30 },
  });
  assert.deepEqual(buckets(), [BEGIN_OPEN, ['open_admin_session'], ['forgive_sign_in', ...OPEN_LIMITS]]);
  assert.deepEqual(revoked, []);
});

test('a right password signs in even if its attempt cannot be subtracted from the limits', async () => {
  const forgive_sign_in = () => {
    throw new DatabaseUnavailable('forgive_sign_in: no response');
  };
  const { send, revoked } = start(
    { begin_sign_in: BEGUN, open_admin_session: true, forgive_sign_in },
    GRANTED,
  );
  assert.equal((await send()).status, 200);
  assert.deepEqual(revoked, []);
});

test('the session of a user who is no administrator is revoked', async () => {
  const { send, revoked } = start({ begin_sign_in: BEGUN, open_admin_session: false }, GRANTED);
  const { status, code, body } = await send();
  assert.equal(`${status} ${code}`, '401 wrong_credentials');
  assert.deepEqual(Object.keys(body).sort(), ['code', 'error', 'request_id']);
  assert.deepEqual(revoked, [SESSION]);
});

test('a session that cannot be opened is revoked, and its attempt is subtracted from the limits', async () => {
  const open_admin_session = () => {
    throw new DatabaseUnavailable('open_admin_session: no response');
  };
  const { send, revoked, buckets } = start({ begin_sign_in: BEGUN, open_admin_session }, GRANTED);
  assert.equal((await send()).status, 503);
  assert.deepEqual(revoked, [SESSION]);
  assert.deepEqual(buckets().at(-1), ['forgive_sign_in', ...OPEN_LIMITS]);
});

test('an access token without a session id opens no session', async () => {
  for (const access_token of ['no token', tokenOf({}), tokenOf({ session_id: 7 }), 'a.%%%.c']) {
    const session = { ...SESSION, access_token };
    const { send, calls } = start(
      { begin_sign_in: BEGUN, open_admin_session: false },
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

test('a response 503 subtracts the attempt from every limit', async () => {
  for (const [full, wanted] of [
    [false, 'unavailable'],
    [true, 'sign_in_busy'],
  ] as const) {
    const { send, buckets } = start({ begin_sign_in: BEGUN }, { outcome: 'unavailable' }, { full });
    const { status, code, headers } = await send();
    assert.equal(`${status} ${code}`, `503 ${wanted}`);
    assert.equal(headers.get('retry-after'), '5');
    assert.deepEqual(buckets(), [BEGIN_OPEN, ['forgive_sign_in', ...OPEN_LIMITS]]);
  }
});

test('an attempt is not subtracted from limits that did not count it', async () => {
  const { send, buckets } = start(
    { begin_sign_in: { ...BEGUN, harder: false }, open_admin_session: true },
    GRANTED,
  );
  assert.equal((await send()).status, 200);
  const counted = OPEN_LIMITS.filter((bucket) => bucket !== 'sign-in.account-under-attack');
  assert.deepEqual(buckets().at(-1), ['forgive_sign_in', ...counted]);
});

test('an attempt that the auth server’s own limit rejects counts against the ip only', async () => {
  const { send, buckets } = start({ begin_sign_in: BEGUN }, { outcome: 'limited', wait: 60 });
  assert.equal((await send()).status, 429);
  assert.deepEqual(buckets()[1], [
    'forgive_sign_in',
    'sign-in.account-and-address',
    'sign-in.account',
    'sign-in.account-under-attack',
  ]);
});

test('attempts have limits per ip and account, and wider ones for the networks around it', async () => {
  const { send, calls } = start({ begin_sign_in: LIMITED });
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
    ['sign-in.account-by-proof', 20, 3600],
  ]);
  const ipv4 = start({ begin_sign_in: LIMITED });
  await ipv4.send({}, { 'cf-connecting-ip': '192.0.2.1' });
  assert.deepEqual(ipv4.buckets()[0]?.slice(0, 4), [
    'begin_sign_in',
    'sign-in.address',
    'sign-in.network-24',
    'sign-in.account-and-address',
  ]);
});

test('an account is counted in any letter case, and apart from other accounts', async () => {
  const keysOf = async (email: string) => {
    const { send, calls } = start({ begin_sign_in: LIMITED });
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

test('a device that signed in before uses the lane device', async () => {
  const device = issueDeviceToken(SETTINGS, EMAIL);
  const { send, queued, buckets, calls } = start({ begin_sign_in: BEGUN, open_admin_session: true }, GRANTED);
  assert.equal((await send({ device })).status, 200);
  const counted = ['sign-in.device', 'sign-in.account-by-device'];
  assert.deepEqual(buckets()[0], ['begin_sign_in', ...counted, 'sign-in.account-by-proof']);
  const limits = (calls[0]?.args.limits ?? []) as Limit[];
  assert.deepEqual(
    limits.map(({ max, window }) => [max, window]),
    [
      [10, 600],
      [20, 600],
    ],
  );
  assert.equal(queued[0]?.lane, 'device');
  assert.deepEqual(buckets()[2], ['forgive_sign_in', ...counted]);
});

test('all devices of an account are one source and share a limit', async () => {
  const { send, queued, calls } = start({ begin_sign_in: BEGUN });
  for (const email of [EMAIL, EMAIL.toUpperCase(), 'other@example.com']) {
    await send({ email, device: issueDeviceToken(SETTINGS, email) });
  }
  const [first, second, other] = queued.map(({ source }) => source);
  assert.deepEqual(first, second);
  assert.notDeepEqual(first, other);
  const keys = calls.map(({ args }) => (args.limits as Limit[]).map(({ key }) => key));
  assert.notEqual(keys[0]?.[0], keys[1]?.[0], 'each device');
  assert.equal(keys[0]?.[1], keys[1]?.[1]);
  assert.notEqual(keys[0]?.[1], keys[2]?.[1]);
});

test('an attempt with an invalid device token uses the lane open', async () => {
  const device = issueDeviceToken(SETTINGS, 'other@example.com');
  const { send, queued, buckets } = start({ begin_sign_in: BEGUN, open_admin_session: true }, GRANTED);
  assert.equal((await send({ device })).status, 200);
  assert.deepEqual(buckets()[0], BEGIN_OPEN);
  assert.equal(queued[0]?.lane, 'open');
});

test('a proof uses the lane proof, counts against the account only, and is valid once', async () => {
  const { send, queued, buckets, calls } = start(
    { begin_sign_in_by_proof: BY_PROOF, open_admin_session: true },
    GRANTED,
  );
  const proof = await proofFor();
  assert.equal((await send({ proof })).status, 200);
  const source = ['2001:db8:1/48', '2001:db8:1:ab00/56', '2001:db8:1:ab01'];
  assert.deepEqual(queued[0], { lane: 'proof', source, ended: 'run' });
  assert.deepEqual(buckets(), [
    ['begin_sign_in_by_proof', 'sign-in.account-by-proof'],
    ['open_admin_session'],
    ['forgive_sign_in', 'sign-in.account-by-proof'],
  ]);
  const { level, max_level, seconds } = calls[0]?.args ?? {};
  assert.deepEqual([level, max_level, seconds], [0, 4, 960]);
  const again = await send({ proof });
  assert.equal(`${again.status} ${again.code}`, '409 bot_check_used');
  assert.equal(calls.length, 3, 'and costs no further call of the database');

  const elsewhere = start({ begin_sign_in_by_proof: { outcome: 'used' } });
  assert.equal((await elsewhere.send({ proof: await proofFor() })).code, 'bot_check_used');
  assert.equal(elsewhere.attempts.length, 0);
  assert.equal((await elsewhere.send({ proof: await proofFor() }, {})).code, 'bot_check_used');
  assert.deepEqual(elsewhere.queued[1]?.source, ['']);
});

test('the source of a proof from an IPv4 is its /24 and the ip', async () => {
  const { send, queued } = start({ begin_sign_in_by_proof: BY_PROOF, open_admin_session: true }, GRANTED);
  await send({ proof: await proofFor() }, { 'cf-connecting-ip': '192.0.2.1' });
  assert.deepEqual(queued[0]?.source, ['192.0.2/24', '192.0.2.1']);
});

test('a proof is used up when its turn comes, and cannot be queued twice', async () => {
  const turn = Promise.withResolvers<void>();
  const responses = { begin_sign_in_by_proof: BY_PROOF, open_admin_session: true };
  const { send, calls, queued } = start(responses, GRANTED, { turn: () => turn.promise });
  const proof = await proofFor();
  const first = send({ proof });
  while (queued.length === 0) await new Promise((later) => setImmediate(later));
  assert.equal((await send({ proof })).code, 'bot_check_used');
  assert.deepEqual(calls, []);
  turn.resolve();
  assert.equal((await first).status, 200);
  assert.equal(queued.length, 1);
});

test('the fuller the lane is, the higher the level of a proof', async () => {
  const proof = await proofFor();
  for (const [fullness, level] of [
    [0.19, 0],
    [0.2, 1],
    [0.5, 2],
    [0.8, 4],
    [1, 4],
  ] as const) {
    const begun = start({ begin_sign_in: LIMITED }, undefined, { fullness });
    const { parameters } = ChallengeSchema.parse((await begun.send()).body.challenge);
    assert.equal(parameters.cost, 64 * 2 ** level, `a challenge while the lane is full to ${fullness}`);

    const { send, calls } = start({ begin_sign_in_by_proof: BY_PROOF, open_admin_session: true }, GRANTED, {
      fullness,
    });
    const { status, body } = await send({ proof });
    if (level === 0) {
      assert.equal(status, 200);
      continue;
    }
    assert.equal(status, 429);
    assert.deepEqual(calls, []);
    const harder = ChallengeSchema.parse(body.challenge);
    assert.equal(harder.parameters.cost, 64 * 2 ** level);
    assert.equal((await send({ proof: await proofFor(level) })).status, 200);
  }
});

test('a wrong password with a proof stays counted, and a response 503 is subtracted', async () => {
  const wrong = start({ begin_sign_in_by_proof: BY_PROOF });
  assert.equal((await wrong.send({ proof: await proofFor() })).status, 401);
  assert.deepEqual(
    wrong.buckets().map(([name]) => name),
    ['begin_sign_in_by_proof'],
  );
  const outage = start({ begin_sign_in_by_proof: BY_PROOF }, { outcome: 'unavailable' });
  assert.equal((await outage.send({ proof: await proofFor() })).status, 503);
  assert.deepEqual(outage.buckets()[1], ['forgive_sign_in', 'sign-in.account-by-proof']);
});

test('a proof of too low a level gets a challenge of the right level, and costs the database one call', async () => {
  const harder = { outcome: 'harder', level: 2 };
  const { send, attempts, queued, calls } = start({ begin_sign_in_by_proof: () => harder });
  const proof = await proofFor();
  for (let time = 0; time < 3; time += 1) {
    const { status, code, body, headers } = await send({ proof });
    assert.equal(`${status} ${code}`, '429 too_many_sign_ins');
    assert.equal(headers.get('retry-after'), '60');
    const { parameters } = ChallengeSchema.parse(body.challenge);
    assert.equal(parameters.cost, 256);
  }
  assert.equal(attempts.length, 0);
  assert.equal(calls.length, 1);
  assert.equal(queued.length, 1);

  const level2 = start({ begin_sign_in_by_proof: BY_PROOF });
  await level2.send({ proof: await proofFor(2) });
  assert.equal(level2.calls[0]?.args.level, 2);
});

test('a proof stays valid while the queue is full', async () => {
  const options = { full: true };
  const { send, calls } = start({ begin_sign_in_by_proof: BY_PROOF }, undefined, options);
  const proof = await proofFor();
  for (let time = 0; time < 2; time += 1) {
    const { status, code, body, headers } = await send({ proof });
    assert.equal(`${status} ${code}`, '503 sign_in_busy');
    assert.equal(headers.get('retry-after'), '5');
    assert.equal(body.challenge, undefined);
  }
  assert.deepEqual(calls, []);
});

test('a proof may be sent again after the database failed', async () => {
  let failures = 1;
  const begin_sign_in_by_proof = () => {
    if (failures-- > 0) throw new DatabaseUnavailable('begin_sign_in_by_proof: no response');
    return BY_PROOF;
  };
  const { send } = start({ begin_sign_in_by_proof, open_admin_session: true }, GRANTED);
  const proof = await proofFor();
  assert.equal((await send({ proof })).status, 503);
  assert.equal((await send({ proof })).status, 200);
});

test('a forged or expired proof, or one for another purpose, costs no call of the database', async () => {
  const { send, calls, attempts } = start({});
  assert.equal((await send({ proof: 'no proof' })).code, 'bot_check_failed');
  const forOffers = await issueChallenge(SETTINGS, { action: 'order-submit', domain: 'lap.app' }, 0);
  assert.equal((await send({ proof: await encodeSolved(forOffers) })).code, 'bot_check_failed');
  const ofOther = await proofFor(0, 'other@example.com');
  assert.equal((await send({ proof: ofOther })).code, 'bot_check_failed');
  const { body } = await start({ begin_sign_in: LIMITED }).send();
  const challenge = ChallengeSchema.parse(body.challenge);
  const purpose = ProofPurposeSchema.parse(challenge.parameters.data);
  const late = await issueChallenge(SETTINGS, purpose, 0, Math.floor(Date.now() / 1000) - 1);
  assert.equal((await send({ proof: await encodeSolved(late) })).code, 'bot_check_expired');
  const unsolved = btoa(JSON.stringify({ challenge, solution: { counter: 1, derivedKey: 'ab'.repeat(32) } }));
  assert.equal((await send({ proof: unsolved })).code, 'bot_check_failed');
  assert.equal(calls.length + attempts.length, 0);
});

test('a rejection before the password is tried has a challenge, whose proof signs in', async () => {
  const level = 1;
  for (const rejecting of [
    start({ begin_sign_in: { ...LIMITED, level } }),
    start({ begin_sign_in: { ...BEGUN, level } }, undefined, { full: true }),
  ]) {
    const { status, body } = await rejecting.send();
    assert.ok(status === 429 || status === 503);
    const challenge = ChallengeSchema.parse(body.challenge);
    assert.equal(challenge.parameters.cost, 128);
    const { send } = start({ begin_sign_in_by_proof: BY_PROOF, open_admin_session: true }, GRANTED);
    assert.equal((await send({ proof: await encodeSolved(challenge) })).status, 200);
  }
  const device = issueDeviceToken(SETTINGS, EMAIL);
  const known = await start({ begin_sign_in: LIMITED }).send({ device });
  ChallengeSchema.parse(known.body.challenge);
  const both = start({ begin_sign_in_by_proof: BY_PROOF, open_admin_session: true }, GRANTED);
  assert.equal((await both.send({ device, proof: await proofFor() })).status, 200, 'the proof comes first');
  const wrong = await start({ begin_sign_in: BEGUN }).send();
  assert.deepEqual([wrong.status, wrong.body.challenge], [401, undefined]);
});
