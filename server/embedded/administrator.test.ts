import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { DEFAULT_ADMIN_EMAIL, readSettings } from '../../config/settings.ts';
import { readAdministrators, readRows, removeAdministrator } from '../backend-client/administrators.ts';
import { ensureAdministrator } from './administrator.ts';
import { createUser } from './auth-admin.ts';
import { callAuth, KEYS, openBooted, serveDatabase } from './booted-database.fixture.ts';
import type { OpenDatabase } from './open-database.ts';
import { projectOf } from './with-project.ts';

const FIRST = { email: 'first@example.com', password: 'correct horse battery' };
const OWNER = { email: 'owner@example.com', password: 'battery horse correct' };

let database: OpenDatabase;
let served: Awaited<ReturnType<typeof serveDatabase>>;
before(async () => {
  database = await openBooted();
  served = await serveDatabase(database);
});
beforeEach(async () => {
  await database.sql.exec(
    'truncate private.admins, private.admin_sessions, auth.refresh_tokens, auth.sessions, auth.users cascade',
  );
});
after(async () => {
  await served.close();
  await database.close();
});

/** One start of the product with these settings. */
const start = (email: string, password?: string) =>
  ensureAdministrator(served.control, email, password, ['Your Next Domain Awaits']);

test('ADMIN_EMAIL adds an administrator and removes none', async () => {
  assert.deepEqual((await start(FIRST.email, FIRST.password)).administrators, [FIRST.email]);
  const { refresh_token } = await openSession(FIRST);
  assert.deepEqual(await start(OWNER.email, OWNER.password), {
    email: OWNER.email,
    change: 'created',
    generatedPassword: undefined,
    administrators: [FIRST.email, OWNER.email],
  });
  assert.equal((await requestToken('refresh_token', { refresh_token })).status, 200);
  assert.equal(await adminSessions(), 1);
});

test('a start names the account of ADMIN_EMAIL in any letter case', async () => {
  await start('OWNER@example.com', OWNER.password);
  assert.equal((await start('Owner@Example.com')).change, 'none');
  assert.deepEqual(await administrators(), [OWNER.email]);
  assert.equal((await requestToken('password', OWNER)).status, 200);
});

test('ADMIN_EMAIL makes a removed administrator one again with a new password', async () => {
  await start(FIRST.email, FIRST.password);
  await start(OWNER.email, OWNER.password);
  await removeAdministrator(projectOf(served.control), FIRST.email);
  const { change, generatedPassword = '' } = await start(FIRST.email);
  assert.equal(change, 'password_changed');
  assert.deepEqual(await administrators(), [OWNER.email, FIRST.email]);
  assert.equal((await requestToken('password', FIRST)).status, 400);
  assert.equal((await requestToken('password', { ...FIRST, password: generatedPassword })).status, 200);

  await removeAdministrator(projectOf(served.control), FIRST.email);
  assert.equal((await start(FIRST.email, FIRST.password)).change, 'password_changed');
  assert.equal((await requestToken('password', FIRST)).status, 200);
});

test('a start without ADMIN_EMAIL means the first administrator and adds none', async () => {
  assert.equal(readSettings({}).adminEmail, DEFAULT_ADMIN_EMAIL);
  await start(OWNER.email, OWNER.password);
  await start(FIRST.email, FIRST.password);
  const both = [OWNER.email, FIRST.email];
  assert.deepEqual(await start(DEFAULT_ADMIN_EMAIL), {
    email: OWNER.email,
    change: 'none',
    administrators: both,
  });
  const changed = { ...OWNER, password: 'correct battery horse' };
  assert.equal((await start(DEFAULT_ADMIN_EMAIL, changed.password)).change, 'password_changed');
  assert.equal((await requestToken('password', changed)).status, 200);
  assert.equal((await requestToken('password', FIRST)).status, 200);
  assert.deepEqual(await administrators(), both);
});

test('the default administrator is created where there is none, and stays when ADMIN_EMAIL names another', async () => {
  const { email, generatedPassword } = await start(DEFAULT_ADMIN_EMAIL);
  assert.equal(email, DEFAULT_ADMIN_EMAIL);
  assert.match(generatedPassword ?? '', /^[\w-]{20}$/);
  assert.deepEqual((await start(OWNER.email)).administrators, [email, OWNER.email]);
});

test('a new password ends every session of the account, and the same password none', async () => {
  await start(OWNER.email, OWNER.password);
  const { refresh_token } = await openSession(OWNER);
  assert.equal((await start(OWNER.email, OWNER.password)).change, 'none');
  const renewed = await requestToken('refresh_token', { refresh_token });
  assert.equal(renewed.status, 200);
  assert.equal(await adminSessions(), 1);

  assert.equal((await start(OWNER.email, FIRST.password)).change, 'password_changed');
  assert.equal((await requestToken('refresh_token', renewed)).status, 400);
  assert.equal(await adminSessions(), 0);
  assert.equal((await requestToken('password', OWNER)).status, 400);
  assert.equal((await requestToken('password', { ...OWNER, password: FIRST.password })).status, 200);
});

/** Those of generated passwords; the socket of commands is beside them. */
const passwordFiles = () =>
  readdirSync(served.dataDir)
    .filter((name) => name.endsWith('.txt'))
    .sort();

test('the file of a generated password is removed with the password, and no other file', async () => {
  const write = (name: string, password = '') => writeFileSync(join(served.dataDir, name), `${password}\n`);
  const generated = (await start(OWNER.email)).generatedPassword;
  write('admin-password.txt', generated);
  write('admin-password-2.txt', (await start(FIRST.email)).generatedPassword);
  write('admin-password-3.txt', 'password of an account in a hosted project');
  write('admin-password-4.txt', generated);
  assert.equal((await start(OWNER.email, OWNER.password)).change, 'password_changed');
  assert.deepEqual(passwordFiles(), ['admin-password-2.txt', 'admin-password-3.txt']);
  await removeAdministrator(projectOf(served.control), FIRST.email);
  assert.deepEqual(passwordFiles(), ['admin-password-3.txt']);
});

