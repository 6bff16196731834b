/** Accounts of the embedded backend, through @supabase/lite, so that passwords are hashed as lite will compare them. */
import { randomBytes } from 'node:crypto';
import { UserError } from '../config/user-error.ts';
import type { DatabaseKeys, OpenDatabase } from './open-database.ts';
import { endSessions } from './sessions.ts';

/** Random bytes of a generated password, which is written as 20 letters, digits, `-` and `_`. */
const GENERATED_BYTES = 15;

/** Credentials of an account that is created or tried. */
export interface NewAccount {
  readonly email: string;
  readonly password: string;
}

/** A random password, to be shown once and stored nowhere. */
export function generatePassword(): string {
  return randomBytes(GENERATED_BYTES).toString('base64url');
}

/**
 * Creates an account that has never signed in.
 * @returns its id
 * @throws UserError when lite rejects the email or the password
 */
export async function createAccount(
  database: OpenDatabase,
  keys: DatabaseKeys,
  { email, password }: NewAccount,
): Promise<string> {
  const { ok, status, body } = await authRequest(database, keys, '/auth/v1/signup', { email, password });
  const id = body.user?.id ?? body.id;
  if (!ok || id === undefined) {
    throw new UserError(
      `The administrator ${email} could not be made (${body.msg ?? status}). Check the email and the password.`,
    );
  }
  await setLastSignIn(database, id, null);
  return id;
}

/** Whether a password opens an account. The account's last sign-in stays as it was. */
export async function isPasswordOf(
  database: OpenDatabase,
  keys: DatabaseKeys,
  userId: string,
  account: NewAccount,
): Promise<boolean> {
  const { rows } = await database.sql.query<{ at: string | null }>(
    'select last_sign_in_at::text as at from auth.users where id = $1',
    [userId],
  );
  const { ok } = await authRequest(database, keys, '/auth/v1/token?grant_type=password', account);
  if (ok) await setLastSignIn(database, userId, rows[0]?.at ?? null);
  return ok;
}

/** Changes a password and ends the account's sessions. Moves the hash of a temporary user: lite has no admin API. */
export async function changePassword(
  database: OpenDatabase,
  keys: DatabaseKeys,
  userId: string,
  password: string,
): Promise<void> {
  const email = `${randomBytes(12).toString('hex')}@passing.invalid`;
  const temporary = await createAccount(database, keys, { email, password });
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

/** lite writes the time of its own checks, too, which the list of administrators would show as a person's sign-in. */
async function setLastSignIn({ sql }: OpenDatabase, userId: string, at: string | null): Promise<void> {
  await sql.query('update auth.users set last_sign_in_at = $2 where id = $1', [userId, at]);
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
  credentials: NewAccount,
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
