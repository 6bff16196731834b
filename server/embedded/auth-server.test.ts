/**
 * Sign-in, refresh, own account and sign-out, by what auth-js 2.119 reads (src/GoTrueClient.ts `_callRefreshToken`: a 4xx at
 * /token signs the person out once the access token is over, 5xx is tried again; src/lib/fetch.ts `handleError`: the code) and
 * what GoTrue does (internal/tokens/service.go `RefreshTokenGrant`, internal/api/errors.go `HandleResponseError`).
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, type TestContext, test } from 'node:test';
import { createClient } from '@supabase/supabase-js';
import { forgedTokens, hs256 } from '../../tests/abuse/forged-tokens.ts';
import { HOSTILE_TEXTS } from '../../tests/abuse/hostile-texts.ts';
import { createUser } from './auth-admin.ts';
import { openAuthServer } from './auth-server.ts';
import { callAuth, KEYS, makeAdministrator, openBooted } from './booted-database.fixture.ts';
import type { OpenDatabase } from './open-database.ts';
import { PROJECT_URL } from './project-options.ts';
import { serveProject } from './serve-project.ts';

const OWNER = { email: 'owner@example.com', password: 'correct horse battery' };
const OTHER = { email: 'other@example.com', password: 'battery horse correct' };
const NEVER = '01a225ce-c1dc-723e-afff-06173b347567';
const DAY_MS = 86_400_000;
const STARTED = Date.UTC(2026, 10, 29);

let database: OpenDatabase;
let project: ReturnType<typeof serveProject>;
let ownerId: string;
/** Has no files of passwords. */
const emptyFolder = mkdtempSync(join(tmpdir(), 'auth-'));
before(async () => {
  database = await openBooted();
  project = serveProject(database, KEYS, { dataDir: emptyFolder, print: () => {} });
  ownerId = await makeAdministrator(database, OWNER);
  await createUser(database.sql, OTHER);
});
beforeEach(() => database.sql.exec('truncate auth.sessions, private.admin_sessions cascade'));
after(async () => {
  await database.close();
  rmSync(emptyFolder, { recursive: true });
});

interface Tokens {
  access_token: string;
  refresh_token: string;
}

async function tokensOf(response: Response): Promise<Tokens> {
  assert.equal(response.status, 200);
  return (await response.json()) as Tokens;
}

const refresh = ({ refresh_token }: { refresh_token: string }) =>
  callAuth(database, 'token?grant_type=refresh_token', { refresh_token });
const rotate = async (tokens: Tokens) => await tokensOf(await refresh(tokens));
const signIn = async (credentials: object = OWNER) =>
  await tokensOf(await callAuth(database, 'token?grant_type=password', credentials));

/** Opens the session as admin-auth does. */
async function signInAdministrator(): Promise<Tokens> {
  const tokens = await signIn();
  const { session_id } = claimsOf(tokens);
  await database.sql.query('select public.open_admin_session($1, $2, 720, 120)', [ownerId, session_id]);
  return tokens;
}

function claimsOf({ access_token }: Tokens): Record<string, unknown> {
  return JSON.parse(Buffer.from(access_token.split('.')[1] ?? '', 'base64url').toString());
}

