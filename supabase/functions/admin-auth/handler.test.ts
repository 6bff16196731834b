import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { type TOTP, URI } from 'otpauth';
import { HOSTILE_TEXTS } from '../../../tests/abuse/hostile-texts.ts';
import { checkResults } from '../_shared/call-database.ts';
import { createContext } from '../_shared/context.ts';
import { fixedListings } from '../_shared/listings.fixture.ts';
import { createLog } from '../_shared/log.ts';
import type { Limit } from '../_shared/rate-limits.ts';
import { DatabaseUnavailable } from '../_shared/rejection.ts';
import { serveFunction } from '../_shared/serve-function.ts';
import { readSettings } from '../_shared/settings.ts';
import type { Attempt, PasswordResult, Session } from './auth-server.ts';
import { deviceOf, issueDeviceToken } from './device-token.ts';
import { enrol, keyIdOf } from './factor.ts';
import { createSignIn } from './handler.ts';
import { QueueFull } from './queue.ts';
import { serveAdminAuth } from './serve.ts';

const setTimeoutOfNode = globalThis.setTimeout;
const KEY = 'sb_publishable_test';
const LOG = createLog(console);
const LISTINGS = fixedListings({ names: new Set<string>(), hosts: [], adminHost: undefined });
const SETTINGS = readSettings({
  SUPABASE_URL: 'http://localhost',
  SUPABASE_PUBLISHABLE_KEY: KEY,
  SUPABASE_SECRET_KEY: 'sb_secret_t',
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
  args: Record<string, unknown> & { limits?: Limit[] };
}

const COUNTED_AT = '2026-11-24T10:00:00.123456+00:00';
/** What begin_sign_in returns. */
const BEGUN = { wait: 0, counted_at: COUNTED_AT };
const LIMITED = { wait: 60, counted_at: COUNTED_AT };

/** The handler with what the database and the auth server respond. */
function start(
  responses: Record<string, unknown>,
  result: PasswordResult = { outcome: 'rejected' },
  { full = false } = {},
) {
  const calls: Call[] = [];
  const attempts: Attempt[] = [];
  const revoked: Session[] = [];
  const notices: string[] = [];
  /** For each queued attempt: whether of a known device, and whether it is running. */
  const queued: { isKnownDevice: boolean; running: boolean }[] = [];
  const arrived = Promise.withResolvers<void>();
  const handler = createSignIn({
    settings: SETTINGS,
    log: LOG,
    auth: {
      tryPassword: async (attempt) => {
        attempts.push(attempt);
        return result;
      },
      revoke: async (session) => {
        assert.ok(queued.at(-1)?.running, 'within the interval of the queue');
        revoked.push(session);
      },
    },
    queue: {
      run: async (isKnownDevice, admit, task) => {
        arrived.resolve();
        if (full) throw new QueueFull();
        await admit();
        const entry = { isKnownDevice, running: true };
        queued.push(entry);
        return await task().finally(() => {
          entry.running = false;
        });
      },
    },
    notify: (notice) => void notices.push(notice),
    callDatabase: checkResults(async (name, args: Call['args']) => {
      calls.push({ name, args });
      if (name === 'open_admin_session') assert.ok(queued.at(-1)?.running);
      const response = responses[name];
      return typeof response === 'function' ? response(args) : response;
    }),
  });
  const served = serveFunction(
    { listings: LISTINGS, settings: SETTINGS, log: LOG },
    { name: 'admin-auth', method: 'POST' },
    handler,
  );
  const send = async (
    change: object | ReadableStream = {},
    headers: Record<string, string> = IPV6_HEADER,
  ) => {
    const response = await served.fetch(
      new Request('http://localhost/functions/v1/admin-auth', {
        method: 'POST',
        headers: { apikey: KEY, 'content-type': 'application/json', ...headers },
        body:
          change instanceof ReadableStream
            ? change
            : JSON.stringify({ email: EMAIL, password: 'not the password', ...change }),
        duplex: 'half',
      } as RequestInit),
    );
    const body = (await response.json()) as Record<string, unknown>;
    return { status: response.status, code: body.code, body, headers: response.headers };
  };
  const buckets = () =>
    calls.map(({ name, args }) => [name, ...(args.limits ?? []).map(({ bucket }) => bucket)]);
  return { calls, attempts, revoked, notices, queued, arrived: arrived.promise, send, buckets };
}

beforeEach(() => {
  mock.restoreAll();
  mock.timers.reset();
  mock.method(console, 'log', () => {});
  mock.method(console, 'error', () => {});
  // The minimum time of a rejection is over at once, but for the test of it, whose own timers replace this.
  mock.method(globalThis, 'setTimeout', (callback: () => void, ms: number) =>
    setTimeoutOfNode(callback, ms === 600 ? 0 : ms),
  );
});

const LIMITS = ['sign-in.ip', 'sign-in.network', 'sign-in.account-and-network'];

test('no attempt is rejected sooner than after 600 ms, for whatever reason', async () => {
  // No timer fires by itself.
  mock.timers.enable({ apis: ['setTimeout'] });
  for (const [one, wanted] of [
    [start({ begin_sign_in: BEGUN }), 401],
    [start({ begin_sign_in: BEGUN, open_admin_session: { status: 'none' } }, GRANTED), 401],
    [start({ begin_sign_in: LIMITED }), 429],
    [start({ begin_sign_in: BEGUN }, { outcome: 'limited', wait: 60 }), 429],
    [start({ begin_sign_in: BEGUN }, { outcome: 'unavailable' }), 503],
    [start({ begin_sign_in: BEGUN }, undefined, { full: true }), 503],
  ] as const) {
    let status: number | undefined;
    const rejected = one.send().then((response) => {
      status = response.status;
    });
    await one.arrived;
    await later();
    mock.timers.tick(599);
    await later();
    assert.equal(status, undefined);
    mock.timers.tick(1);
    await rejected;
    assert.equal(status, wanted);
  }
});

test('a right password opens an administrator’s session with the lifetime from the settings', async () => {
  const { send, calls, revoked, buckets } = start(
    { begin_sign_in: BEGUN, open_admin_session: { status: 'opened' } },
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
  assert.deepEqual(buckets(), [
    ['begin_sign_in', ...LIMITS],
    ['open_admin_session'],
    ['release_hits', ...LIMITS],
  ]);
  assert.equal(calls[2]?.args.counted_at, COUNTED_AT);
  assert.deepEqual(revoked, []);
});

test('a right password signs in even if its attempt cannot be subtracted from the limits', async () => {
  const release_hits = () => {
    throw new DatabaseUnavailable('release_hits: no response');
  };
  const { send, revoked } = start(
    { begin_sign_in: BEGUN, open_admin_session: { status: 'opened' }, release_hits },
    GRANTED,
  );
  assert.equal((await send()).status, 200);
  assert.deepEqual(revoked, []);
});

test('the session of a user who is no administrator is revoked', async () => {
  const { send, revoked } = start({ begin_sign_in: BEGUN, open_admin_session: { status: 'none' } }, GRANTED);
  const { status, code, body } = await send();
  assert.equal(`${status} ${code}`, '401 wrong_credentials');
  assert.deepEqual(Object.keys(body).sort(), ['code', 'error', 'request_id']);
  assert.deepEqual(revoked, [SESSION]);
});

test('a session that cannot be opened is revoked', async () => {
  const open_admin_session = () => {
    throw new DatabaseUnavailable('open_admin_session: no response');
  };
  const { send, revoked } = start({ begin_sign_in: BEGUN, open_admin_session }, GRANTED);
  assert.equal((await send()).status, 503);
  assert.deepEqual(revoked, [SESSION]);
});

test('an access token without a session id opens no session', async () => {
  for (const access_token of ['no token', tokenOf({}), tokenOf({ session_id: 7 }), 'a.%%%.c']) {
    const session = { ...SESSION, access_token };
    const { send, calls } = start(
      { begin_sign_in: BEGUN, open_admin_session: { status: 'none' } },
      { outcome: 'session', session },
    );
    assert.equal((await send()).status, 401);
    assert.equal(calls[1]?.args.session_id, '');
  }
});

test('an attempt is counted if it has a place, and taken back if no password was tried', async () => {
  for (const [result, options, wanted, number] of [
    [{ outcome: 'unavailable' }, {}, '503 unavailable', 2],
    [{ outcome: 'rejected' }, {}, '401 wrong_credentials', 1],
    [{ outcome: 'limited', wait: 60 }, {}, '429 too_many_sign_ins', 1],
    [undefined, { full: true }, '503 sign_in_busy', 0],
  ] as const) {
    const { send, calls } = start({ begin_sign_in: BEGUN }, result, options);
    const { status, code, headers } = await send();
    assert.equal(`${status} ${code}`, wanted);
    if (status === 503) assert.equal(headers.get('retry-after'), '5');
    assert.equal(calls.length, number);
  }
});

for (const [full, others] of [
  ['sign-in.ip', [{ ip: '2001:db8:1:ab02::7' }, { ip: '2001:db8:2::1' }]],
  ['sign-in.network', [{ ip: '2001:db8:2::1' }]],
  ['sign-in.account-and-network', [{ email: 'other@example.com' }, { ip: '2001:db8:2::1' }]],
] as const) {
  test(`a sender past ${full} costs one call of the database, and others are none`, async () => {
    const { send, calls } = start({ begin_sign_in: { ...LIMITED, full: { [full]: 60 } } });
    const statusOf = async ({ ip = '2001:db8:1:ab01::7', email = EMAIL }) =>
      (await send({ email }, { 'cf-connecting-ip': ip })).status;
    for (let attempt = 0; attempt < 4; attempt += 1) assert.equal(await statusOf({}), 429);
    assert.equal(calls.length, 1);
    for (const [at, other] of others.entries()) {
      await statusOf(other);
      assert.equal(calls.length, at + 2, JSON.stringify(other));
    }
  });
}

test('a device whose other sign-in was right is not limited by it', async () => {
  const device = issueDeviceToken(SETTINGS, EMAIL);
  const begun: unknown[] = [BEGUN, { ...LIMITED, full: { 'sign-in.device': 60 } }, BEGUN];
  const opened = Promise.withResolvers<unknown>();
  const { send } = start(
    { begin_sign_in: () => begun.shift(), open_admin_session: () => opened.promise },
    GRANTED,
  );
  const first = send({ device });
  assert.equal((await send({ device })).status, 429);
  opened.resolve({ status: 'opened' });
  assert.equal((await first).status, 200);
  assert.equal((await send({ device })).status, 200);
});

test('attempts are limited by IP, network, and account and network, and never by the account alone', async () => {
  const limitsOf = async (email: string, ip: string) => {
    const { send, calls } = start({ begin_sign_in: LIMITED });
    const { status, headers, body } = await send({ email }, { 'cf-connecting-ip': ip });
    assert.deepEqual([status, headers.get('retry-after')], [429, '60']);
    assert.equal(body.error, 'Too many attempts to sign in. Please try again in a minute.');
    return calls[0]?.args.limits ?? [];
  };
  const own = await limitsOf(EMAIL, '2001:db8:1:ab01::7');
  assert.deepEqual(
    own.map(({ bucket, max, window }) => [bucket, max, window]),
    [
      ['sign-in.ip', 10, 600],
      ['sign-in.network', 20, 600],
      ['sign-in.account-and-network', 5, 900],
    ],
  );
  const differing = (limits: Limit[]) =>
    limits.filter(({ key }, at) => key !== own[at]?.key).map(({ bucket }) => bucket);
  assert.deepEqual(differing(await limitsOf(EMAIL.toUpperCase(), '2001:db8:1:ab01::8')), []);
  assert.deepEqual(differing(await limitsOf(EMAIL, '2001:db8:1:ff01::7')), ['sign-in.ip']);
  assert.deepEqual(differing(await limitsOf('other@example.com', '2001:db8:1:ab01::7')), [
    'sign-in.account-and-network',
  ]);
  assert.deepEqual(differing(await limitsOf(EMAIL, '2001:db8:2:ab01::7')), LIMITS);
});

test('a device that signed in before has limits of its own and goes first', async () => {
  const device = issueDeviceToken(SETTINGS, EMAIL);
  const { send, queued, buckets, calls } = start(
    { begin_sign_in: BEGUN, open_admin_session: { status: 'opened' } },
    GRANTED,
  );
  assert.equal((await send({ device })).status, 200);
  const counted = ['sign-in.device', 'sign-in.devices-of-account'];
  assert.deepEqual(buckets()[0], ['begin_sign_in', ...counted]);
  assert.deepEqual(
    calls[0]?.args.limits?.map(({ max, window }) => [max, window]),
    [
      [10, 600],
      [20, 600],
    ],
  );
  assert.deepEqual(queued, [{ isKnownDevice: true, running: false }]);
  assert.deepEqual(buckets()[2], ['release_hits', ...counted]);
});

test('all devices of an account share a limit', async () => {
  const keysOf = async (email: string) => {
    const { send, calls } = start({ begin_sign_in: LIMITED });
    await send({ email, device: issueDeviceToken(SETTINGS, email) });
    return calls[0]?.args.limits?.map(({ key }) => key) ?? [];
  };
  const [first, second, other] = [
    await keysOf(EMAIL),
    await keysOf(EMAIL.toUpperCase()),
    await keysOf('other@example.com'),
  ];
  assert.notEqual(first[0], second[0], 'each device');
  assert.equal(first[1], second[1]);
  assert.notEqual(first[1], other[1]);
});

test('hostile credentials are tried unchanged, and rejected as wrong ones', async () => {
  const { send, attempts } = start({ begin_sign_in: BEGUN });
  const texts = HOSTILE_TEXTS.filter((text) => text.length < 250);
  const sent = texts.flatMap((text) => [
    { email: text, password: 'a' },
    { email: EMAIL, password: text },
  ]);
  const responses = await Promise.all(sent.map((credentials) => send(credentials)));
  for (const { status, code } of responses) assert.equal(`${status} ${code}`, '401 wrong_credentials');
  const inOrder = (all: { email: string; password: string }[]) =>
    all.map(({ email, password }) => JSON.stringify([email, password])).sort();
  assert.deepEqual(inOrder(attempts), inOrder(sent));
});

test('a body that is no credentials is rejected without an attempt', async () => {
  const { send, calls, attempts } = start({ begin_sign_in: BEGUN });
  for (const change of [{ email: undefined }, { password: ['a'] }, { code: 123456 }, { admin: true }]) {
    const { status, code } = await send(change);
    assert.equal(`${status} ${code}`, '400 malformed', JSON.stringify(change));
  }
  assert.deepEqual([calls, attempts], [[], []]);
});

test('a body of more than 4 KB, or that has not ended after 5 s, is rejected without an attempt', async () => {
  const { send, calls } = start({ begin_sign_in: BEGUN });
  const without = JSON.stringify({ email: EMAIL, password: '' }).length;
  for (const [length, wanted] of [
    [4 * 1024, 'malformed'],
    [4 * 1024 + 1, 'too_large'],
  ] as const)
    assert.equal((await send({ password: 'x'.repeat(length - without) })).code, wanted);
  mock.timers.enable({ apis: ['setTimeout'] });
  const read = Promise.withResolvers<void>();
  const body = new ReadableStream({ pull: () => read.resolve() }, { highWaterMark: 0 });
  let code: unknown;
  void send(body).then((response) => {
    code = response.code;
  });
  await read.promise;
  mock.timers.tick(4_999);
  await later();
  assert.equal(code, undefined);
  mock.timers.tick(1);
  for (let turn = 0; turn < 9; turn += 1) await later();
  assert.equal(code, 'too_slow');
  assert.deepEqual(calls, []);
});

test('a device token is not sufficient by itself, and a modified one is none', async () => {
  const device = issueDeviceToken(SETTINGS, EMAIL);
  const { send, queued, revoked } = start({ begin_sign_in: BEGUN });
  const { status, body } = await send({ device });
  assert.deepEqual([status, body.device, body.session], [401, undefined, undefined]);
  for (const changed of [`${device.slice(0, -2)}AA`, device.slice(0, -8), `${device}A`, 'device', '']) {
    assert.equal((await send({ device: changed })).status, 401);
  }
  assert.deepEqual(
    queued.map(({ isKnownDevice }) => isKnownDevice),
    [true, ...Array(queued.length - 1).fill(false)],
  );
  assert.deepEqual(revoked, []);
});

test('a device token of another account is none', async () => {
  const device = issueDeviceToken(SETTINGS, 'other@example.com');
  const { send, queued, buckets } = start(
    { begin_sign_in: BEGUN, open_admin_session: { status: 'opened' } },
    GRANTED,
  );
  assert.equal((await send({ device })).status, 200);
  assert.deepEqual(buckets()[0], ['begin_sign_in', ...LIMITS]);
  assert.equal(queued[0]?.isKnownDevice, false);
});

const ENROLLED = { user_id: SESSION.user.id, email: EMAIL };

/** Enrols, and returns the handler of an account with the factor, its secret, and what open_admin_session got. */
async function startEnrolled(after: (use: Record<string, unknown>) => object, key = SETTINGS.secretKey) {
  const stored: Record<string, unknown>[] = [];
  const enrolment = {
    secretKey: key,
    callDatabase: async (_: string, args: object) => stored.push({ ...args }) > 0,
  };
  const { url, sealed } = (await enrol(enrolment, ENROLLED)).body as { url: string; sealed: string };
  const totp = URI.parse(url) as TOTP;
  const confirmed = await enrol(enrolment, { ...ENROLLED, sealed, code: totp.generate() });
  const { recovery_codes } = confirmed.body as { recovery_codes: string[] };
  const open_admin_session = (args: Record<string, unknown>) => {
    const factor = { sealed, key_id: stored[0]?.key_id, left: 10 };
    const isUse = 'step' in args || 'recovery' in args;
    return { ...factor, ...(isUse ? after(args) : { status: 'code_required', wrong: 0 }) };
  };
  return {
    ...start({ begin_sign_in: BEGUN, open_admin_session }, GRANTED),
    totp,
    recovery_codes,
    stored,
    sealed,
  };
}

test('the right password without a code gets nothing but a rejection, and its session is revoked', async () => {
  const { send, revoked, buckets } = await startEnrolled(() => ({ status: 'opened' }));
  const device = issueDeviceToken(SETTINGS, EMAIL);
  for (const change of [{}, { code: ' ' }, { device }]) {
    const { status, body } = await send(change);
    assert.equal(status, 401);
    const { request_id: _, ...rest } = body;
    assert.deepEqual(rest, { error: 'Enter the code from your authenticator app.', code: 'code_required' });
  }
  assert.deepEqual(revoked, [SESSION, SESSION, SESSION]);
  assert.ok(!buckets().some(([name]) => name === 'release_hits'), 'its attempt stays counted');
});

test('codes of one step to each side are used up, others and a device token are wrong', async () => {
  const seen: Record<string, unknown>[] = [];
  const { send, totp, revoked, notices } = await startEnrolled((use) => {
    seen.push(use);
    return { status: use.step === 0 || 'recovery' in use ? 'wrong_code' : 'opened', wrong: 1, left: 9 };
  });
  const now = Date.now();
  mock.timers.enable({ apis: ['Date'], now });
  const step = Math.floor(now / 30_000);
  const codeAt = (offset: number) => totp.generate({ timestamp: now + offset * 30_000 });
  for (const offset of [-1, 0, 1]) {
    const { status, body } = await send({ code: ` ${codeAt(offset).replace(/^.../, '$& ')}` });
    assert.deepEqual([status, body.recovery_codes_left], [200, undefined]);
    assert.equal(seen.at(-1)?.step, step + offset);
  }
  for (const code of [codeAt(-2), codeAt(2), issueDeviceToken(SETTINGS, EMAIL).slice(0, 100), 'no code']) {
    const { status, body } = await send({ code });
    assert.equal(`${status} ${body.code}`, '401 wrong_code');
  }
  assert.equal(revoked.length, 4);
  assert.deepEqual(notices, [], 'of a recovery code');
});

test('a completed sign-in takes back the request before it, and a wrong code its own alone', async () => {
  const { send, totp, buckets } = await startEnrolled(({ step }) => ({
    status: step === 0 ? 'wrong_code' : 'opened',
    wrong: 1,
  }));
  const released = () => buckets().filter(([name]) => name === 'release_hits').length;
  await send({ code: totp.generate({ timestamp: 0 }) });
  assert.equal(released(), 1);
  await send({ code: totp.generate() });
  assert.equal(released(), 3);
});

test('a recovery code counts in any case and grouping, and the response has how many are left', async () => {
  const seen: unknown[] = [];
  const { send, recovery_codes, stored, notices } = await startEnrolled(({ recovery }) => {
    seen.push(recovery);
    return { status: 'opened', left: 9 };
  });
  assert.equal(recovery_codes.length, 10);
  const [code = ''] = recovery_codes;
  assert.match(code, /^(?:[A-Z2-7]{4}-){3}[A-Z2-7]{4}$/);
  const { body } = await send({ code: code.toLowerCase().replaceAll('-', ' ') });
  assert.equal(body.recovery_codes_left, 9);
  const [{ recovery_hashes: hashes } = {}] = stored as { recovery_hashes?: string[] }[];
  assert.deepEqual(seen, [hashes?.[0]]);
  assert.deepEqual(notices, ['recovery_code']);
});

test('the owner gets a message at the third wrong code', async () => {
  let wrong = 0;
  const { send, notices } = await startEnrolled(() => ({ status: 'wrong_code', wrong: ++wrong }));
  for (const sent of [0, 0, 1, 1, 1]) {
    await send({ code: 'wrong' });
    assert.deepEqual(notices, Array(sent).fill('wrong_codes'), `${wrong} wrong codes`);
  }
});

test('too many wrong codes, and a factor of another key, reject the sign-in with what to do', async () => {
  const full = await startEnrolled(() => ({ status: 'too_many_codes', wrong: 10 }));
  const limited = await full.send({ code: full.totp.generate() });
  assert.equal(`${limited.status} ${limited.code}`, '429 too_many_codes');
  const other = await startEnrolled(() => ({ status: 'opened' }), 'sb_secret_other');
  const closed = await other.send({ code: other.totp.generate() });
  assert.match(`${closed.status} ${closed.body.error}`, /^401 .*npm run admin -- factor EMAIL --remove/);
  assert.deepEqual(other.revoked, [SESSION]);
});

test('the code that confirms a factor is used up with it', async () => {
  const now = Date.now();
  mock.timers.enable({ apis: ['Date'], now });
  const { stored } = await startEnrolled(() => ({ status: 'opened' }));
  assert.equal(stored[0]?.step, Math.floor(now / 30_000));
});

test('a secret is sealed for one account, and a wrong code enrols nothing', async () => {
  const { sealed, totp, stored } = await startEnrolled(() => ({ status: 'opened' }));
  assert.ok(!sealed.includes(totp.secret.base32));
  const enrolment = { secretKey: SETTINGS.secretKey, callDatabase: async () => assert.fail('stored') };
  const other = { ...ENROLLED, user_id: '6f9619ff-8b86-4d01-b42d-00cf4fc964fe' };
  const code = totp.generate();
  await assert.rejects(enrol(enrolment, { ...other, sealed, code }), { code: 'factor_of_other_key' });
  for (const wrong of [totp.generate({ timestamp: 0 }), 'ABCD-EFGH-IJKL-MNOP', ''])
    await assert.rejects(enrol(enrolment, { ...ENROLLED, sealed, code: wrong }), { code: 'wrong_code' });
  const closed = { ...enrolment, callDatabase: async () => false };
  await assert.rejects(enrol(closed, { ...ENROLLED, sealed, code }), { code: 'not_enrollable' });
  assert.equal(stored.length, 1);
});

test('the function signs in from the admin host alone, mails of the third wrong code, and enrols with the secret key', async () => {
  // Neither the interval of the queue nor the minimum time of a rejection.
  mock.method(globalThis, 'setTimeout', (callback: () => void, ms: number) =>
    setTimeoutOfNode(callback, [500, 600].includes(ms) ? 0 : ms),
  );
  const factor = { status: 'code_required', key_id: keyIdOf(SETTINGS.secretKey), sealed: 'a' };
  const context = createContext(SETTINGS, {
    log: createLog({ log: () => {}, error: () => {} }),
    fetch: async () => Response.json(SESSION),
    waitUntil: () => {},
    callDatabase: checkResults(async (name, args: object) => {
      if (name === 'begin_sign_in') return BEGUN;
      if (name !== 'open_admin_session') return undefined;
      return 'recovery' in args ? { status: 'wrong_code', wrong: 3 } : factor;
    }),
  });
  const sent: unknown[] = [];
  const site = { names: new Set(['lap.app']), hosts: ['names.example'], adminHost: undefined };
  const { fetch } = serveAdminAuth({
    ...context,
    listings: fixedListings(site),
    deliver: async (body) => void sent.push(body),
  });
  const resultOf = async (method: string, apikey: string, origin?: string) => {
    const headers = { apikey, 'content-type': 'application/json', ...(origin && { origin }) };
    const body = JSON.stringify({ email: EMAIL, password: 'a', code: 'ABCD' });
    const request = new Request('http://x.example', {
      method,
      headers,
      ...(method !== 'OPTIONS' && { body }),
    });
    const response = await fetch(request);
    const { code } = JSON.parse((await response.text()) || '{}') as { code?: string };
    return `${response.status} ${code}`;
  };
  for (const method of ['POST', 'OPTIONS'])
    assert.equal(await resultOf(method, KEY, 'https://lap.app'), '403 foreign_origin');
  assert.equal(await resultOf('PUT', KEY), '401 unauthorized');
  assert.equal(await resultOf('PUT', SETTINGS.secretKey), '400 malformed');
  assert.deepEqual(sent, []);
  assert.equal(await resultOf('POST', KEY, 'https://names.example'), '401 wrong_code');
  assert.deepEqual(sent, [{ notice: 'wrong_codes' }]);
});

/** Until no promise is left that settles by itself. */
function later(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
