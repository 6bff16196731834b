import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { KEYS, makeAdministrator, openBooted } from '../booted-database.fixture.ts';
import type { OpenDatabase } from '../open-database.ts';
import { withConstantTimeSignIn } from './constant-time-sign-in.ts';

const OWNER = { email: 'owner@example.com', password: 'correct horse battery' };

let database: OpenDatabase;
before(async () => {
  database = await openBooted();
  await makeAdministrator(database, OWNER);
});
after(() => database.close());

test('a sign-in with an unknown email reaches lite with a known email and a random password', async () => {
  const unknown = { ...OWNER, email: 'nobody@example.com' };
  const { email, password } = await reachesLite(unknown);
  assert.equal(email, OWNER.email);
  assert.ok(password !== OWNER.password && password.length > 32);
  assert.notEqual((await reachesLite(unknown)).password, password, 'another one each time');
  assert.equal((await tryPassword(unknown)).status, 400);
});

test('sign-ins with an unknown email and with a wrong password get the same response', async (t) => {
  const query = t.mock.method(database.sql, 'query');
  await tryPassword({ ...OWNER, email: 'nobody@example.com' });
  assert.deepEqual(query.mock.calls.at(-1)?.arguments[1], [OWNER.email]);
  const [wrong, unknown] = await Promise.all([
    tryPassword({ ...OWNER, password: 'not the password' }),
    tryPassword({ ...OWNER, email: 'nobody@example.com' }),
  ]);
  assert.equal(wrong.status, 400);
  assert.equal(unknown.status, 400);
  assert.equal(await unknown.text(), await wrong.text());
});

test('a sign-in with a known email, in any letter case, reaches lite as it was sent', async () => {
  for (const email of [OWNER.email, 'Owner@Example.com']) {
    assert.deepEqual(await reachesLite({ ...OWNER, email }), { ...OWNER, email });
    assert.equal((await tryPassword({ ...OWNER, email })).status, 200);
  }
});

function requestOf(credentials: typeof OWNER): Request {
  return new Request('http://embedded/auth/v1/token?grant_type=password', {
    method: 'POST',
    headers: { apikey: KEYS.secretKey, 'content-type': 'application/json' },
    body: JSON.stringify(credentials),
  });
}

function tryPassword(credentials: typeof OWNER): Promise<Response> {
  return database.fetch(requestOf(credentials));
}

/** The credentials that lite would receive. */
async function reachesLite(credentials: typeof OWNER): Promise<typeof OWNER> {
  const echo = withConstantTimeSignIn(database.sql, async (request) => new Response(await request.text()));
  return (await (await echo(requestOf(credentials))).json()) as typeof OWNER;
}
