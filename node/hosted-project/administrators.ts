/** Adds, removes and lists administrators of a hosted project: accounts in GoTrue, rights in `private.admins`. */
import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { UserError } from '../config/user-error.ts';
import { callFor, type HostedProject } from './project.ts';

/** Times in ISO 8601. */
export interface HostedAdministrator {
  readonly email: string;
  readonly since: string;
  /** The last sign-in; null where there was none. */
  readonly lastSignIn: string | null;
}

export interface Account {
  readonly id: string;
  readonly email: string;
}

/** Rows of one page of GoTrue's list. With sign-ups off there are few accounts. */
const PAGE_SIZE = 1_000;

const NOT_FOUND = 404;

/** Random bytes of a generated password, which is written as 20 letters, digits, `-` and `_`. */
const GENERATED_BYTES = 15;

const RowsSchema = z.array(z.object({ user_id: z.string(), email: z.string(), since: z.string() }));
type Row = z.infer<typeof RowsSchema>[number];

const DismissedSchema = z.enum(['dismissed', 'last', 'none']);

/** Every administrator, the first one first. */
export async function readAdministrators(project: HostedProject): Promise<HostedAdministrator[]> {
  const rows = await readRows(project);
  return await Promise.all(
    rows.map(async ({ user_id, email, since }) => {
      const { data, error } = await project.auth.getUserById(user_id);
      if (error) throw authError(project, error);
      return { email, since, lastSignIn: data.user.last_sign_in_at ?? null };
    }),
  );
}

/**
 * Makes an account with a password and appoints it. An account that exists gets the password, too.
 * @param password absent: one is generated
 * @throws UserError when it is an administrator already
 */
export async function addAdministrator(
  project: HostedProject,
  email: string,
  password = generatePassword(),
): Promise<{ email: string; password: string }> {
  if ((await readRows(project)).some((row) => isSame(row.email, email))) {
    throw new UserError(
      `${email} is an administrator already. For a new password run: npm run admin -- password ${email}`,
    );
  }
  const account = await findAccount(project, email);
  if (account) await setPassword(project, account.id, password);
  const { id } = account ?? (await createAccount(project, email, password));
  await project.call('appoint_administrator', { user_id: id });
  return { email: account?.email ?? email, password };
}

/** Takes the role, and ends the sessions. The account stays, since the audit names it. */
export async function removeAdministrator(project: HostedProject, email: string): Promise<{ email: string }> {
  const row = await findRow(project, email);
  const outcome = await callFor(project, DismissedSchema, 'dismiss_administrator', { user_id: row.user_id });
  if (outcome === 'dismissed') return { email: row.email };
  throw new UserError(
    outcome === 'last'
      ? `${row.email} is the last administrator. Add another one first: npm run admin -- add EMAIL`
      : `${row.email} is no administrator. See who is: npm run admin -- list`,
  );
}

/** Generates a new password, and ends the sessions. @throws UserError when the account is no administrator's */
export async function renewPassword(
  project: HostedProject,
  email: string,
): Promise<{ email: string; password: string }> {
  const row = await findRow(project, email);
  const password = generatePassword();
  await setPassword(project, row.user_id, password);
  return { email: row.email, password };
}

/** Finds an account by its email, in any letter case. */
export async function findAccount(project: HostedProject, email: string): Promise<Account | undefined> {
  for (let page = 1; ; page += 1) {
    const { data, error } = await project.auth.listUsers({ page, perPage: PAGE_SIZE });
    if (error || !Array.isArray(data.users)) throw authError(project, error);
    const found = data.users.find((user) => isSame(user.email, email));
    if (found) return { id: found.id, email: found.email ?? email };
    if (data.users.length < PAGE_SIZE) return undefined;
  }
}

/** Finds an account by its id. */
export async function findAccountById(project: HostedProject, id: string): Promise<Account | undefined> {
  const { data, error } = await project.auth.getUserById(id);
  if (error?.status === NOT_FOUND) return undefined;
  if (error || data.user.id !== id) throw authError(project, error);
  return { id, email: data.user.email ?? '' };
}

/** Creates an account whose email counts as confirmed. @param id of the account; absent: a new one */
export async function createAccount(
  project: HostedProject,
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
  return { id: data.user.id, email };
}

async function setPassword(project: HostedProject, id: string, password: string): Promise<void> {
  const { error } = await project.auth.updateUserById(id, { password });
  if (error) throw authError(project, error);
  await project.call('end_admin_sessions', { user_id: id });
}

/** Every administrator as the database has it, the first one first. */
export async function readRows(project: HostedProject): Promise<Row[]> {
  return await callFor(project, RowsSchema, 'read_administrators');
}

async function findRow(project: HostedProject, email: string): Promise<Row> {
  const row = (await readRows(project)).find((one) => isSame(one.email, email));
  if (row) return row;
  throw new UserError(`${email} is no administrator. See who is: npm run admin -- list`);
}

function generatePassword(): string {
  return randomBytes(GENERATED_BYTES).toString('base64url');
}

function isSame(one: string | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase();
}

/** @param error null: the response is no account */
function authError({ url }: HostedProject, error: { status?: number | undefined; message: string } | null) {
  const { status, message } = error ?? { message: 'the response is something else' };
  return new UserError(
    `The accounts of ${url} could not be read or changed (${status || 'no response'}: ${message}). ${remedyOf(status)}`,
  );
}

function remedyOf(status = 0): string {
  if (status === 401 || status === 403)
    return 'Copy the URL and SUPABASE_SECRET_KEY from the same project, then run this again.';
  if (status === 429) return 'There are too many requests: run this again in a minute.';
  if (status >= 400 && status < 500) return 'Nothing was changed by this call: see what the project says.';
  return 'Check SUPABASE_URL, that the project is not paused, and the network; then run this again.';
}
