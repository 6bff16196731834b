import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { KEYS, makeAdministrator, openBooted } from './booted-database.fixture.ts';
import { handleRequest } from './database-routes.ts';
import type { OpenDatabase } from './open-database.ts';
import { PUTS_OUT_OF_STEP } from './out-of-step.fixture.ts';
import { proveIdentity } from './prove-identity.ts';
import { assertRightResults } from './self-check.ts';

const GATEWAY_KEY = 'key of the gateway';
const ORIGIN = 'http://127.0.0.1:54321';
const OWNER = { email: 'owner@example.com', password: 'correct horse battery' };

let database: OpenDatabase;
before(async () => {
  database = await openBooted();
  await makeAdministrator(database, OWNER);
});
after(() => database.close());

const FUNCTIONS = { apikey: KEYS.secretKey };
const GATEWAY = { apikey: KEYS.publishableKey, 'x-gateway-key': GATEWAY_KEY };

/** `call` is a method and a path; a body is sent as it is when it is a string, otherwise as JSON. */
function send(call: string, headers: Record<string, string>, body?: object | string): Promise<Response> {
  const [method = '', path = ''] = call.split(' ');
  const open = { dataDir: '', database, duringMaintenance: <R>(work: () => Promise<R>) => work() };
  return handleRequest(
    new Request(`http://127.0.0.1${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }),
    { keys: KEYS, gatewayKey: GATEWAY_KEY, origin: ORIGIN, open },
  );
}

async function signIn(): Promise<{ access_token: string; refresh_token: string; expires_in: number }> {
  const response = await send('POST /auth/v1/token?grant_type=password', FUNCTIONS, OWNER);
  assert.equal(response.status, 200);
  return (await response.json()) as Awaited<ReturnType<typeof signIn>>;
}

const ROUTES = [
  'GET /control/ping',
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

test('every route without a right key returns 404', async () => {
  for (const headers of [
    {},
    { apikey: KEYS.publishableKey },
    { apikey: 'wrong', 'x-gateway-key': 'wrong' },
    { authorization: `Bearer ${KEYS.secretKey}` },
    { 'x-gateway-key': KEYS.secretKey },
  ]) {
    for (const call of ROUTES) {
      const body = call.startsWith('POST') ? {} : undefined;
      assert.equal((await send(call, headers, body)).status, 404, `${call} ${JSON.stringify(headers)}`);
    }
  }
});

test('control calls accept the secret key alone, not the gateway’s', async () => {
  assert.equal((await send('GET /control/check', FUNCTIONS)).status, 204);
  for (const call of ROUTES.filter((one) => one.includes('/control/'))) {
    const body = call.startsWith('POST') ? OWNER.email : undefined;
    assert.equal((await send(call, GATEWAY, body)).status, 404, call);
    assert.equal((await send(call, { ...GATEWAY, ...FUNCTIONS }, body)).status, 401, call);
  }
});

test('the secret key is rejected together with the gateway’s key, in every header that lite reads', async () => {
  for (const headers of [
    FUNCTIONS,
    { authorization: `Bearer ${KEYS.secretKey}` },
    { authorization: `bearer  ${KEYS.secretKey} ` },
  ]) {
    const response = await send('GET /rest/v1/offers', { ...GATEWAY, ...headers });
    assert.equal(response.status, 401, JSON.stringify(headers));
  }
  for (const name of ['apikey', 'api%6bey', 'ApiKey', '%61pikey']) {
    const response = await send(`GET /rest/v1/offers?${name}=${KEYS.secretKey}&x=%&y=%ff`, GATEWAY);
    assert.equal(response.status, 401, name);
  }
});

test('the secret key opens service calls, sign-in, sign-out and accounts, and nothing else', async () => {
  assert.equal((await send('POST /rest/v1/rpc/remove_expired', FUNCTIONS, {})).status, 200);
  assert.equal((await send('GET /auth/v1/admin/users', FUNCTIONS)).status, 200);
  const { access_token } = await signIn();
  const bearer = { ...FUNCTIONS, authorization: `Bearer ${access_token}` };
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
    assert.equal((await send(call, FUNCTIONS, body)).status, 404, call);
  }
});

test('a challenge without a key gets a proof for this origin, and nothing else', async () => {
  const challenge = randomBytes(32).toString('base64url');
  const response = await send(`GET /control/ping?challenge=${challenge}`, {});
  assert.equal(response.status, 200);
  const proof = await response.text();
  assert.equal(proof, proveIdentity(KEYS.secretKey, ORIGIN, challenge));
  assert.notEqual(proof, proveIdentity(KEYS.secretKey, 'http://127.0.0.1:54322', challenge));
  assert.notEqual(proof, proveIdentity('sb_secret_other', ORIGIN, challenge));
  for (const call of [
    'GET /control/ping?challenge=',
    `GET /control/ping?challenge=${challenge}x`,
    `POST /control/ping?challenge=${challenge}`,
    `GET /control/backup?challenge=${challenge}`,
  ]) {
    assert.equal((await send(call, {}, call.startsWith('POST') ? {} : undefined)).status, 404, call);
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
    assert.equal((await send(path, FUNCTIONS, body)).status, 400, JSON.stringify(body));
  }
});

test('an access token is valid for ten minutes', async () => {
  assert.equal((await signIn()).expires_in, 600);
});

test('requests of the gateway reach lite without the gateway’s key', async (t) => {
  const fetch = t.mock.method(database, 'fetch');
  const body = { refresh_token: (await signIn()).refresh_token };
  const response = await send('POST /auth/v1/token?grant_type=refresh_token', GATEWAY, body);
  assert.equal(response.status, 200);
  const [request] = fetch.mock.calls.at(-1)?.arguments ?? [];
  assert.equal(request?.headers.get('x-gateway-key'), null);
  assert.equal(request?.headers.get('apikey'), KEYS.publishableKey);
});

test('errors name no function, column or table in hints and details', async () => {
  const calls: [string, string?][] = [
    ['POST /rest/v1/rpc/offer_page', '{}'],
    ['POST /rest/v1/rpc/submit_offer', '{}'],
    ['GET /rest/v1/offer'],
    ['GET /rest/v1/offers?select=nothing'],
    ['GET /rest/v1/offers'],
  ];
  const { access_token } = await signIn();
  for (const [call, body] of calls) {
    const response = await send(call, { ...GATEWAY, authorization: `Bearer ${access_token}` }, body);
    const error = (await response.json()) as object;
    if (response.ok) continue;
    assert.deepEqual(Object.keys(error).sort(), ['code', 'message'], `${call}: ${JSON.stringify(error)}`);
  }
});

test('a CSV of 34,000 lines is rejected, and later results are right', async () => {
  const csv = `domain_name\n${'x\n'.repeat(34_000)}`;
  const headers = { apikey: KEYS.publishableKey, 'content-type': 'text/csv' };
  const rejected = await database.fetch(
    new Request('http://embedded/rest/v1/offers', { method: 'POST', headers, body: csv }),
  );
  assert.equal(rejected.status, 413);
  await assertRightResults(database.sql);
});

test('a body that is longer than any call needs is rejected, through the gateway from 64 KB on', async () => {
  const statusOf = async (headers: Record<string, string>, length: number) =>
    (await send('POST /rest/v1/rpc/begin_sign_in', { ...headers, 'content-length': String(length) }, {}))
      .status;
  assert.equal(await statusOf(FUNCTIONS, 16 * 1024 * 1024 + 1), 413);
  assert.notEqual(await statusOf(FUNCTIONS, 16 * 1024 * 1024), 413);
  assert.equal(await statusOf(GATEWAY, 65_537), 413);
  assert.notEqual(await statusOf(GATEWAY, 65_536), 413);
});

test('the gateway reaches no account, also not with an administrator’s token', async () => {
  const { access_token } = await signIn();
  const headers = { ...GATEWAY, authorization: `Bearer ${access_token}` };
  for (const call of ['GET /auth/v1/admin/users', 'POST /auth/v1/admin/users']) {
    const body = call.startsWith('POST') ? OWNER : undefined;
    assert.ok((await send(call, headers, body)).status >= 400, call);
  }
});

test('long calls are announced, and none is made while the database returns wrong results', async () => {
  let announced = 0;
  const call = async (name: string, body: object) => {
    const open = {
      dataDir: '',
      database,
      duringMaintenance: <R>(work: () => Promise<R>) => {
        announced += 1;
        return work();
      },
    };
    const request = new Request(`${ORIGIN}/rest/v1/rpc/${name}`, {
      method: 'POST',
      headers: FUNCTIONS,
      body: JSON.stringify(body),
    });
    return await handleRequest(request, { keys: KEYS, gatewayKey: GATEWAY_KEY, origin: ORIGIN, open });
  };
  assert.equal((await call('remove_expired', {})).status, 200);
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
    assert.equal((await send('GET /control/backup', FUNCTIONS)).status, 503);
  } finally {
    database = right;
    await outOfStep.close();
  }
  assert.equal(announced, 4);
});

test('a backup is announced until the last of it was read, or its reader is gone', async () => {
  let atWork = 0;
  const open = {
    dataDir: '',
    database,
    duringMaintenance: async <R>(work: () => Promise<R>) => {
      atWork += 1;
      return await work().finally(() => {
        atWork -= 1;
      });
    },
  };
  const readBackup = async () => {
    const request = new Request(`${ORIGIN}/control/backup`, { headers: FUNCTIONS });
    return await handleRequest(request, { keys: KEYS, gatewayKey: GATEWAY_KEY, origin: ORIGIN, open });
  };
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

test('a request with a key gets 503 until the database is open', async () => {
  const context = { keys: KEYS, gatewayKey: GATEWAY_KEY, origin: ORIGIN, open: undefined };
  const url = `http://127.0.0.1/control/ping?challenge=${'c'.repeat(43)}`;
  const statusWith = async (headers: Record<string, string>) =>
    (await handleRequest(new Request(url, { headers }), context)).status;
  assert.equal(await statusWith(FUNCTIONS), 503);
  assert.equal(await statusWith(GATEWAY), 503);
  assert.equal(await statusWith({}), 404);
});
