/** Accounts of the embedded backend. @supabase/lite creates them; it has no admin API, so the rest is SQL. */
import { randomBytes } from 'node:crypto';
import { compare, hash } from 'bcryptjs';
import { UserError } from '../config/user-error.ts';
import type { OpenDatabase } from './open-database.ts';
import { endSessions } from './sessions.ts';

/** Random bytes of a generated password, which is written as 20 letters, digits, `-` and `_`. */
const GENERATED_BYTES = 15;

/** Cost of a password's hash (some 70 ms), as lite and Supabase Auth have it. */
const BCRYPT_COST = 10;

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
  { sql, post }: OpenDatabase,
  { email, password }: { email: string; password: string },
): Promise<string> {
  const response = await post('/auth/v1/signup', { email, password });
  const { user, msg } = (await response.json()) as { user?: { id: string }; msg?: string };
  if (user === undefined) {
    throw new UserError(
      `The administrator ${email} could not be made (${msg ?? response.status}). Check the email and the password.`,
    );
  }
  // lite has signed the account in.
  await endSessions(sql, [user.id]);
  await sql.query('update auth.users set last_sign_in_at = null where id = $1', [user.id]);
  return user.id;
}

/** Whether a password opens an account. */
export async function isPasswordOf(
  { sql }: OpenDatabase,
  userId: string,
  password: string,
): Promise<boolean> {
  const { rows } = await sql.query<{ hash: string | null }>(
    'select encrypted_password as hash from auth.users where id = $1',
    [userId],
  );
  return await compare(password, rows[0]?.hash ?? '');
}

/** Changes a password and ends the account's sessions. */
export async function changePassword({ sql }: OpenDatabase, userId: string, password: string): Promise<void> {
  const encrypted = await hash(password, BCRYPT_COST);
  await sql.transaction(async (tx) => {
    await tx.query('update auth.users set encrypted_password = $2 where id = $1', [userId, encrypted]);
    await endSessions(tx, [userId]);
  });
}
