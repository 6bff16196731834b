/** The administrator that every start makes sure of; the owner's commands change the others (manage-administrators.ts). */
import { DEFAULT_ADMIN_EMAIL } from '../config/settings.ts';
import { UserError } from '../config/user-error.ts';
import { changePassword, createAccount, generatePassword, isPasswordOf } from './accounts.ts';
import { appoint, findAccount, readAdministrators } from './manage-administrators.ts';
import type { DatabaseKeys, OpenDatabase } from './open-database.ts';
import { MIN_PASSWORD, weaknessOf } from './password-strength.ts';

export interface AdministratorChange {
  email: string;
  /** Whether this start created the account, changed its password, or neither. */
  change: 'created' | 'password_changed' | 'none';
  /** The password generated for a new administrator: shown once, stored nowhere. */
  generatedPassword?: string | undefined;
  /** Present when the account's password would not be accepted as a new one. */
  warning?: string | undefined;
  /** Emails of all administrators, the first one first. */
  administrators: string[];
}

/**
 * Makes sure that `wanted` is an administrator, or, where it is the default, that there is one: then the first one is
 * meant. No administrator is removed. With `password`, sets it (and ends the sessions of an older one: an access token stays valid
 * until it expires, and is not renewed). Without, an administrator keeps the password, and any other account gets a
 * random one: a removed administrator may know the old one.
 * @param siteWords words that are too easy to guess for a password (password-strength.ts)
 * @throws UserError for a new password that is too weak; an administrator's present one gets a warning
 */
export async function ensureAdministrator(
  database: OpenDatabase,
  keys: DatabaseKeys,
  wanted: string,
  password: string | undefined,
  siteWords: readonly string[] = [],
): Promise<AdministratorChange> {
  const isChoice = wanted !== DEFAULT_ADMIN_EMAIL;
  const email = isChoice ? wanted : ((await readAdministrators(database))[0]?.email ?? wanted);
  const changed = await ensure(database, keys, email, password, siteWords);
  const administrators = (await readAdministrators(database)).map((one) => one.email);
  return { email, ...changed, administrators };
}

async function ensure(
  database: OpenDatabase,
  keys: DatabaseKeys,
  email: string,
  password: string | undefined,
  siteWords: readonly string[],
): Promise<Pick<AdministratorChange, 'change' | 'generatedPassword' | 'warning'>> {
  const account = await findAccount(database, email);
  const isKept =
    account !== undefined &&
    (password === undefined
      ? account.isAdministrator
      : await isPasswordOf(database, keys, account.id, { email, password }));
  const weakness = password === undefined ? undefined : await weaknessOf(password, email, siteWords);
  if (weakness && !(isKept && account?.isAdministrator)) {
    throw new UserError(
      `ADMIN_PASSWORD ${weakness}. Choose another one, of ${MIN_PASSWORD} characters or more.`,
    );
  }
  if (isKept) {
    await appoint(database, account.id);
    const warning =
      weakness && `ADMIN_PASSWORD ${weakness}. It still opens the account; set a better one soon.`;
    return { change: 'none', ...(warning ? { warning } : {}) };
  }
  const chosen = password ?? generatePassword();
  const generatedPassword = password === undefined ? chosen : undefined;
  if (account === undefined) {
    await appoint(database, await createAccount(database, keys, { email, password: chosen }));
    return { change: 'created', generatedPassword };
  }
  await changePassword(database, keys, account.id, chosen);
  await appoint(database, account.id);
  return { change: 'password_changed', generatedPassword };
}
