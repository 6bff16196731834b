/** Administrators of a project: accounts in GoTrue, rights in `private.admins`. */
import { randomBytes } from 'node:crypto';
import type { Returned } from '#contract/calls.ts';
import { UserError } from '../../process/user-error.ts';
import { MIN_PASSWORD, weaknessOf } from './password-strength.ts';
import type { Project } from './project.ts';

/** Times in ISO 8601. */
export interface Administrator {
  readonly email: string;
  /** When the account was made an administrator, last. */
  readonly since: string;
  /** The last sign-in with the password; null where none is known. */
  readonly lastSignIn: string | null;
  readonly hasFactor: boolean;
}

export interface Account {
  readonly id: string;
  readonly email: string;
}

/** An account's email as the project has it, and its new password: shown once, stored nowhere. */
export interface NewPassword {
  readonly email: string;
  readonly password: string;
}

/** Rows of one page of GoTrue's list. With sign-ups off there are few accounts. */
const PAGE_SIZE = 1_000;

/** Random bytes of a generated password, which is written as 20 letters, digits, `-` and `_`. */
const GENERATED_BYTES = 15;

type Row = Returned<'read_administrators'>[number];

/** Every administrator, the first one first. */
export async function readAdministrators(project: Project): Promise<Administrator[]> {
  const rows = await readRows(project);
  return await Promise.all(
    rows.map(async ({ user_id, email, since, has_factor: hasFactor = false }) => {
      const { data, error } = await project.auth.getUserById(user_id);
      if (error) throw authError(project, error);
      return { email, since, lastSignIn: data.user.last_sign_in_at ?? null, hasFactor };
    }),
  );
}

/**
 * Makes an account with a password and grants it. An account that exists gets the password, too.
 * @param given ADMIN_PASSWORD; absent: a password is generated
 * @param siteWords words on the site, too easy to guess for a password
 * @throws UserError when it is an administrator already, or the given password is too weak
 */
export async function addAdministrator(
  project: Project,
  email: string,
  given?: string,
  siteWords?: readonly string[],
): Promise<NewPassword> {
  const present = (await readRows(project)).find((row) => isSame(row.email, email));
  if (present) {
    throw new UserError(
      `${present.email} is an administrator already. For a new password run: npm run admin -- password ${present.email}`,
    );
  }
  if (given !== undefined) rejectWeak(await weaknessOf(given, email, siteWords));
  const password = given ?? generatePassword();
  const found = (await readAccounts(project)).find((account) => isSame(account.email, email));
  if (found) await setPassword(project, found.id, password);
  const account = found ?? (await createAccount(project, email, password));
  await project.call('grant_administrator', { user_id: account.id });
  return { email: account.email, password };
}

/** Takes the role, and ends the sessions. The account stays, since the audit names it. */
export async function removeAdministrator(project: Project, email: string): Promise<{ email: string }> {
  const row = await findRow(project, email);
  const outcome = await project.call('revoke_administrator', { user_id: row.user_id });
  if (outcome === 'last') {
    throw new UserError(
      `${row.email} is the last administrator. Add another one first: npm run admin -- add EMAIL`,
    );
  }
  // GoTrue ends its sessions with it.
  await setPassword(project, row.user_id, generatePassword());
  return { email: row.email };
}

/** Generates a new password, and ends the sessions. @throws UserError when the account is no administrator's */
export async function renewPassword(project: Project, email: string): Promise<NewPassword> {
  const row = await findRow(project, email);
  const password = generatePassword();
  await setPassword(project, row.user_id, password);
  return { email: row.email, password };
}

/** @param perPage rows of one page */
export async function readAccounts(project: Project, perPage = PAGE_SIZE): Promise<Account[]> {
  const accounts: Account[] = [];
  for (let page = 1; ; page += 1) {
    const { data, error } = await project.auth.listUsers({ page, perPage });
    if (error || !Array.isArray(data.users)) throw authError(project, error);
    accounts.push(...data.users.map(({ id, email = '' }) => ({ id, email })));
    if (data.users.length < perPage) return accounts;
  }
}

/** Creates an account whose email counts as confirmed. @param id of the account; absent: a new one */
export async function createAccount(
  project: Project,
  email: string,
  password = generatePassword(),
  id?: string,
): Promise<Account> {
  const { data, error } = await project.auth.createUser({
    email,
    password,
    email_confirm: true,
    ...(id === undefined ? {} : { id }),
  });
  if (error || !data.user.id) throw authError(project, error);
  return { id: data.user.id, email: data.user.email ?? email };
}

/** Changes a password, and ends the account's sessions. */
export async function setPassword(project: Project, id: string, password: string): Promise<void> {
  const { error } = await project.auth.updateUserById(id, { password });
  if (error) throw authError(project, error);
  await project.call('end_admin_sessions', { user_id: id });
}

/** @param weakness of weaknessOf @throws UserError where there is one */
export function rejectWeak(weakness: string | undefined): void {
  if (weakness === undefined) return;
  throw new UserError(
    `ADMIN_PASSWORD ${weakness}. Choose another one, of ${MIN_PASSWORD} characters or more.`,
  );
}

/** Every administrator as the database has it, the first one first. */
export async function readRows(project: Project): Promise<Row[]> {
  return await project.call('read_administrators', {});
}

/** Finds an administrator by email. @throws UserError */
export async function findRow(project: Project, email: string): Promise<Row> {
  const row = (await readRows(project)).find((one) => isSame(one.email, email));
  if (row) return row;
  throw new UserError(`${email} is no administrator. See who is: npm run admin -- list`);
}

function generatePassword(): string {
  return randomBytes(GENERATED_BYTES).toString('base64url');
}

export function isSame(one: string | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase();
}

/** @param error null: the response is no account */
function authError(
  project: Project,
  error: { status?: number | undefined; code?: string | undefined; message: string } | null,
): UserError {
  const why = error
    ? project.describe(error, error.status)
    : `the response is something else. ${project.onWrongResponse}`;
  return new UserError(`The accounts of ${project.name} could not be read or changed: ${why}`);
}