test('the file of the first start’s password is removed once another administrator has signed in, and no other file', async () => {
  const write = (name: string, password = '') => writeFileSync(join(served.dataDir, name), `${password}\n`);
  const first = (await start(DEFAULT_ADMIN_EMAIL)).generatedPassword ?? '';
  write('admin-password.txt', first);
  write('admin-password-2.txt', (await start(FIRST.email)).generatedPassword);
  await start(OWNER.email, OWNER.password);
  await createUser(database.sql, { email: 'former@example.com', password: OWNER.password });
  const project = projectOf(served.control);
  const signIn = async (email: string, password: string) => {
    const request = new Request('http://embedded/functions/v1/admin-auth', {
      method: 'POST',
      headers: { apikey: KEYS.publishableKey, 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    return (await served.control.fetch(request)).status;
  };
  assert.equal(await signIn(DEFAULT_ADMIN_EMAIL, first), 200);
  assert.notEqual(await signIn('former@example.com', OWNER.password), 200);
  // Without its second factor a sign-in is not complete.
  const owner = (await readRows(project)).find(({ email }) => email === OWNER.email);
  const user_id = owner?.user_id ?? '';
  await project.call('set_factor', { user_id, sealed: 'x', key_id: 'x', step: 1, recovery_hashes: [] });
  assert.notEqual(await signIn(OWNER.email, OWNER.password), 200);
  assert.ok(passwordFiles().includes('admin-password.txt'));
  await project.call('remove_factor', { user_id });
  assert.equal(await signIn(OWNER.email, OWNER.password), 200);
  assert.ok(!passwordFiles().includes('admin-password.txt'));
  assert.ok(passwordFiles().includes('admin-password-2.txt'));
});

test('a weak new password is rejected and changes nothing', async () => {
  const weak = /^UserError: ADMIN_PASSWORD (?:has fewer than 12 characters|is a common password.*)\. Choose/;
  const email = 'owner@lapdomains.example';
  // The last two are of the site's words and of the email.
  const passwords = ['xkT92-fjwq', 'password12345', 'YourNextDomainAwaits!', 'lapdomains-2026!'];
  for (const password of passwords) {
    await assert.rejects(start(email, password), weak, password);
    assert.deepEqual(await administrators(), []);
  }
  await start(email, OWNER.password);
  for (const password of passwords.slice(2)) await assert.rejects(start(email, password), weak, password);
  await assert.rejects(start(FIRST.email, 'password12345'), weak);
  assert.deepEqual(await administrators(), [email]);
  assert.equal((await requestToken('password', { ...OWNER, email })).status, 200);
});

test('a weak password that the account has already gets a warning only', async () => {
  const weak = { email: OWNER.email, password: 'password12345' };
  await start(weak.email);
  // The list of common passwords may have grown since it was set.
  const made = await signUp({ ...weak, email: 'made@example.com' });
  await database.sql.query(
    `update auth.users set encrypted_password = (select encrypted_password from auth.users where id = $1)
     where email = $2`,
    [made, weak.email],
  );
  assert.deepEqual(await start(weak.email, weak.password), {
    email: OWNER.email,
    change: 'none',
    administrators: [OWNER.email],
    warning:
      'ADMIN_PASSWORD is a common password, or easily guessed from one. It still opens the account; set a better one soon.',
  });
});

test('a weak ADMIN_PASSWORD makes no removed administrator one again', async () => {
  await start(FIRST.email, FIRST.password);
  await start(OWNER.email, OWNER.password);
  await removeAdministrator(projectOf(served.control), OWNER.email);
  await database.sql.query(
    `update auth.users set encrypted_password = (select encrypted_password from auth.users where id = $1)
     where email = $2`,
    [await signUp({ email: 'made@example.com', password: 'password12345' }), OWNER.email],
  );
  await assert.rejects(start(OWNER.email, 'password12345'), /is a common password/);
  assert.deepEqual(await administrators(), [FIRST.email]);
});

test('ensureAdministrator leaves no session open', async () => {
  await start(OWNER.email, OWNER.password);
  await start(OWNER.email, OWNER.password);
  for (const table of ['auth.sessions', 'auth.refresh_tokens']) {
    assert.deepEqual((await database.sql.query(`select created_at from ${table}`)).rows, [], table);
  }
});

test('the last sign-in is that of a person, not a check of ADMIN_PASSWORD', async () => {
  await start(OWNER.email, OWNER.password);
  await start(OWNER.email, OWNER.password);
  const lastSignIn = async () => (await readAdministrators(projectOf(served.control)))[0]?.lastSignIn;
  assert.equal(await lastSignIn(), null);
  await openSession(OWNER);
  const signedIn = await lastSignIn();
  assert.ok(Math.abs(Date.now() - Date.parse(signedIn ?? '')) < 60_000, `${signedIn}`);
  await start(OWNER.email, OWNER.password);
  assert.equal(await lastSignIn(), signedIn);
});

async function administrators(): Promise<string[]> {
  return (await readAdministrators(projectOf(served.control))).map(({ email }) => email);
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
async function signUp(credentials: typeof OWNER): Promise<string> {
  return (await createUser(database.sql, credentials))?.id ?? '';
}

async function requestToken(grant: string, body: object): Promise<{ status: number; refresh_token: string }> {
  const response = await callAuth(database, `token?grant_type=${grant}`, body);
  const { refresh_token = '' } = (await response.json()) as { refresh_token?: string };
  return { status: response.status, refresh_token };
}
