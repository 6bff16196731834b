/** Commands that an owner runs on the server where the product itself cannot. */
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, relative } from 'node:path';
import { csvCell } from '#contract/csv-cell.ts';
import type { NameChange } from '#contract/names.ts';
import { shownPath } from '../../src/catalogue/describe-problems.ts';

/** Users below it are those of services, which no one signs in as. */
const FIRST_PERSON = 1_000;
const STATE_COMMANDS = { sold: 'sold', reserved: 'reserve', '': 'for-sale' } as const;

interface ReadOnly {
  readonly problem: string;
  /** The beginning of a command: `cd /srv/shop && sudo -u storefront npm run catalogue --`. */
  readonly command: string;
}

/** Why this process cannot write or replace a file; undefined if it can. @param cwd the clone's folder */
export function whyReadOnly(file: string, cwd: string): ReadOnly | undefined {
  const shown = shownPath(file, cwd);
  let folder = dirname(file);
  while (!existsSync(folder)) folder = dirname(folder);
  for (const path of existsSync(file) ? [folder, file] : [folder]) {
    try {
      accessSync(path, constants.W_OK);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const owner = nameOf(statSync(path).uid);
      const problem =
        code === 'EROFS'
          ? `${shown} is on a read-only file system.`
          : `${shownPath(path, cwd) || '.'} belongs to the user ${owner}, and the product runs as ${nameOf(userInfo().uid)}.`;
      const asOwner = code === 'EROFS' ? sudo(statSync(path).uid) : `sudo -u ${owner} `;
      return { problem, command: `cd ${quoted(cwd)} && ${asOwner}npm run catalogue --` };
    }
  }
  return undefined;
}

/** The whole command that makes these changes. @param start as `whyReadOnly` returns it */
export function commandFor(changes: readonly NameChange[], start: string, file: string, cwd: string): string {
  const names = changes.map(({ name }) => name);
  const states = new Set(changes.map(({ field, to }) => (field === 'state' ? (to ?? '') : undefined)));
  const [state] = states;
  if (states.size === 1 && state !== undefined)
    return `${start} ${STATE_COMMANDS[state as keyof typeof STATE_COMMANDS] ?? 'check'} ${names.join(' ')}`;
  const isList = changes.every(
    ({ field, to }) => ['price', 'entry'].includes(field) && (to !== null || field === 'entry'),
  );
  if (isList) {
    const lines = ['name,price', ...changes.map(({ name, to }) => `${name},${csvCell(to ?? '')}`)];
    const list = `printf '%s\\n' ${lines.map(quoted).join(' ')} | `;
    return `${start.replace(/&& /, () => `&& ${list}`)} import - --yes`;
  }
  const editor = `\${EDITOR:-nano} ${quoted(relative(cwd, file).startsWith('..') ? file : relative(cwd, file))}`;
  return start.replace('npm run catalogue --', () => editor);
}

/** Builds by hand. */
export function buildCommand(cwd: string): string {
  return `cd ${quoted(cwd)} && ${sudo(userInfo().uid)}npm run build`;
}

/** Nothing for root, and for a person who runs the product. */
function sudo(uid: number): string {
  return uid > 0 && uid < FIRST_PERSON ? `sudo -u ${nameOf(uid)} ` : '';
}

/** The user's name, else `#1000`, as sudo takes it. */
function nameOf(uid: number): string {
  const users = existsSync('/etc/passwd') ? readFileSync('/etc/passwd', 'utf8').split('\n') : [];
  return users.find((line) => line.split(':')[2] === String(uid))?.split(':')[0] ?? `'#${uid}'`;
}

/** For a shell of POSIX. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