/** A request of a page, through the routes. */
function send(call: string, token?: string, body?: object): Promise<Response> {
  const [method = '', path = ''] = call.split(' ');
  return project.fetch(PROJECT_URL + path, {
    method,
    headers: {
      apikey: path.endsWith('=password') ? KEYS.secretKey : KEYS.publishableKey,
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
}
const readsOffers = async (tokens: Tokens) => {
  const { status } = await send('POST /rest/v1/rpc/offer_counts', tokens.access_token, {});
  return status;
};

/** Starts a clock, which the database reads too. @returns moves it */
function startClock({ mock }: TestContext): (ms: number) => void {
  mock.timers.enable({ apis: ['Date'], now: STARTED });
  return (ms) => mock.timers.tick(ms);
}

async function codeOf(response: Response): Promise<string> {
  assert.equal(response.headers.get('x-supabase-api-version'), '2024-01-01');
  const { code, message } = (await response.json()) as { code: string; message: string };
  assert.ok(message.length > 10);
  return `${response.status} ${code}`;
}

test('a sign-in returns what supabase-js stores, with six claims', async (context) => {
  startClock(context);
  const { access_token, refresh_token, ...rest } = (await signIn({
    ...OWNER,
    email: 'OWNER@example.com',
  })) as Tokens & Record<string, unknown>;
  assert.match(refresh_token, /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/);
  const { user, ...others } = rest as { user: Record<string, unknown> };
  assert.deepEqual(others, { token_type: 'bearer', expires_in: 600 });
  assert.match(String(user.created_at), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  assert.deepEqual(
    { ...user, created_at: '' },
    {
      id: ownerId,
      aud: 'authenticated',
      role: 'authenticated',
      email: OWNER.email,
      created_at: '',
      app_metadata: { provider: 'email', providers: ['email'] },
      user_metadata: {},
    },
  );
  const { session_id, ...claims } = claimsOf({ access_token, refresh_token });
  const iat = STARTED / 1_000;
  assert.deepEqual(claims, {
    sub: ownerId,
    aud: 'authenticated',
    role: 'authenticated',
    iat,
    exp: iat + 600,
  });
  const { rows } = await database.sql.query('select id from auth.sessions');
  assert.deepEqual(rows, [{ id: session_id }]);
  assert.deepEqual(await (await send('GET /auth/v1/user', access_token)).json(), user);
});

describe('a refresh', () => {
  test('returns a new token of the same session, and one that was never issued ends none', async () => {
    const first = await signIn();
    const second = await rotate(first);
    assert.notEqual(second.refresh_token, first.refresh_token);
    assert.equal(claimsOf(second).session_id, claimsOf(first).session_id);
    assert.equal(await codeOf(await refresh({ refresh_token: NEVER })), '400 refresh_token_not_found');
    await rotate(second);
  });

  test('of a token whose child is unused returns the child again, a year later too', async (context) => {
    const pass = startClock(context);
    const first = await signIn();
    const { refresh_token } = await rotate(first);
    pass(365 * DAY_MS);
    for (const _ of ['one', 'two']) assert.equal((await rotate(first)).refresh_token, refresh_token);
    await rotate({ ...first, refresh_token });
  });

  test('of a token whose child was used returns the present one within 10 s, and ends the session later', async (context) => {
    const pass = startClock(context);
    const first = await signInAdministrator();
    pass(600_000);
    const second = await rotate(first);
    pass(9_999);
    const third = await rotate(second);
    pass(1);
    assert.equal((await rotate(first)).refresh_token, third.refresh_token);
    assert.equal(await readsOffers(third), 200);
    pass(1);
    assert.equal(await codeOf(await refresh(first)), '400 refresh_token_already_used');
    assert.equal(await readsOffers(third), 401);
    for (const { refresh_token } of [first, second, third]) {
      assert.equal(await codeOf(await refresh({ refresh_token })), '400 refresh_token_not_found');
    }
  });

  test('of two tabs at once gives both the same token', async () => {
    const first = await signIn();
    const tabs = await Promise.all(Array.from({ length: 8 }, () => rotate(first)));
    assert.equal(new Set(tabs.map(({ refresh_token }) => refresh_token)).size, 1);
    const { rows } = await database.sql.query('select token from auth.refresh_tokens where not revoked');
    assert.deepEqual(rows, [{ token: tabs[0]?.refresh_token }]);
  });

  test('each hour of a week keeps one session', async (context) => {
    const pass = startClock(context);
    let tokens = await signInAdministrator();
    for (let hour = 0; hour < 7 * 24; hour += 1) {
      pass(DAY_MS / 24);
      tokens = await rotate(tokens);
      assert.equal(
        (await send('POST /rest/v1/rpc/extend_admin_session', tokens.access_token, {})).status,
        200,
      );
    }
    assert.equal(await readsOffers(tokens), 200);
    pass(600_000);
    assert.equal(await readsOffers(tokens), 401, 'with an access token that is over');
    const { rows } = await database.sql.query('select count(*)::integer as n from auth.sessions');
    assert.deepEqual(rows, [{ n: 1 }]);
  });
});

test('a token of another key, of another session, or after sign-out is rejected', async () => {
  const [tokens, other] = [await signInAdministrator(), await signIn(OTHER)];
  const claims = claimsOf(tokens);
  const reads = async (changed: object, secret = KEYS.jwtSecret) => {
    const token = hs256({ ...claims, ...changed }, secret);
    const offers = await readsOffers({ ...tokens, access_token: token });
    return [await codeOf(await send('GET /auth/v1/user', token)), offers];
  };
  assert.deepEqual(await reads({}, 'k'.repeat(48)), ['403 bad_jwt', 401]);
  assert.deepEqual(await reads({ session_id: claimsOf(other).session_id }), ['403 session_not_found', 401]);
  assert.deepEqual(await reads({ session_id: NEVER }), ['403 session_not_found', 401]);
  assert.deepEqual(await reads({ session_id: "'" }), ['403 bad_jwt', 401]);
  assert.deepEqual(await reads({ session_id: undefined }), ['403 bad_jwt', 401]);
  assert.deepEqual(await reads({ sub: claimsOf(other).sub }), ['403 session_not_found', 401]);
  const signOut = (token: string) => send('POST /auth/v1/logout?scope=local', token, {});
  const theirs = hs256({ ...claims, sub: claimsOf(other).sub }, KEYS.jwtSecret);
  assert.equal(await codeOf(await signOut(theirs)), '403 session_not_found');
  assert.equal(await readsOffers(tokens), 200);
  assert.equal((await signOut(tokens.access_token)).status, 204);
  assert.equal(await codeOf(await signOut(tokens.access_token)), '403 session_not_found');
  assert.deepEqual(await reads({}), ['403 session_not_found', 401]);
  assert.equal(await codeOf(await refresh(tokens)), '400 refresh_token_not_found');
  await rotate(other);
});

test('a forged token reads no account and ends no session', async () => {
  const tokens = await signInAdministrator();
  const claims = claimsOf(tokens);
  const forged = Object.values(forgedTokens(ownerId, tokens.access_token));
  const changed = [
    { exp: 1 },
    { exp: undefined },
    { exp: '9999999999' },
    { iat: claims.exp },
    { nbf: claims.exp },
  ];
  const others = [
    { role: 'service_role' },
    { aud: 'anon' },
    { aud: ['authenticated'] },
    { sub: [ownerId] },
    { sub: '' },
  ];
  const signed = [...changed, ...others].map((one) => hs256({ ...claims, ...one }, KEYS.jwtSecret));
  const unsigned = ['none', 'HS512', ['HS256']].map((alg) => hs256(claims, KEYS.jwtSecret, { alg }));
  for (const token of [...forged, ...signed, ...unsigned, '']) {
    assert.equal(await codeOf(await send('GET /auth/v1/user', token)), '403 bad_jwt', token);
    assert.equal(
      await codeOf(await send('POST /auth/v1/logout?scope=local', token, {})),
      '403 bad_jwt',
      token,
    );
  }
  assert.equal(await readsOffers(tokens), 200);
});

test('no role of the data API has a right to the tables and functions of sign-in', async () => {
  const { rows } = await database.sql.query(
    `with roles as (select unnest(array['anon', 'authenticated', 'service_role']) as role),
       schemas as (select oid, nspname from pg_namespace where nspname in ('auth', 'embedded'))
     select role, nspname as name from roles, schemas where has_schema_privilege(role, oid, 'usage, create')
     union all
     select role, c.oid::regclass::text from roles, schemas s join pg_class c on c.relnamespace = s.oid
     where c.relkind = 'r' and (has_any_column_privilege(role, c.oid, 'select, insert, update, references')
       or has_table_privilege(role, c.oid, 'delete, truncate, trigger'))
     union all
     select role, p.oid::regprocedure::text from roles, schemas s join pg_proc p on p.pronamespace = s.oid
     where nspname = 'embedded' and has_function_privilege(role, p.oid, 'execute')`,
  );
  assert.deepEqual(rows, []);
});

test('a new password ends the sessions, and a lost role those that count', async () => {
  const changePassword = (password: string) =>
    project.fetch(`${PROJECT_URL}/auth/v1/admin/users/${ownerId}`, {
      method: 'PUT',
      headers: { apikey: KEYS.secretKey },
      body: JSON.stringify({ password }),
    });
  const former = await signInAdministrator();
  assert.equal((await changePassword('another horse battery')).status, 200);
  assert.equal(await codeOf(await refresh(former)), '400 refresh_token_not_found');
  assert.equal(await readsOffers(former), 401);
  assert.equal(
    await codeOf(await callAuth(database, 'token?grant_type=password', OWNER)),
    '400 invalid_credentials',
  );
  await changePassword(OWNER.password);

  const { rows } = await database.sql.query<{ id: string }>('select id from auth.users where email = $1', [
    OTHER.email,
  ]);
  await database.sql.query('insert into private.admins (user_id) values ($1)', [rows[0]?.id]);
  const tokens = await signInAdministrator();
  assert.equal(await readsOffers(tokens), 200);
  await database.sql.query('select public.revoke_administrator($1)', [ownerId]);
  assert.equal(await readsOffers(await rotate(tokens)), 401);
  await database.sql.query('insert into private.admins (user_id) values ($1)', [ownerId]);
});

test('a password that is changed while it is compared opens no session', async (context) => {
  const { query } = database.sql;
  context.mock.method(database.sql, 'query', async (...args: Parameters<typeof query>) => {
    if (args[0].includes('open_session')) {
      await query.call(
        database.sql,
        `update auth.users set encrypted_password = encrypted_password || ' ' where id = $1`,
        [ownerId],
      );
    }
    return await query.apply(database.sql, args);
  });
  const response = await callAuth(database, 'token?grant_type=password', OWNER);
  context.mock.restoreAll();
  await database.sql.query(
    'update auth.users set encrypted_password = trim(encrypted_password) where id = $1',
    [ownerId],
  );
  assert.equal(await codeOf(response), '400 invalid_credentials');
  assert.deepEqual((await database.sql.query('select 1 from auth.sessions')).rows, []);
});

describe('trouble of the database', () => {
  const requests = async (): Promise<[call: string, token: string | undefined, body?: object][]> => {
    const tokens = await signIn();
    return [
      ['POST /auth/v1/token?grant_type=password', undefined, OWNER],
      ['POST /auth/v1/token?grant_type=refresh_token', undefined, tokens],
      ['GET /auth/v1/user', tokens.access_token],
      ['POST /auth/v1/logout?scope=local', tokens.access_token, {}],
    ];
  };
  const failWith = (code: string) => () =>
    Promise.reject(Object.assign(new Error('failed'), { code, severity: 'ERROR' }));
  const TROUBLE: Record<string, () => Promise<unknown>> = {
    'a lock that is not available': failWith('55P03'),
    'a deadlock': failWith('40P01'),
    'a statement that was canceled': failWith('57014'),
    'a full disk': failWith('53100'),
    'a check that rejects a row': failWith('23514'),
    'a closed connection': () => Promise.reject(new Error('PGlite is closed')),
    'no row (out of step)': async () => ({ rows: [] }),
    'the row of another statement (out of step)': async () => ({
      rows: [{ asked: 'another', problem: null }],
    }),
  };
  for (const [name, fail] of Object.entries(TROUBLE)) {
    test(`${name}: 503, and the same request succeeds afterwards`, async (context) => {
      for (const request of await requests()) {
        context.mock.method(database.sql, 'query', fail);
        const { status } = await send(...request);
        context.mock.restoreAll();
        assert.equal(status, 503, request[0]);
        assert.ok((await send(...request)).ok, request[0]);
      }
    });
  }
});

test('supabase-js keeps its session in trouble, renews it later, and signs out with a token that has ended', async (context) => {
  const pass = startClock(context);
  const tokens = await signInAdministrator();
  const events: string[] = [];
  const stored = new Map([['session', JSON.stringify({ ...tokens, expires_at: STARTED / 1_000 + 600 })]]);
  let isInTrouble = true;
  const { auth } = createClient(PROJECT_URL, KEYS.publishableKey, {
    auth: {
      autoRefreshToken: false,
      storageKey: 'session',
      storage: {
        getItem: (key) => stored.get(key) ?? null,
        setItem: (key, value) => void stored.set(key, value),
        removeItem: (key) => void stored.delete(key),
      },
    },
    global: {
      fetch: async (input, init) => {
        const query = context.mock.method(database.sql, 'query');
        if (isInTrouble) query.mock.mockImplementation((async () => ({ rows: [] })) as never);
        const response = await project.fetch(input, init);
        query.mock.restore();
        // No further try of this call.
        if (isInTrouble) pass(60_000);
        return response;
      },
    },
  });
  auth.onAuthStateChange((event) => void events.push(event));
  pass(601_000);
  const { error } = await auth.getSession();
  assert.equal(error?.name, 'AuthRetryableFetchError');
  assert.ok(stored.has('session'));
  isInTrouble = false;
  pass(DAY_MS / 24);
  const { data } = await auth.getSession();
  assert.equal(data.session?.user.email, OWNER.email);
  assert.ok(!events.includes('SIGNED_OUT'), events.join());
  await database.sql.exec('delete from auth.sessions');
  pass(DAY_MS / 24);
  const ended = await auth.getSession();
  assert.deepEqual([ended.error?.code, stored.size], ['refresh_token_not_found', 0]);
});

test('bodies of wrong types, with NUL or lone surrogates, and of 64 KB are rejected with a reason', async () => {
  const long = 'x'.repeat(64 * 1024);
  const odd = ['\0', 'a\0', '\ud800', '\udfff@example.com', long, `${long}@example.com`];
  const bodiesOf = (text: string) => [
    JSON.stringify({ email: text, password: OWNER.password }),
    JSON.stringify({ email: OWNER.email, password: text }),
    JSON.stringify({ refresh_token: text }),
    JSON.stringify({ refresh_token: [text] }),
  ];
  const bodies = [
    '',
    '{',
    '[]',
    'null',
    '1',
    `"${long}"`,
    '{"email":1,"password":"x"}',
    '{"email":"a","password":["x"]}',
  ];
  // Most of them without the time of a comparison.
  const serveAuth = await openAuthServer(database.sql, KEYS.jwtSecret, async () => false);
  for (const [server, sent] of [
    [{ serveAuth }, [...bodies, ...HOSTILE_TEXTS.flatMap(bodiesOf)]],
    [database, odd.flatMap(bodiesOf)],
  ] as const) {
    for (const body of sent) {
      for (const grant of ['password', 'refresh_token']) {
        const code = await codeOf(await callAuth(server, `token?grant_type=${grant}`, body));
        assert.match(
          code,
          /^400 (?:validation_failed|invalid_credentials|refresh_token_not_found)$/,
          body.slice(0, 80),
        );
      }
    }
  }
  assert.deepEqual((await database.sql.query('select 1 from auth.sessions')).rows, []);
});

test('a password costs the same for a known email, an unknown one, and an account without a password', async () => {
  await database.sql.exec(
    `insert into auth.users (id, email, encrypted_password) values
       (gen_random_uuid(), 'none@example.com', null), (gen_random_uuid(), 'empty@example.com', '')`,
  );
  /** Processor time of this process, in microseconds: the least of some, since it collects garbage too. */
  const costOf = async (email: string) => {
    const costs: number[] = [];
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const begin = process.cpuUsage();
      const response = await callAuth(database, 'token?grant_type=password', { email, password: 'wrong' });
      const { user, system } = process.cpuUsage(begin);
      assert.equal(await codeOf(response), '400 invalid_credentials');
      costs.push(user + system);
    }
    return Math.min(...costs);
  };
  const known = await costOf(OWNER.email);
  for (const email of ['unknown@example.com', 'none@example.com', 'empty@example.com']) {
    const cost = await costOf(email);
    assert.ok(cost > known * 0.7 && cost < known * 1.4, `${cost} µs against ${known} µs`);
  }
});
