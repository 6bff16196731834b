/** `npm run admin -- add | remove | password EMAIL` and `npm run admin -- list`: the administrators of the dashboard. */

import { mkdirSync } from 'node:fs';
import { isEmail } from '#contract/setting-formats.ts';
import { DEFAULT_ADMIN_EMAIL, readSettings, type Settings } from '../config/settings.ts';
import { UserError } from '../config/user-error.ts';
import { type Control, withDatabase } from '../embedded-backend/call-owner-tool.ts';
import type { Administrator } from '../embedded-backend/manage-administrators.ts';
import * as hosted from '../hosted-project/administrators.ts';
import { type HostedProject, openProject } from '../hosted-project/project.ts';
import { readTool } from './read-tool.ts';
import { showPassword } from './show-password.ts';
import './report-errors.ts';

const USAGE =
  'Please say what to do: npm run admin -- add EMAIL, remove EMAIL, password EMAIL (a new one), or list.';

/** Commands that change an administrator: by a tool of the embedded database, or on a hosted project. */
const CHANGES = {
  add: {
    tool: 'add-administrator',
    onProject: hosted.addAdministrator,
    outcome: 'is an administrator now.',
  },
  remove: {
    tool: 'remove-administrator',
    onProject: hosted.removeAdministrator,
    outcome: 'is no administrator any more, and is signed out.',
  },
  password: {
    tool: 'administrator-password',
    onProject: hosted.renewPassword,
    outcome: 'has a new password, and is signed out.',
  },
};
type Change = keyof typeof CHANGES;

interface Changed {
  /** As the account has it. */
  readonly email: string;
  /** A new one, where there is one. */
  readonly password?: string;
}

const [command = '', given, ...more] = process.argv.slice(2);
const change = Object.hasOwn(CHANGES, command) ? (command as Change) : undefined;
if (more.length > 0 || (!change && (command !== 'list' || given !== undefined))) throw new UserError(USAGE);
const settings = readSettings();
const email = change ? emailArgument(change, given) : '';
if (change === 'remove') assertNotNamed(settings, email);
const { dataDir, supabase } = settings;
const lines = supabase
  ? await inProject(openProject(supabase), dataDir, change, email)
  : await withDatabase(dataDir, (control) => inDatabase(control, settings, change, email));
console.log(lines.join('\n'));

function emailArgument(command: string, given = ''): string {
  const email = given.trim();
  if (isEmail(email)) return email;
  throw new UserError(
    `Please name one email address, like this: npm run admin -- ${command} name@example.com`,
  );
}

/** @throws UserError where ADMIN_EMAIL would undo a removal */
function assertNotNamed({ adminEmail, supabase }: Settings, email: string): void {
  if (adminEmail === DEFAULT_ADMIN_EMAIL || !isSame(adminEmail, email)) return;
  throw new UserError(
    `ADMIN_EMAIL names ${email}, who would be an administrator again after the next ` +
      `${supabase ? 'npm run deploy:backend' : 'start'}. Set ADMIN_EMAIL to another email first.`,
  );
}

async function inDatabase(
  control: Control,
  settings: Settings,
  change: Change | undefined,
  email: string,
): Promise<string[]> {
  const administrators = await readTool<Administrator[]>(control, 'administrators');
  if (!change) return listLines(administrators);
  assertPasswordStays(change, email, administrators, settings, control.passwordSetFor);
  return changeLines(change, await readTool(control, CHANGES[change].tool, email), settings.dataDir);
}

/** No start sets a password there. */
async function inProject(
  project: HostedProject,
  dataDir: string,
  change: Change | undefined,
  email: string,
): Promise<string[]> {
  // A hosted project needs no data folder, but a password may be written to it (show-password.ts).
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  if (!change) return listLines(await hosted.readAdministrators(project));
  return changeLines(change, await CHANGES[change].onProject(project, email), dataDir);
}

/** @throws UserError where the next start would set the password again, or give that of the removed one to another */
function assertPasswordStays(
  change: Change,
  email: string,
  [first, second]: Administrator[],
  { adminEmail, adminPassword }: Settings,
  passwordSetFor: string | undefined,
): void {
  const named = adminEmail === DEFAULT_ADMIN_EMAIL ? first?.email : adminEmail;
  const setsPassword = adminPassword !== undefined && isSame(named, email);
  if (change === 'remove' && setsPassword && second) {
    throw new UserError(
      `ADMIN_PASSWORD, which ${email} may know, would be the password of ${second.email} after the next start. ` +
        'Remove ADMIN_PASSWORD from the settings first, or change it.',
    );
  }
  if (change !== 'password') return;
  if (setsPassword) {
    throw new UserError(
      `ADMIN_PASSWORD sets the password of ${email} at each start. Change it there and start again, or remove it first.`,
    );
  }
  if (isSame(passwordSetFor, email)) {
    throw new UserError(
      `The running product was started with ADMIN_PASSWORD, which sets the password of ${email} at each start. Change it ` +
        'where the product is started, such as in the service’s file, and start it again; or remove it there first.',
    );
  }
}

function isSame(one: string | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase();
}

function changeLines(change: Change, { email, password }: Changed, dataDir: string): string[] {
  const outcome = `${email} ${CHANGES[change].outcome}`;
  if (password === undefined) return [outcome];
  return [
    outcome,
    ...showPassword(password, dataDir, `For another one run: npm run admin -- password ${email}`),
  ];
}

function listLines(administrators: readonly Administrator[]): string[] {
  const rows = administrators.map(({ email, since, lastSignIn }) => [
    email,
    minuteOf(since),
    lastSignIn === null ? 'not known' : minuteOf(lastSignIn),
  ]);
  const table = [['Email', 'Administrator since', 'Last sign-in'], ...rows];
  const widths = [0, 1].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
}

/** `2026-11-23 08:41 UTC` */
function minuteOf(time: string): string {
  return `${time.slice(0, 16).replace('T', ' ')} UTC`;
}
