/** The administrator that every start makes sure of; `npm run admin` changes the others. */
import { DEFAULT_ADMIN_EMAIL } from '../../config/settings.ts';
import {
  addAdministrator,
  isSame,
  readAccounts,
  readRows,
  rejectWeak,
  setPassword,
} from '../backend-client/administrators.ts';
import { type Control, callControl } from './call-control.ts';
import type { JudgedPassword } from './control.ts';
import { projectOf } from './with-project.ts';

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
 * meant. No administrator is removed. With `password`, sets it (and ends the sessions of an older one: an access token stays
 * valid until it expires, and is not renewed). Without, an administrator keeps the password, and any other account gets a
 * random one: a removed administrator may know the old one.
 * @param siteWords words that are too easy to guess for a password (password-strength.ts)
 * @throws UserError for a new password that is too weak; an administrator's present one gets a warning
 */
export async function ensureAdministrator(
  control: Control,
  wanted: string,
  password: string | undefined,
  siteWords: readonly string[] = [],
): Promise<AdministratorChange> {
  const project = projectOf(control);
  const rows = await readRows(project);
  const administrators = rows.map((row) => row.email);
  const email = wanted === DEFAULT_ADMIN_EMAIL ? (administrators[0] ?? wanted) : wanted;
  const row = rows.find((one) => isSame(one.email, email));
  if (!row) {
    const isThere = (await readAccounts(project)).some((account) => isSame(account.email, email));
    const added = await addAdministrator(project, email, password, siteWords);
    return {
      email: added.email,
      change: isThere ? 'password_changed' : 'created',
      generatedPassword: password === undefined ? added.password : undefined,
      administrators: [...administrators, added.email],
    };
  }
  const present = { email: row.email, administrators };
  if (password === undefined) return { ...present, change: 'none' };
  // In the project's thread: a sign-in would count as the last one of a person, and the judging would hold up pages.
  const body = JSON.stringify({ id: row.user_id, email, password, siteWords });
  const { isPresent, weakness } = await callControl(
    control,
    'judge-password',
    (response): Promise<JudgedPassword> => response.json(),
    { method: 'POST', body },
  );
  if (isPresent) {
    const warning =
      weakness && `ADMIN_PASSWORD ${weakness}. It still opens the account; set a better one soon.`;
    return { ...present, change: 'none', ...(warning && { warning }) };
  }
  rejectWeak(weakness);
  await setPassword(project, row.user_id, password);
  return { ...present, change: 'password_changed' };
}
