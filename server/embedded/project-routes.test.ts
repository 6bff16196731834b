import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CALLS, type Call } from '#contract/calls.ts';
import { EXPECTED_ACCESS } from '../../commands/hosted/outside-check/expected-access.ts';
import { forgedTokens, hs256 } from '../../tests/abuse/forged-tokens.ts';
import { KEYS, makeAdministrator, openBooted } from './booted-database.fixture.ts';
import type { OpenDatabase } from './open-database.ts';
import { PUTS_OUT_OF_STEP } from './out-of-step.fixture.ts';
import { type DuringMaintenance, PROJECT_URL } from './project-options.ts';
import { serveProject } from './serve-project.ts';

const OWNER = { email: 'owner@example.com', password: 'correct horse battery' };

let database: OpenDatabase;
before(async () => {
  database = await openBooted();
  await makeAdministrator(database, OWNER);
});
after(() => database.close());

const SERVICE = { apikey: KEYS.secretKey };
const PUBLIC = { apikey: KEYS.publishableKey };

/** `call` is a method and a path; a body is sent as it is when it is a string, otherwise as JSON. */
function send(call: string, headers: Record<string, string>, body?: object | string): Promise<Response> {
  const [method = '', path = ''] = call.split(' ');
  const { fetch } = serveProject(database, KEYS, { dataDir: '' });
  return fetch(PROJECT_URL + path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
}

async function signIn(): Promise<{ access_token: string; refresh_token: string; expires_in: number }> {
  const response = await send('POST /auth/v1/token?grant_type=password', SERVICE, OWNER);
  assert.equal(response.status, 200);
  return (await response.json()) as Awaited<ReturnType<typeof signIn>>;
}

const ROUTES = [
  'GET /control/check',
  'GET /control/backup',
  'POST /control/judge-password',
  'GET /auth/v1/admin/users',
  'POST /auth/v1/admin/users',
  'GET /rest/v1/offers',
  'POST /rest/v1/rpc/remove_expired',
  'POST /auth/v1/token?grant_type=password',
  'GET /',
];

test('every route of the database without a right key returns 401', async () => {
  for (const headers of [
    {},
    { apikey: 'wrong' },
    { authorization: `Bearer ${KEYS.secretKey}` },
    { authorization: `Bearer ${KEYS.publishableKey}` },
  ]) {
    for (const call of ROUTES) {
      const body = call.startsWith('POST') ? {} : undefined;
      assert.equal((await send(call, headers, body)).status, 401, `${call} ${JSON.stringify(headers)}`);
    }
  }
});

test('control calls need the secret key', async () => {
  assert.equal((await send('GET /control/check', SERVICE)).status, 204);
  for (const call of ROUTES.filter((one) => one.includes('/control/'))) {
    const body = call.startsWith('POST') ? OWNER.email : undefined;
    assert.ok((await send(call, PUBLIC, body)).status >= 400, call);
  }
});

test('a function has its own keys, and one that is not there is 404', async () => {
  assert.equal((await send('POST /functions/v1/deliver', SERVICE, {})).status, 200);
  assert.equal((await send('POST /functions/v1/deliver', PUBLIC, {})).status, 401);
  assert.equal((await send('POST /functions/v1/order-submit', PUBLIC, {})).status, 400);
  assert.equal((await send('POST /functions/v1/toString', SERVICE, {})).status, 404);
});

test('the secret key opens service calls, sign-in, sign-out and accounts, and nothing else', async () => {
  assert.equal((await send('POST /rest/v1/rpc/remove_expired', SERVICE, {})).status, 204);
  assert.equal((await send('GET /auth/v1/admin/users', SERVICE)).status, 200);
  const { access_token } = await signIn();
  const bearer = { ...SERVICE, authorization: `Bearer ${access_token}` };
  assert.equal((await send('POST /auth/v1/logout?scope=local', bearer)).status, 204);
  for (const call of [
    'GET /rest/v1/offers',
    'GET /rest/v1/rpc/remove_expired',
    'POST /rest/v1/offers',
    'POST /rest/v1/rpc/offer_pages',
    'POST /rest/v1/rpc/',
    'POST /auth/v1/token?grant_type=refresh_token',
    'POST /auth/v1/token?grant%5Ftype=password',
    'POST /auth/v1/token?grant_type=password&grant_type=refresh_token',
    'POST /auth/v1/otp',
    'POST /auth/v1/signup',
    'GET /auth/v1/user',
    'DELETE /auth/v1/admin/users/00000000-0000-4000-8000-000000000000',
    'POST /auth/v1/admin/generate_link',
    'GET /',
  ]) {
    const body = call.startsWith('POST') ? { email: 'x@example.com', create_user: true } : undefined;
    assert.equal((await send(call, SERVICE, body)).status, 404, call);
  }
});

test('a sign-in needs two strings without NUL', async () => {
  const path = 'POST /auth/v1/token?grant_type=password';
  for (const body of [
    '',
    '[]',
    'null',
    { email: OWNER.email },
    { ...OWNER, email: 'a\0' },
    { ...OWNER, password: 1 },
  ]) {
    assert.equal((await send(path, SERVICE, body)).status, 400, JSON.stringify(body));
  }
});

test('an access token is valid for ten minutes', async () => {
  assert.equal((await signIn()).expires_in, 600);
});

test('the public key opens three calls of auth and the calls of administrators, and no other route', async () => {
  const { access_token } = await signIn();
  const headers = { ...PUBLIC, authorization: `Bearer ${access_token}` };
  assert.equal((await send('GET /auth/v1/user', headers)).status, 200);
  assert.equal((await send('GET /rest/v1/offers', headers)).status, 200);
  for (const call of [
    'GET /rest/v1/',
    'GET /rest/v1/offer',
    'POST /rest/v1/offers',
    'DELETE /rest/v1/offers',
    'POST /rest/v1/rpc/submit_offer',
    'POST /rest/v1/rpc/negotiate_as_owner',
    'GET /rest/v1/rpc/offer_counts',
    'POST /rest/v1/rpc/offer_counts?select=held',
    'POST /auth/v1/token?grant_type=password',
    'POST /auth/v1/token?grant_type=refresh_token&grant_type=password',
    'POST /auth/v1/logout',
    'POST /auth/v1/signup',
    'POST /auth/v1/otp',
    'PUT /auth/v1/user',
    'GET /auth/v1/settings',
    'GET /storage/v1/bucket',
  ]) {
    const body = call.startsWith('GET') ? undefined : {};
    assert.equal((await send(call, headers, body)).status, 404, call);
  }
});

test('a call of the secret key does not exist for the public one, before any right is looked at', async (t) => {
  const { access_token } = await signIn();
  const query = t.mock.method(database.sql, 'query');
  for (const [name, { who, byFunction, sample }] of Object.entries<Call>(CALLS)) {
    if (who !== 'service' && !byFunction) continue;
    for (const headers of [PUBLIC, { ...PUBLIC, authorization: `Bearer ${access_token}` }]) {
      const { status } = await send(`POST /rest/v1/rpc/${name}`, headers, sample as object);
      assert.equal(status, 404, name);
    }
  }
  assert.equal(query.mock.callCount(), 0);
});

test('a token that is not genuine, or has expired, gets 401 from every call, with either key', async () => {
  const { access_token } = await signIn();
  const claims = JSON.parse(Buffer.from(access_token.split('.')[1] ?? '', 'base64url').toString());
  for (const token of [
    ...Object.values(forgedTokens(claims.sub, access_token)),
    hs256({ ...claims, exp: 1 }, KEYS.jwtSecret),
    hs256({ ...claims, exp: undefined }, KEYS.jwtSecret),
    hs256({ ...claims, nbf: claims.exp }, KEYS.jwtSecret),
    hs256({ ...claims, iat: claims.exp }, KEYS.jwtSecret),
    ...['service_role', 'postgres', 'anon'].map((role) => hs256({ ...claims, role }, KEYS.jwtSecret)),
  ]) {
    for (const [key, call] of [
      [PUBLIC, 'GET /rest/v1/offers'],
      [PUBLIC, 'POST /rest/v1/rpc/offer_counts'],
      [SERVICE, 'POST /rest/v1/rpc/negotiate_as_owner'],
    ] as const) {
      const body = call.startsWith('POST') ? {} : undefined;
      const response = await send(call, { ...key, authorization: `Bearer ${token}` }, body);
      assert.equal(response.status, 401, `${call} ${token}`);
    }
  }
});

test('the calls of auth that are open leave the grants as they are, and begin no transaction of their own', async (t) => {
  const query = t.mock.method(database.sql, 'query');
  const { access_token, refresh_token } = await signIn();
  const headers = { ...PUBLIC, authorization: `Bearer ${access_token}` };
  assert.equal((await send('GET /auth/v1/user', headers)).status, 200);
  assert.equal(
    (await send('POST /auth/v1/token?grant_type=refresh_token', PUBLIC, { refresh_token })).status,
    200,
  );
  assert.equal((await send('POST /auth/v1/logout?scope=local', headers)).status, 204);
  const statements = query.mock.calls.map(({ arguments: [text] }) => text);
  assert.equal(statements.length, 5);
  assert.deepEqual(
    statements.filter((text) => /^\s*(?:begin|commit|start)/i.test(text)),
    [],
  );
  const { rows } = await database.sql.query('select public.read_access() as lines');
  assert.deepEqual(rows, [{ lines: EXPECTED_ACCESS }]);
});

test('with the public key no account is reached, also not with an administrator’s token', async () => {
  const { access_token } = await signIn();
  const headers = { ...PUBLIC, authorization: `Bearer ${access_token}` };
  for (const call of ['GET /auth/v1/admin/users', 'POST /auth/v1/admin/users']) {
    const body = call.startsWith('POST') ? OWNER : undefined;
    assert.ok((await send(call, headers, body)).status >= 400, call);
  }
});

test('long calls are announced, and none is made while the database returns wrong results', async () => {
  let announced = 0;
  const duringMaintenance: DuringMaintenance = (work) => {
    announced += 1;
    return work();
  };
  const call = async (name: string, body: object) => {
    const { fetch } = serveProject(database, KEYS, { dataDir: '', duringMaintenance });
    const request = { method: 'POST', headers: SERVICE, body: JSON.stringify(body) };
    return await fetch(`${PROJECT_URL}/rest/v1/rpc/${name}`, request);
  };
  assert.equal((await call('remove_expired', {})).status, 204);
  assert.equal(announced, 0);
  const outOfStep = await openBooted();
  await outOfStep.sql.query('select $1::text', [PUTS_OUT_OF_STEP]);
  const right = database;
  database = outOfStep;
  try {
    for (const [name, body] of Object.entries({
      count_offers: {},
      export_offers: { page_size: 1 },
      erase_customer: { email: 'ada@example.com' },
      read_rows: { kind: 'offers' },
    })) {
      const response = await call(name, body);
      assert.equal(response.status, 503, name);
      assert.match(await response.text(), /a statement returned a wrong result/, name);
    }
    assert.equal((await send('GET /control/backup', SERVICE)).status, 503);
  } finally {
    database = right;
    await outOfStep.close();
  }
  assert.equal(announced, 4);
});

test('calls of the database that succeed are signs of life, and nothing else is', async () => {
  const { access_token } = await signIn();
  let signs = 0;
  const onResult = () => {
    signs += 1;
  };
  const { fetch } = serveProject(database, KEYS, { dataDir: '', onResult, print: () => {} });
  const call = async (path: string, headers: Record<string, string>, body?: object) => {
    signs = 0;
    const json = body && { method: 'POST', body: JSON.stringify(body) };
    await fetch(PROJECT_URL + path, { headers: { 'content-type': 'application/json', ...headers }, ...json });
    return signs;
  };
  const session = { ...PUBLIC, authorization: `Bearer ${access_token}` };
  assert.equal(await call('/rest/v1/rpc/remove_expired', SERVICE, {}), 1);
  assert.equal(await call('/rest/v1/offers', session), 1);
  assert.equal(await call('/rest/v1/rpc/remove_expired', SERVICE, { unknown: 1 }), 0);
  assert.equal(await call('/rest/v1/offers', PUBLIC), 0);
  assert.equal(await call('/functions/v1/bot-check?show=provider', PUBLIC), 0);
  assert.equal(await call('/control/check', SERVICE), 0);
});

test('a backup is announced until the last of it was read, or its reader is gone', async () => {
  let atWork = 0;
  const duringMaintenance: DuringMaintenance = async (work) => {
    atWork += 1;
    return await work().finally(() => {
      atWork -= 1;
    });
  };
  const { fetch } = serveProject(database, KEYS, { dataDir: '', duringMaintenance });
  const readBackup = () => fetch(`${PROJECT_URL}/control/backup`, { headers: SERVICE });
  const response = await readBackup();
  assert.equal(atWork, 1);
  assert.ok((await response.blob()).size > 1_000_000);
  await nextTurn();
  assert.equal(atWork, 0);
  const { body } = await readBackup();
  assert.equal(atWork, 1);
  await body?.cancel();
  await nextTurn();
  assert.equal(atWork, 0);
});

test('the self-check reports wrong results by the code of an error or by its own message', async (t) => {
  const failures: unknown[] = [];
  const { fetch } = serveProject(database, KEYS, {
    dataDir: '',
    onFailure: (event, details) => failures.push([event, details]),
  });
  const check = async () => (await fetch(`${PROJECT_URL}/control/check`, { headers: SERVICE })).status;
  assert.equal(await check(), 204);
  assert.deepEqual(failures, []);
  const query = t.mock.method(database.sql, 'query');
  query.mock.mockImplementation(() =>
    Promise.reject(Object.assign(new Error('ada@example.com'), { code: '25P02' })),
  );
  assert.equal(await check(), 503);
  query.mock.mockImplementation((async () => ({ rows: [], fields: [] })) as typeof database.sql.query);
  assert.equal(await check(), 503);
  assert.deepEqual(failures, [
    ['database_out_of_step', { reason: '25P02' }],
    ['database_out_of_step', { reason: 'a statement returned a wrong result' }],
  ]);
});

test('a project waits at its end for what a function still does, and gives a call up at its signal', async () => {
  const signal = AbortSignal.abort(new Error('enough'));
  const project = serveProject(database, KEYS, { dataDir: '' });
  await assert.rejects(project.fetch(`${PROJECT_URL}/control/check`, { headers: SERVICE, signal }), /enough/);
  await project.settled();
});
