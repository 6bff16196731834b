/** The administrator of the embedded backend: made on the first start, and given a new password when one is set. */
import { randomBytes } from 'node:crypto';
import type { AdministratorNews } from './messages.ts';
import type { DatabaseKeys, OpenDatabase } from './open-database.ts';
import { SettingError } from './setting-error.ts';

/**
 * Sees to it that `email` is an administrator who can sign in. With `password`, that is the password from now on
 * (sessions of an older one end). Without, a new account gets a random one, and an existing account keeps its own.
 */
export async function ensureAdministrator(
  database: OpenDatabase,
  keys: DatabaseKeys,
  email: string,
  password: string | undefined,
): Promise<AdministratorNews> {
  const { rows } = await database.sql.query<{ id: string }>(
    'select id from auth.users where lower(email) = lower($1)',
    [email],
  );
  const known = rows[0]?.id;
  if (known === undefined) {
    const chosen = password ?? randomBytes(15).toString('base64url');
    await makeAdministrator(database, await signUp(database, keys, email, chosen));
    return { email, change: 'created', generatedPassword: password === undefined ? chosen : undefined };
  }
  await makeAdministrator(database, known);
  if (password === undefined || (await opens(database, keys, email, password)))
    return { email, change: 'none' };
  await changePassword(database, keys, known, password);
  return { email, change: 'password_changed' };
}

async function makeAdministrator(database: OpenDatabase, userId: string): Promise<void> {
  await database.sql.query('insert into private.admins (user_id) values ($1) on conflict do nothing', [
    userId,
  ]);
}

/** Through lite itself, in this process, so that the password is hashed as it will be compared. */
async function signUp(
  database: OpenDatabase,
  keys: DatabaseKeys,
  email: string,
  password: string,
): Promise<string> {
  const response = await authRequest(database, keys, '/auth/v1/signup', { email, password });
  const body = (await response.json()) as { user?: { id?: string }; id?: string; msg?: string };
  const id = body.user?.id ?? body.id;
  if (!response.ok || id === undefined) {
    throw new SettingError(
      `The administrator ${email} could not be made (${body.msg ?? response.status}). ` +
        'Check ADMIN_EMAIL and ADMIN_PASSWORD.',
    );
  }
  return id;
}

async function opens(
  database: OpenDatabase,
  keys: DatabaseKeys,
  email: string,
  password: string,
): Promise<boolean> {
  const response = await authRequest(database, keys, '/auth/v1/token?grant_type=password', {
    email,
    password,
  });
  return response.ok;
}

/** lite has no administrator's API: a passing user's hash, made by lite, is moved to the account. */
async function changePassword(
  database: OpenDatabase,
  keys: DatabaseKeys,
  userId: string,
  password: string,
): Promise<void> {
  const passing = await signUp(
    database,
    keys,
    `${randomBytes(12).toString('hex')}@passing.invalid`,
    password,
  );
  await database.sql.transaction(async (tx) => {
    await tx.query(
      `update auth.users set encrypted_password = (select encrypted_password from auth.users where id = $2)
       where id = $1`,
      [userId, passing],
    );
    await tx.query('delete from auth.users where id = $1', [passing]);
    await tx.query('delete from auth.sessions where user_id = any($1)', [[userId, passing]]);
    await tx.query('delete from auth.refresh_tokens where user_id::text = any($1)', [[userId, passing]]);
  });
}

function authRequest(
  database: OpenDatabase,
  keys: DatabaseKeys,
  path: string,
  body: { email: string; password: string },
): Promise<Response> {
  return database.fetch(
    new Request(`http://embedded${path}`, {
      method: 'POST',
      headers: { apikey: keys.secretKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  );
}
