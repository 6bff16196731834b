import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ensureAdministrator } from '../administrator.ts';
import { KEYS, openBooted } from '../booted-database.fixture.ts';
import type { OpenDatabase } from '../open-database.ts';
import { withEvenTries } from './constant-time-sign-in.ts';

const OWNER = { email: 'owner@example.com', password: 'correct horse battery' };

let database: OpenDatabase;
before(async () => {
  database = await openBooted();
  await ensureAdministrator(database, KEYS, OWNER.email, OWNER.password);
});
after(() => database.close());

test('an account that is not there costs the hash of one that is, and its password opens nothing', async () => {
  const unknown = { ...OWNER, email: 'nobody@example.com' };
  const { email, password } = await reachesLite(unknown);
  assert.equal(email, OWNER.email);
  assert.ok(password !== OWNER.password && password.length > 32);
  assert.notEqual((await reachesLite(unknown)).password, password, 'nobody knows it the next time');
  assert.equal((await tryPassword(unknown)).status, 400);
});

test('that is what lite is asked, and both are refused alike', async (t) => {
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

test('an account that is there is tried as it was asked for, in any letter case', async () => {
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

/** What lite would be asked. */
async function reachesLite(credentials: typeof OWNER): Promise<typeof OWNER> {
  const echo = withEvenTries(database.sql, async (request) => new Response(await request.text()));
  return (await (await echo(requestOf(credentials))).json()) as typeof OWNER;
}
