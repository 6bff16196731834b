/** The administrator that every start makes sure of; the owner's commands change the others (manage-administrators.ts). */
import { DEFAULT_ADMIN_EMAIL } from '../config/settings.ts';
import { UserError } from '../config/user-error.ts';
import { generatePassword, isPasswordOf } from './accounts.ts';
import { appoint, appointWithPassword, findAccount, readAdministrators } from './manage-administrators.ts';
import type { OpenDatabase } from './open-database.ts';
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
  wanted: string,
  password: string | undefined,
  siteWords: readonly string[] = [],
): Promise<AdministratorChange> {
  const [first] = wanted === DEFAULT_ADMIN_EMAIL ? await readAdministrators(database) : [];
  const email = first?.email ?? wanted;
  const changed = await ensure(database, email, password, siteWords);
  const administrators = (await readAdministrators(database)).map((one) => one.email);
  return { email, ...changed, administrators };
}

async function ensure(
  database: OpenDatabase,
  email: string,
  password: string | undefined,
  siteWords: readonly string[],
): Promise<Pick<AdministratorChange, 'change' | 'generatedPassword' | 'warning'>> {
  const account = await findAccount(database, email);
  const isKept =
    account !== undefined &&
    (password === undefined ? account.isAdministrator : await isPasswordOf(database, account.id, password));
  const weakness = password === undefined ? undefined : await weaknessOf(password, email, siteWords);
  if (weakness && !(isKept && account?.isAdministrator)) {
    throw new UserError(
      `ADMIN_PASSWORD ${weakness}. Choose another one, of ${MIN_PASSWORD} characters or more.`,
    );
  }
  if (isKept) {
    await appoint(database, account.id);
    if (!weakness) return { change: 'none' };
    return {
      change: 'none',
      warning: `ADMIN_PASSWORD ${weakness}. It still opens the account; set a better one soon.`,
    };
  }
  const chosen = password ?? generatePassword();
  await appointWithPassword(database, email, account, chosen);
  return {
    change: account === undefined ? 'created' : 'password_changed',
    generatedPassword: password === undefined ? chosen : undefined,
  };
}
