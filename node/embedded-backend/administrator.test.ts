import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { DEFAULT_ADMIN_EMAIL, readSettings } from '../config/settings.ts';
import { ensureAdministrator } from './administrator.ts';
import { KEYS, openBooted } from './booted-database.fixture.ts';
import type { OpenDatabase } from './open-database.ts';

const FORMER = { email: 'former@example.com', password: 'correct horse battery' };
const OWNER = { email: 'owner@example.com', password: 'battery horse correct' };

let database: OpenDatabase;
before(async () => {
  database = await openBooted();
});
beforeEach(async () => {
  await database.sql.exec(
    'truncate private.admins, private.admin_sessions, auth.refresh_tokens, auth.sessions, auth.users cascade',
  );
});
after(() => database.close());

/** One start of the product with these settings. */
const start = (email: string, password?: string) => ensureAdministrator(database, KEYS, email, password);

test('another ADMIN_EMAIL removes the former administrator, ends their session and reports it', async () => {
  assert.deepEqual((await start(FORMER.email, FORMER.password)).former, []);
  const { refresh_token } = await requestToken('password', FORMER);
  assert.deepEqual(await start(OWNER.email, OWNER.password), {
    email: OWNER.email,
    change: 'created',
    generatedPassword: undefined,
    former: [FORMER.email],
  });
  assert.deepEqual(await administrators(), [OWNER.email]);
  assert.equal((await requestToken('refresh_token', { refresh_token })).status, 400);
  assert.deepEqual((await start(OWNER.email)).former, [], 'reported once');
});

test('an administrator who is named again keeps the old password', async () => {
  await start(FORMER.email, FORMER.password);
  await start(OWNER.email, OWNER.password);
  assert.deepEqual(await start('Former@example.com'), {
    email: 'Former@example.com',
    change: 'none',
    former: [OWNER.email],
  });
  assert.deepEqual(await administrators(), [FORMER.email]);
  assert.equal((await requestToken('password', FORMER)).status, 200);
});

test('a start without ADMIN_EMAIL neither removes nor adds an administrator', async () => {
  assert.equal(readSettings({}).adminEmail, DEFAULT_ADMIN_EMAIL);
  await start(OWNER.email, FORMER.password);
  assert.deepEqual(await start(DEFAULT_ADMIN_EMAIL), { email: OWNER.email, change: 'none', former: [] });
  assert.equal((await start(DEFAULT_ADMIN_EMAIL, OWNER.password)).change, 'password_changed');
  assert.equal((await requestToken('password', OWNER)).status, 200);
  assert.deepEqual(await administrators(), [OWNER.email]);
});

test('the default administrator is removed when ADMIN_EMAIL names another', async () => {
  const { email, generatedPassword } = await start(DEFAULT_ADMIN_EMAIL);
  assert.ok(generatedPassword);
  assert.deepEqual((await start(OWNER.email)).former, [email]);
  assert.deepEqual(await administrators(), [OWNER.email]);
});

test('a new password ends every session of the account, and the same password none', async () => {
  await start(OWNER.email, OWNER.password);
  const { refresh_token } = await openSession(OWNER);
  assert.equal((await start(OWNER.email, OWNER.password)).change, 'none');
  const renewed = await requestToken('refresh_token', { refresh_token });
  assert.equal(renewed.status, 200);
  assert.equal(await adminSessions(), 1);

  assert.equal((await start(OWNER.email, FORMER.password)).change, 'password_changed');
  assert.equal((await requestToken('refresh_token', renewed)).status, 400);
  assert.equal(await adminSessions(), 0);
  assert.equal((await requestToken('password', OWNER)).status, 400);
  assert.equal((await requestToken('password', { ...OWNER, password: FORMER.password })).status, 200);
});

test('a weak new password is rejected and changes nothing', async () => {
  const weak = /^UserError: ADMIN_PASSWORD (?:has fewer than 12 characters|is a common password.*)\. Choose/;
  for (const password of ['xkT92-fjwq', 'password12345']) {
    await assert.rejects(start(OWNER.email, password), weak);
    assert.deepEqual(await administrators(), []);
  }
  await start(OWNER.email, OWNER.password);
  await assert.rejects(start(OWNER.email, 'password12345'), weak);
  await assert.rejects(start(FORMER.email, 'password12345'), weak);
  assert.deepEqual(await administrators(), [OWNER.email]);
  assert.equal((await requestToken('password', OWNER)).status, 200);
});

test('a weak password that the account has already gets a warning only', async () => {
  const weak = { email: OWNER.email, password: 'password12345' };
  await start(weak.email);
  // As an older version, which accepted it, left the account.
  const made = await signUp({ ...weak, email: 'made@example.com' });
  await database.sql.query(
    `update auth.users set encrypted_password = (select encrypted_password from auth.users where id = $1)
     where email = $2`,
    [made, weak.email],
  );
  assert.deepEqual(await start(weak.email, weak.password), {
    email: OWNER.email,
    change: 'none',
    former: [],
    warning:
      'ADMIN_PASSWORD is a common password, or easily guessed from one. It still opens the account; set a better one soon.',
  });
});

test('ensureAdministrator leaves no session open', async () => {
  await start(OWNER.email, OWNER.password);
  await start(OWNER.email, OWNER.password);
  for (const table of ['auth.sessions', 'auth.refresh_tokens']) {
    assert.deepEqual((await database.sql.query(`select user_id from ${table}`)).rows, [], table);
  }
});

async function administrators(): Promise<string[]> {
  const { rows } = await database.sql.query<{ email: string }>(
    'select email from auth.users where id in (select user_id from private.admins)',
  );
  return rows.map(({ email }) => email);
}

/** Signs in, and opens the session as admin-auth does. */
async function openSession(credentials: object) {
  const signedIn = await requestToken('password', credentials);
  await database.sql.query(`select public.open_admin_session(user_id, id::text, 12, 120) from auth.sessions`);
  return signedIn;
}

async function adminSessions(): Promise<number> {
  return (await database.sql.query('select 1 from private.admin_sessions')).rows.length;
}

/** Returns the new account's id. */
async function signUp(credentials: object): Promise<string> {
  const response = await database.fetch(
    new Request('http://embedded/auth/v1/signup', {
      method: 'POST',
      headers: { apikey: KEYS.secretKey, 'content-type': 'application/json' },
      body: JSON.stringify(credentials),
    }),
  );
  const { user } = (await response.json()) as { user: { id: string } };
  return user.id;
}

async function requestToken(grant: string, body: object): Promise<{ status: number; refresh_token: string }> {
  const response = await database.fetch(
    new Request(`http://embedded/auth/v1/token?grant_type=${grant}`, {
      method: 'POST',
      headers: { apikey: KEYS.secretKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  );
  const { refresh_token = '' } = (await response.json()) as { refresh_token?: string };
  return { status: response.status, refresh_token };
}
