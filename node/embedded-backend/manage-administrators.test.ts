import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { ensureAdministrator } from './administrator.ts';
import { KEYS, openBooted } from './booted-database.fixture.ts';
import {
  addAdministrator,
  readAdministrators,
  removeAdministrator,
  renewPassword,
} from './manage-administrators.ts';
import type { OpenDatabase } from './open-database.ts';

const OWNER = { email: 'owner@example.com', password: 'battery horse correct' };
const SECOND = 'second@example.com';

let database: OpenDatabase;
before(async () => {
  database = await openBooted();
});
beforeEach(async () => {
  await database.sql.exec(
    'truncate private.admins, private.admin_sessions, auth.refresh_tokens, auth.sessions, auth.users cascade',
  );
  await ensureAdministrator(database, OWNER.email, OWNER.password);
});
after(() => database.close());

test('an added administrator opens a session and keeps it after a start', async () => {
  const added = await addAdministrator(database, SECOND);
  assert.equal(added.email, SECOND);
  assert.match(added.password, /^[\w-]{20}$/);
  assert.equal(await openSession(added), true);
  await ensureAdministrator(database, OWNER.email, OWNER.password);
  assert.deepEqual(await emails(), [OWNER.email, SECOND]);
  assert.equal(await adminSessions(), 1);
});

test('a removed administrator is signed out at once and cannot open a session', async () => {
  const added = await addAdministrator(database, SECOND);
  await openSession(added);
  await openSession(OWNER);
  assert.equal(await removeAdministrator(database, 'Second@Example.com'), SECOND);
  assert.deepEqual(await emails(), [OWNER.email]);
  assert.equal(await adminSessions(), 1, 'the session of the other one');
  for (const table of ['auth.sessions', 'auth.refresh_tokens']) {
    assert.equal((await database.sql.query(`select from ${table}`)).rows.length, 1, table);
  }
  assert.equal(await openSession(added), false);
});

test('a removed administrator who is added again has a new password', async () => {
  const before = await addAdministrator(database, SECOND);
  await removeAdministrator(database, SECOND);
  const again = await addAdministrator(database, 'SECOND@example.com');
  assert.equal(again.email, SECOND);
  assert.equal(await openSession(before), false);
  assert.equal(await openSession(again), true);
});

test('an administrator is not added a second time, and keeps the password', async () => {
  await assert.rejects(addAdministrator(database, 'Owner@example.com'), {
    name: 'UserError',
    message:
      'owner@example.com is an administrator already. For a new password run: npm run admin -- password owner@example.com',
  });
  assert.equal(await openSession(OWNER), true);
});

test('the last administrator is not removed', async () => {
  await openSession(OWNER);
  await assert.rejects(removeAdministrator(database, OWNER.email), {
    name: 'UserError',
    message: 'owner@example.com is the last administrator. Add another one first: npm run admin -- add EMAIL',
  });
  assert.deepEqual(await emails(), [OWNER.email]);
  assert.equal(await adminSessions(), 1);
});

test('a new password ends the sessions of its account only', async () => {
  const added = await addAdministrator(database, SECOND);
  await openSession(added);
  await openSession(OWNER);
  const renewed = await renewPassword(database, 'Second@example.com');
  assert.equal(renewed.email, SECOND);
  assert.equal(await adminSessions(), 1);
  assert.equal(await openSession(added), false);
  assert.equal(await openSession(renewed), true);
  assert.equal(await openSession(OWNER), true);
});

test('a user who is no administrator is neither removed nor gets a new password', async () => {
  await addAdministrator(database, SECOND);
  await removeAdministrator(database, SECOND);
  for (const email of [SECOND, 'nobody@example.com']) {
    const message = `${email} is no administrator. See who is: npm run admin -- list`;
    await assert.rejects(removeAdministrator(database, email), { name: 'UserError', message });
    await assert.rejects(renewPassword(database, email), { name: 'UserError', message });
  }
});

test('the last sign-in is that of a person, not a check of ADMIN_PASSWORD', async () => {
  const added = await addAdministrator(database, SECOND);
  await ensureAdministrator(database, OWNER.email, OWNER.password);
  const lastSignIns = async () => (await readAdministrators(database)).map(({ lastSignIn }) => lastSignIn);
  assert.deepEqual(await lastSignIns(), [null, null]);
  await openSession(added);
  await openSession(OWNER);
  const signedIn = await lastSignIns();
  for (const at of signedIn) assert.ok(Math.abs(Date.now() - Date.parse(at ?? '')) < 60_000, `${at}`);
  await ensureAdministrator(database, OWNER.email, OWNER.password);
  assert.deepEqual(await lastSignIns(), signedIn);
});

async function emails(): Promise<string[]> {
  return (await readAdministrators(database)).map(({ email }) => email);
}

/** Signs in as admin-auth does. Returns whether it would return the session. */
async function openSession({ email, password }: { email: string; password: string }): Promise<boolean> {
  const response = await database.fetch(
    new Request('http://embedded/auth/v1/token?grant_type=password', {
      method: 'POST',
      headers: { apikey: KEYS.secretKey, 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    }),
  );
  if (!response.ok) return false;
  const { user } = (await response.json()) as { user: { id: string } };
  const { rows } = await database.sql.query<{ opened: boolean }>(
    `select public.open_admin_session($1, id::text, 12, 120) as opened from auth.sessions
     where user_id = $1 order by created_at desc limit 1`,
    [user.id],
  );
  return rows[0]?.opened ?? false;
}

async function adminSessions(): Promise<number> {
  return (await database.sql.query('select from private.admin_sessions')).rows.length;
}
