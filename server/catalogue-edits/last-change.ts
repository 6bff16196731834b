/** The last change of the catalogue by a command: the file before it is kept beside the catalogue. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { consoleOf, type Io } from '../../process/command.ts';
import { UserError } from '../../process/user-error.ts';
import { writeDurably } from '../../process/write-file-atomic.ts';
import { shownPath } from '../../src/catalogue/describe-problems.ts';

/**
 * Replaces the file at once. A copy of the former one is named by what is written, so that it counts for that text alone:
 * after an error or a kill the change before can still be taken back. Owner and mode stay.
 */
export function changeFile(file: string, former: string, written: string, io: Io): void {
  const earlier = copiesOf(file);
  const copy = copyBefore(file, written);
  const before = statSync(file);
  try {
    writeDurably(copy, former, before.mode & 0o777, before);
    writeDurably(file, written, before.mode & 0o777, before);
  } catch (error) {
    if (!earlier.includes(copy)) rmSync(copy, { force: true });
    throw error;
  }
  reportNewOwner(file, before, io);
  for (const other of earlier) if (other !== copy) rmSync(other);
}

/**
 * Takes the last change back.
 * @param shown the file for messages
 * @throws UserError where there is none, or where the file has been edited since
 */
export function undoChange(file: string, shown: string, io: Io): void {
  const current = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const copy = copyBefore(file, current);
  if (!existsSync(copy)) {
    const [other] = copiesOf(file);
    throw new UserError(
      other === undefined
        ? 'There is no change to take back.'
        : `${shown} has been edited since the last command, so that taking that back would lose the edit. The file before ` +
            `it is ${shownPath(other, io.cwd())}: copy what you need from there.`,
    );
  }
  const before = statSync(file);
  writeDurably(file, readFileSync(copy, 'utf8'), before.mode & 0o777, before);
  reportNewOwner(file, before, io);
  rmSync(copy);
}

/** The product may run as the former owner. */
function reportNewOwner(file: string, before: Stats, io: Io): void {
  const after = statSync(file);
  const [former, current] = [before, after].map(({ uid, gid }) => `${uid}:${gid}`);
  if (former === current) return;
  const shown = shownPath(file, io.cwd());
  consoleOf(io).warn(
    `${shown} belonged to ${former} (user:group) and now belongs to ${current}, because this user may not set it. ` +
      `If the product can no longer read it, run as root: chown ${former} ${shown}`,
  );
}

function copyBefore(file: string, written: string): string {
  return `${file}.before-${createHash('sha256').update(written).digest('hex').slice(0, 12)}`;
}

/** Not those that the owner made and named alike. */
function copiesOf(file: string): string[] {
  const start = `${basename(file)}.before-`;
  const names = readdirSync(dirname(file)).filter(
    (name) => name.startsWith(start) && /^[0-9a-f]{12}$/.test(name.slice(start.length)),
  );
  return names.map((name) => join(dirname(file), name));
}
