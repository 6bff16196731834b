/** `npm run admin -- add | remove | password | factor EMAIL` and `npm run admin -- list`: the administrators of the dashboard. */

import { mkdirSync } from 'node:fs';
import { isEmail } from '#contract/setting-formats.ts';
import { DEFAULT_ADMIN_EMAIL, type Settings, settingsOf } from '../config/settings.ts';
import { commandOf, consoleOf, type Io, runAsProcess } from '../process/command.ts';
import { wrongCommand } from '../process/did-you-mean.ts';
import { readOptions } from '../process/read-options.ts';
import { UserError } from '../process/user-error.ts';
import {
  type Administrator,
  addAdministrator,
  isSame,
  readAdministrators,
  removeAdministrator,
  renewPassword,
} from '../server/backend-client/administrators.ts';
import type { Project } from '../server/backend-client/project.ts';
import { withProject } from '../server/embedded/with-project.ts';
import { showPassword } from '../server/start/show-password.ts';
import { enrolFactor, removeFactor } from './admin/factor.ts';
import { noteFactors } from './backup/noted-factors.ts';
import { wrongEmail } from './shared/file-argument.ts';

const USAGE =
  'Please say what to do: npm run admin -- add EMAIL, remove EMAIL, password EMAIL (a new one), ' +
  'factor EMAIL (--remove takes it away), or list.';

/** Commands that change an administrator. */
const CHANGES = {
  add: { change: addAdministrator, outcome: 'is an administrator now.' },
  remove: { change: removeAdministrator, outcome: 'is no administrator any more, and is signed out.' },
  password: { change: renewPassword, outcome: 'has a new password, and is signed out.' },
};
type Change = keyof typeof CHANGES;

export const run = commandOf(async ([command = '', ...given], io) => {
  const isFactor = command === 'factor';
  const change = Object.hasOwn(CHANGES, command) ? (command as Change) : undefined;
  if (!change && !isFactor && command !== 'list')
    throw wrongCommand(command, [...Object.keys(CHANGES), 'factor', 'list'], USAGE);
  const options = isFactor ? ({ remove: { type: 'boolean' } } as const) : undefined;
  const { values, positionals } = readOptions(
    { args: given, options, allowPositionals: command !== 'list' },
    USAGE,
  );
  const isRemoved = 'remove' in values;
  const settings = settingsOf(io);
  const email = change || isFactor ? emailArgument(command, positionals) : '';
  if (change === 'remove') assertNotNamed(settings, email);
  const { log, error } = consoleOf(io);
  const act = async (project: Project): Promise<string[]> => {
    if (isFactor) {
      const outcome = isRemoved ? await removeFactor(project, email) : await enrolFactor(project, email, io);
      return settings.supabase ? outcome : [...outcome, ...(await noteFactors(settings.dataDir, project))];
    }
    const administrators = await readAdministrators(project);
    if (!change) return listLines(administrators);
    assertPasswordStays(change, email, administrators, settings, project.starts);
    return changeLines(change, await CHANGES[change].change(project, email), settings.dataDir, io);
  };
  log((await withProject(settings, act, error)).join('\n'));
});

function emailArgument(command: string, given: readonly string[]): string {
  const [email = ''] = given.map((one) => one.trim());
  if (isEmail(email) && given.length === 1) return email;
  throw wrongEmail(`npm run admin -- ${command} name@example.com`, given, isEmail);
}

/** @throws UserError where ADMIN_EMAIL would undo a removal */
function assertNotNamed({ adminEmail }: Settings, email: string): void {
  if (adminEmail === DEFAULT_ADMIN_EMAIL || !isSame(adminEmail, email)) return;
  throw new UserError(
    `ADMIN_EMAIL names ${email}, who would be an administrator again after the next start or npm run deploy:backend. ` +
      'Set ADMIN_EMAIL to another email first.',
  );
}

/** @throws UserError where the next start would set the password again, or give that of the removed one to another */
function assertPasswordStays(
  change: Change,
  email: string,
  [first, second]: Administrator[],
  { adminEmail, adminPassword }: Settings,
  starts: Project['starts'],
): void {
  if (!starts) return;
  const named = adminEmail === DEFAULT_ADMIN_EMAIL ? first?.email : adminEmail;
  const setsPassword = adminPassword !== undefined && isSame(named, email);
  if (change === 'remove' && setsPassword && second) {
    throw new UserError(
      `ADMIN_PASSWORD, which ${email} may know, would be the password of ${second.email} after the next start. ` +
        'Remove ADMIN_PASSWORD from the settings first, or change it.',
    );
  }
  if (change === 'remove' && second && isSame(starts.passwordSetFor, email)) {
    throw new UserError(
      `The running product was started with ADMIN_PASSWORD, which ${email} may know: the next start would make ${email} an ` +
        'administrator again, or set that password for another one. Change the settings where the product is started, such as in the ' +
        'service’s file, and start it again first.',
    );
  }
  if (change !== 'password') return;
  if (setsPassword) {
    throw new UserError(
      `ADMIN_PASSWORD sets the password of ${email} at each start. Change it there and start again, or remove it first.`,
    );
  }
  if (isSame(starts.passwordSetFor, email)) {
    throw new UserError(
      `The running product was started with ADMIN_PASSWORD, which sets the password of ${email} at each start. Change it ` +
        'where the product is started, such as in the service’s file, and start it again; or remove it there first.',
    );
  }
}

function changeLines(
  change: Change,
  { email, password }: { email: string; password?: string },
  dataDir: string,
  io: Io,
): string[] {
  const outcome = `${email} ${CHANGES[change].outcome}`;
  if (password === undefined) return [outcome];
  // A hosted project needs no data folder, but a password may be written to it (show-password.ts).
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  return [
    outcome,
    ...showPassword(password, dataDir, `For another one run: npm run admin -- password ${email}`, io),
  ];
}

function listLines(administrators: readonly Administrator[]): string[] {
  const hasFactors = administrators.some(({ hasFactor }) => hasFactor);
  const rows = administrators.map(({ email, since, lastSignIn, hasFactor }) => [
    email,
    minuteOf(since),
    lastSignIn === null ? 'not known' : minuteOf(lastSignIn),
    ...(hasFactors ? [hasFactor ? 'yes' : 'no'] : []),
  ]);
  const headings = ['Email', 'Administrator since', 'Last sign-in', ...(hasFactors ? ['Second factor'] : [])];
  const table = [headings, ...rows];
  const widths = (hasFactors ? [0, 1, 2] : [0, 1]).map((column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  );
  return table.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
}

/** `2026-11-23 08:41 UTC` */
function minuteOf(time: string): string {
  return `${time.slice(0, 16).replace('T', ' ')} UTC`;
}

if (import.meta.main) await runAsProcess(run);
