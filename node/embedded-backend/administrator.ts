/** The administrator of the embedded backend: created by the first start; gets a new password when one is set. */
import { randomBytes } from 'node:crypto';
import { DEFAULT_ADMIN_EMAIL } from '../config/settings.ts';
import { UserError } from '../config/user-error.ts';
import type { DatabaseKeys, OpenDatabase } from './open-database.ts';
import { MIN_PASSWORD, weaknessOf } from './password-strength.ts';
import { endSessions } from './sessions.ts';

export interface AdministratorChange {
  email: string;
  /** Whether this start created the account, changed its password, or neither. */
  change: 'created' | 'password_changed' | 'none';
  /** The password generated for a new account: shown once, stored nowhere. */
  generatedPassword?: string | undefined;
  /** Present when the account's password would not be accepted as a new one. */
  warning?: string | undefined;
  /** Emails of the administrators removed by this start, because the setting names another. */
  former: string[];
}

/**
 * Makes `wanted` the only administrator. With `password`, sets it (and ends the sessions of an older one: an access token
 * stays valid until it expires, and is not renewed). Without, a new account gets a random password, and an existing
 * account keeps its own.
 * @param siteWords words that are too easy to guess for a password (password-strength.ts)
 * @throws UserError for a new password that is too weak; the account's present one gets a warning
 */
export async function ensureAdministrator(
  database: OpenDatabase,
  keys: DatabaseKeys,
  wanted: string,
  password: string | undefined,
  siteWords: readonly string[] = [],
): Promise<AdministratorChange> {
  const isChoice = wanted !== DEFAULT_ADMIN_EMAIL;
  const email = isChoice ? wanted : ((await currentEmail(database)) ?? wanted);
  const { rows } = await database.sql.query<{ id: string }>(
    'select id from auth.users where lower(email) = lower($1)',
    [email],
  );
  const known = rows[0]?.id;
  const isKept =
    known !== undefined && (password === undefined || (await isPassword(database, keys, email, password)));
  const weakness = password === undefined ? undefined : await weaknessOf(password, email, siteWords);
  if (weakness && !isKept) {
    throw new UserError(
      `ADMIN_PASSWORD ${weakness}. Choose another one, of ${MIN_PASSWORD} characters or more.`,
    );
  }
  if (known === undefined) {
    const chosen = password ?? randomBytes(15).toString('base64url');
    const former = await makeAdministrator(database, await signUp(database, keys, email, chosen), isChoice);
    const generatedPassword = password === undefined ? chosen : undefined;
    return { email, change: 'created', generatedPassword, former };
  }
  const former = await makeAdministrator(database, known, isChoice);
  if (isKept) {
    const warning =
      weakness && `ADMIN_PASSWORD ${weakness}. It still opens the account; set a better one soon.`;
    return { email, change: 'none', former, ...(warning ? { warning } : {}) };
  }
  await changePassword(database, keys, known, password ?? '');
  return { email, change: 'password_changed', former };
}

/** Email of the present administrator. */
async function currentEmail(database: OpenDatabase): Promise<string | undefined> {
  const { rows } = await database.sql.query<{ email: string }>(
    `select u.email from private.admins a join auth.users u on u.id = a.user_id
     order by (u.email = $1) desc, a.created_at limit 1`,
    [DEFAULT_ADMIN_EMAIL],
  );
  return rows[0]?.email;
}

/**
 * Makes a user administrator and, if `alone`, removes the other administrators and ends their sessions. Their accounts
 * stay, since the audit names them.
 * @returns the emails of the removed administrators
 */
async function makeAdministrator(database: OpenDatabase, userId: string, alone: boolean): Promise<string[]> {
  return await database.sql.transaction(async (tx) => {
    await tx.query('insert into private.admins (user_id) values ($1) on conflict do nothing', [userId]);
    if (!alone) return [];
    const { rows } = await tx.query<{ id: string; email: string }>(
      `delete from private.admins a using auth.users u where u.id = a.user_id and u.id <> $1
       returning u.id, u.email`,
      [userId],
    );
    await endSessions(
      tx,
      rows.map(({ id }) => id),
    );
    return rows.map(({ email }) => email);
  });
}

/** Signs up through lite, so that the password is hashed as lite will compare it. */
async function signUp(
  database: OpenDatabase,
  keys: DatabaseKeys,
  email: string,
  password: string,
): Promise<string> {
  const { ok, status, body } = await authRequest(database, keys, '/auth/v1/signup', { email, password });
  const id = body.user?.id ?? body.id;
  if (!ok || id === undefined) {
    throw new UserError(
      `The administrator ${email} could not be made (${body.msg ?? status}). ` +
        'Check ADMIN_EMAIL and ADMIN_PASSWORD.',
    );
  }
  return id;
}

async function isPassword(
  database: OpenDatabase,
  keys: DatabaseKeys,
  email: string,
  password: string,
): Promise<boolean> {
  const path = '/auth/v1/token?grant_type=password';
  return (await authRequest(database, keys, path, { email, password })).ok;
}

/** Moves the hash of a temporary user, made by lite, to the account: lite has no admin API. */
async function changePassword(
  database: OpenDatabase,
  keys: DatabaseKeys,
  userId: string,
  password: string,
): Promise<void> {
  const temporary = await signUp(
    database,
    keys,
    `${randomBytes(12).toString('hex')}@passing.invalid`,
    password,
  );
  await database.sql.transaction(async (tx) => {
    await tx.query(
      `update auth.users set encrypted_password = (select encrypted_password from auth.users where id = $2)
       where id = $1`,
      [userId, temporary],
    );
    await tx.query('delete from auth.users where id = $1', [temporary]);
    await endSessions(tx, [userId, temporary]);
  });
}

/** The used parts of lite's responses. */
interface AuthResponse {
  user?: { id?: string };
  id?: string;
  msg?: string;
  access_token?: string;
}

/** Sends a request, and ends the session that the response may open, which no client would use. */
async function authRequest(
  database: OpenDatabase,
  keys: DatabaseKeys,
  path: string,
  credentials: { email: string; password: string },
): Promise<{ ok: boolean; status: number; body: AuthResponse }> {
  const post = (to: string, headers: Record<string, string>, body?: string) =>
    database.fetch(
      new Request(`http://embedded${to}`, {
        method: 'POST',
        headers: { apikey: keys.secretKey, 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body }),
      }),
    );
  const response = await post(path, {}, JSON.stringify(credentials));
  const body = (await response.json()) as AuthResponse;
  if (body.access_token) {
    await post('/auth/v1/logout?scope=local', { authorization: `Bearer ${body.access_token}` });
  }
  return { ok: response.ok, status: response.status, body };
}
