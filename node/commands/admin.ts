/** `npm run admin -- add | remove | password EMAIL` and `npm run admin -- list`: the administrators of the dashboard. */

import { mkdirSync } from 'node:fs';
import { isEmail } from '../config/email.ts';
import { reportAndExit } from '../config/report-and-exit.ts';
import { DEFAULT_ADMIN_EMAIL, readSettings, type Settings } from '../config/settings.ts';
import { UserError } from '../config/user-error.ts';
import { type Control, callTool, withDatabase } from '../embedded-backend/call-owner-tool.ts';
import type { Administrator, NewPassword } from '../embedded-backend/manage-administrators.ts';
import {
  addAdministrator as addHosted,
  readAdministrators as readHosted,
  removeAdministrator as removeHosted,
  renewPassword as renewHosted,
} from '../hosted-project/administrators.ts';
import { type HostedProject, openProject } from '../hosted-project/project.ts';
import { showPassword } from './show-password.ts';

const USAGE =
  'Please say what to do: npm run admin -- add EMAIL, remove EMAIL, password EMAIL (a new one), or list.';

try {
  const [command = '', email, ...more] = process.argv.slice(2);
  const run = new Map([
    ['add', add],
    ['remove', remove],
    ['password', renewPassword],
  ]).get(command);
  if (more.length > 0 || (run === undefined && (command !== 'list' || email !== undefined))) {
    throw new UserError(USAGE);
  }
  const settings = readSettings();
  const named = run && emailArgument(command, email);
  const lines = settings.supabase
    ? await runHosted(openProject(settings.supabase), command, named ?? '', settings)
    : await withDatabase(settings.dataDir, async (control) =>
        run === undefined ? listLines(await readAll(control)) : run(control, settings, named ?? ''),
      );
  console.log(lines.join('\n'));
} catch (error) {
  reportAndExit(error);
}

function emailArgument(command: string, given = ''): string {
  const email = given.trim();
  if (isEmail(email)) return email;
  throw new UserError(
    `Please name one email address, like this: npm run admin -- ${command} name@example.com`,
  );
}

async function add(control: Control, { dataDir }: Settings, email: string): Promise<string[]> {
  const added = await change<NewPassword>(control, 'add-administrator', email);
  return [`${added.email} is an administrator now.`, ...passwordLines(added, dataDir)];
}

async function remove(control: Control, settings: Settings, email: string): Promise<string[]> {
  await mustStayRemoved(control, settings, email);
  const removed = await change<{ email: string }>(control, 'remove-administrator', email);
  return [`${removed.email} is no administrator any more, and is signed out.`];
}

async function renewPassword(control: Control, settings: Settings, email: string): Promise<string[]> {
  if (settings.adminPassword !== undefined && isSame(await emailOfPassword(control, settings), email)) {
    throw new UserError(
      `ADMIN_PASSWORD sets the password of ${email} at each start. Change it there and start again, or remove it first.`,
    );
  }
  if (isSame(control.passwordSetFor, email)) {
    throw new UserError(
      `The running product was started with ADMIN_PASSWORD, which sets the password of ${email} at each start. Change it ` +
        'where the product is started, such as in the service’s file, and start it again; or remove it there first.',
    );
  }
  const renewed = await change<NewPassword>(control, 'administrator-password', email);
  return [
    `${renewed.email} has a new password, and is signed out.`,
    ...passwordLines(renewed, settings.dataDir),
  ];
}

/** The same on a hosted project, where no start sets a password, and npm run deploy:backend appoints ADMIN_EMAIL. */
async function runHosted(
  project: HostedProject,
  command: string,
  email: string,
  settings: Settings,
): Promise<string[]> {
  const { dataDir } = settings;
  // A hosted project needs no data folder, but a password may be written to it (show-password.ts).
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  switch (command) {
    case 'add': {
      const added = await addHosted(project, email);
      return [`${added.email} is an administrator now.`, ...passwordLines(added, dataDir)];
    }
    case 'remove':
      if (isChoice(settings) && isSame(settings.adminEmail, email)) {
        throw new UserError(
          `ADMIN_EMAIL names ${email}, who would be an administrator again after the next npm run deploy:backend. ` +
            'Set ADMIN_EMAIL to another email first.',
        );
      }
      return [`${await removeHosted(project, email)} is no administrator any more, and is signed out.`];
    case 'password': {
      const renewed = await renewHosted(project, email);
      return [`${renewed.email} has a new password, and is signed out.`, ...passwordLines(renewed, dataDir)];
    }
    default:
      return listLines(await readHosted(project));
  }
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

/** @throws UserError where the next start would undo a removal, or give the removed one's password to another */
async function mustStayRemoved(control: Control, settings: Settings, email: string): Promise<void> {
  if (isChoice(settings) && isSame(settings.adminEmail, email)) {
    throw new UserError(
      `ADMIN_EMAIL names ${email}, who would be an administrator again after the next start. ` +
        'Set ADMIN_EMAIL to another email first.',
    );
  }
  if (settings.adminPassword === undefined || isChoice(settings)) return;
  const [first, second] = await readAll(control);
  if (second === undefined || !isSame(first?.email, email)) return;
  throw new UserError(
    `ADMIN_PASSWORD, which ${email} may know, would be the password of ${second.email} after the next start. ` +
      'Remove ADMIN_PASSWORD from the settings first, or change it.',
  );
}

/** Whose password ADMIN_PASSWORD sets at each start. */
async function emailOfPassword(control: Control, settings: Settings): Promise<string | undefined> {
  return isChoice(settings) ? settings.adminEmail : (await readAll(control))[0]?.email;
}

function isChoice({ adminEmail }: Settings): boolean {
  return adminEmail !== DEFAULT_ADMIN_EMAIL;
}

function isSame(one: string | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase();
}

function passwordLines({ email, password }: NewPassword, dataDir: string): string[] {
  return showPassword(password, dataDir, `For another one run: npm run admin -- password ${email}`);
}

async function readAll(control: Control): Promise<Administrator[]> {
  return (await (await callTool(control, 'administrators')).json()) as Administrator[];
}

async function change<Result>(control: Control, tool: string, email: string): Promise<Result> {
  return (await (await callTool(control, tool, { method: 'POST', body: email })).json()) as Result;
}

/** `2026-11-23 08:41 UTC` */
function minuteOf(time: string): string {
  return `${time.slice(0, 16).replace('T', ' ')} UTC`;
}
