/** Adds, removes and lists administrators of the embedded backend (`npm run admin`). */
import { UserError } from '../config/user-error.ts';
import { changePassword, createAccount, generatePassword } from './accounts.ts';
import type { OpenDatabase } from './open-database.ts';
import { endSessions } from './sessions.ts';

/** Times in ISO 8601, in UTC. */
export interface Administrator {
  readonly email: string;
  /** When the account was made an administrator, last. */
  readonly since: string;
  /** The last sign-in with the password; null where none is known. */
  readonly lastSignIn: string | null;
}

/** An account as the database writes its email, with its new password: shown once, stored nowhere. */
export interface NewPassword {
  readonly email: string;
  readonly password: string;
}

/** Every administrator, the first one first. */
export async function readAdministrators({ sql }: OpenDatabase): Promise<Administrator[]> {
  const { rows } = await sql.query<Administrator>(
    `select u.email, to_char(a.created_at at time zone 'UTC', $1) as since,
       to_char(u.last_sign_in_at at time zone 'UTC', $1) as "lastSignIn"
     from private.admins a join auth.users u on u.id = a.user_id
     order by a.created_at, u.created_at, u.id`,
    ['YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'],
  );
  return rows;
}

/**
 * Makes an account with a generated password and appoints it. An account that exists, such as that of an administrator
 * who was removed, gets a new password too.
 * @throws UserError when it is an administrator already
 */
export async function addAdministrator(database: OpenDatabase, email: string): Promise<NewPassword> {
  const account = await findAccount(database, email);
  if (account?.isAdministrator) {
    throw new UserError(
      `${account.email} is an administrator already. For a new password run: npm run admin -- password ${account.email}`,
    );
  }
  const password = generatePassword();
  await appointWithPassword(database, email, account, password);
  return { email: (await findAccount(database, email))?.email ?? email, password };
}

/**
 * Takes the role from an administrator and ends the account's sessions. The account stays, since the audit names it.
 * @returns the administrator's email
 * @throws UserError when it is no administrator, or the last one
 */
export async function removeAdministrator(database: OpenDatabase, email: string): Promise<string> {
  const account = await findAdministrator(database, email);
  await database.sql.transaction(async (tx) => {
    const { rows } = await tx.query('select from private.admins where user_id <> $1', [account.id]);
    if (rows.length === 0) {
      throw new UserError(
        `${account.email} is the last administrator. Add another one first: npm run admin -- add EMAIL`,
      );
    }
    await tx.query('delete from private.admins where user_id = $1', [account.id]);
    await endSessions(tx, [account.id]);
  });
  return account.email;
}

/** Generates a new password for an administrator and ends the account's sessions. @throws UserError when it is none */
export async function renewPassword(database: OpenDatabase, email: string): Promise<NewPassword> {
  const account = await findAdministrator(database, email);
  const password = generatePassword();
  await changePassword(database, account.id, password);
  return { email: account.email, password };
}

interface Account {
  readonly id: string;
  readonly email: string;
  readonly isAdministrator: boolean;
}

/** Finds an account by its email, in any letter case. */
export async function findAccount({ sql }: OpenDatabase, email: string): Promise<Account | undefined> {
  const { rows } = await sql.query<Account>(
    `select id, email, exists (select from private.admins a where a.user_id = u.id) as "isAdministrator"
     from auth.users u where lower(email) = lower($1)`,
    [email],
  );
  return rows[0];
}

/** Makes an account an administrator with a new password. @param account undefined: it is created */
export async function appointWithPassword(
  database: OpenDatabase,
  email: string,
  account: Account | undefined,
  password: string,
): Promise<void> {
  if (account) await changePassword(database, account.id, password);
  await appoint(database, account?.id ?? (await createAccount(database, { email, password })));
}

/** Makes an account an administrator. One that is stays one, since the same time. */
export async function appoint({ sql }: OpenDatabase, userId: string): Promise<void> {
  await sql.query('insert into private.admins (user_id) values ($1) on conflict do nothing', [userId]);
}

async function findAdministrator(database: OpenDatabase, email: string): Promise<Account> {
  const account = await findAccount(database, email);
  if (account?.isAdministrator) return account;
  throw new UserError(`${email} is no administrator. See who is: npm run admin -- list`);
}
