/** The administrator of the embedded backend: made on the first start, and given a new password when one is set. */
import { randomBytes } from 'node:crypto';
import { DEFAULT_ADMIN_EMAIL } from '../config/settings.ts';
import { UserError } from '../config/user-error.ts';
import type { DatabaseKeys, OpenDatabase } from './open-database.ts';
import { MIN_PASSWORD, weaknessOf } from './password-strength.ts';
import { endSessions } from './sessions.ts';

export interface AdministratorChange {
  email: string;
  /** Whether this start made the account, changed its password, or found it as it is. */
  change: 'created' | 'password_changed' | 'none';
  /** The password made for a new account: shown once, kept nowhere. */
  generatedPassword?: string | undefined;
  /** A sentence about the account's password, where it would not be accepted as a new one. */
  warning?: string | undefined;
  /** Addresses of those whom this start took out, because the setting names another. */
  former: string[];
}

/**
 * Sees to it that `asked` is the administrator, the only one, and can sign in. With `password`, that is the password
 * from now on (sessions of an older one end: an access token is good until it expires, and is not renewed). Without, a
 * new account gets a random one, and an existing account keeps its own.
 * @param siteWords make no good password (password-strength.ts)
 * @throws UserError for a new password that is too weak; one that the account has already brings a warning
 */
export async function ensureAdministrator(
  database: OpenDatabase,
  keys: DatabaseKeys,
  asked: string,
  password: string | undefined,
  siteWords: readonly string[] = [],
): Promise<AdministratorChange> {
  const isChoice = asked !== DEFAULT_ADMIN_EMAIL;
  const email = isChoice ? asked : ((await present(database)) ?? asked);
  const { rows } = await database.sql.query<{ id: string }>(
    'select id from auth.users where lower(email) = lower($1)',
    [email],
  );
  const known = rows[0]?.id;
  const isKept =
    known !== undefined && (password === undefined || (await opens(database, keys, email, password)));
  const weakness = password === undefined ? undefined : await weaknessOf(password, email, siteWords);
  if (weakness && !isKept) {
    throw new UserError(
      `ADMIN_PASSWORD ${weakness}. Choose another one, of ${MIN_PASSWORD} characters or more.`,
    );
  }
  if (known === undefined) {
    const chosen = password ?? randomBytes(15).toString('base64url');
    const former = await putInCharge(database, await signUp(database, keys, email, chosen), isChoice);
    const generatedPassword = password === undefined ? chosen : undefined;
    return { email, change: 'created', generatedPassword, former };
  }
  const former = await putInCharge(database, known, isChoice);
  if (isKept) {
    const warning =
      weakness && `ADMIN_PASSWORD ${weakness}. It still opens the account; set a better one soon.`;
    return { email, change: 'none', former, ...(warning ? { warning } : {}) };
  }
  await changePassword(database, keys, known, password ?? '');
  return { email, change: 'password_changed', former };
}

/** Who administers already. */
async function present(database: OpenDatabase): Promise<string | undefined> {
  const { rows } = await database.sql.query<{ email: string }>(
    `select u.email from private.admins a join auth.users u on u.id = a.user_id
     order by (u.email = $1) desc, a.created_at limit 1`,
    [DEFAULT_ADMIN_EMAIL],
  );
  return rows[0]?.email;
}

/**
 * Makes somebody administrator and, where `alone`, takes the others out and ends their sessions. Their accounts stay:
 * the audit names them.
 * @returns the others' addresses
 */
async function putInCharge(database: OpenDatabase, userId: string, alone: boolean): Promise<string[]> {
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

/** Through lite itself, in this process, so that the password is hashed as it will be compared. */
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

async function opens(
  database: OpenDatabase,
  keys: DatabaseKeys,
  email: string,
  password: string,
): Promise<boolean> {
  const path = '/auth/v1/token?grant_type=password';
  return (await authRequest(database, keys, path, { email, password })).ok;
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
    await endSessions(tx, [userId, passing]);
  });
}

/** The parts of lite's answers that are used here. */
interface AuthAnswer {
  user?: { id?: string };
  id?: string;
  msg?: string;
  access_token?: string;
}

/** Asks, and ends the session that the answer may bring: it would be nobody's. */
async function authRequest(
  database: OpenDatabase,
  keys: DatabaseKeys,
  path: string,
  credentials: { email: string; password: string },
): Promise<{ ok: boolean; status: number; body: AuthAnswer }> {
  const post = (to: string, headers: Record<string, string>, body?: string) =>
    database.fetch(
      new Request(`http://embedded${to}`, {
        method: 'POST',
        headers: { apikey: keys.secretKey, 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body }),
      }),
    );
  const response = await post(path, {}, JSON.stringify(credentials));
  const body = (await response.json()) as AuthAnswer;
  if (body.access_token) {
    await post('/auth/v1/logout?scope=local', { authorization: `Bearer ${body.access_token}` });
  }
  return { ok: response.ok, status: response.status, body };
}
