/** The last change of the catalogue by a command: the former file beside it, and a record of what was written. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import * as z from 'zod';
import { messageFor } from '../config/report-and-exit.ts';
import { UserError } from '../config/user-error.ts';
import { writeDurably } from '../config/write-file-atomic.ts';

const RecordSchema = z.strictObject({
  /** The command that made the change, such as `import names.csv`. */
  command: z.string(),
  /** SHA-256 of the file before and after the change, in hexadecimal. */
  former: z.string(),
  written: z.string(),
});

/** The former file, which can also be copied back by hand. */
const formerFile = (file: string) => `${file}.before`;
const recordFile = (file: string) => `${file}.change.json`;
/** Begins the command that is recorded for `undo`. */
const UNDO_OF = 'undo of ';
/** Ends the names of both files until the catalogue is written. */
const PENDING = '.pending';

interface Change {
  readonly command: string;
  /** The whole file before and after the change. */
  readonly former: string;
  readonly written: string;
}

/**
 * Replaces the file at once, and keeps the former one for `undo`. Until then the change before can be undone: an error
 * or a kill takes nothing from it.
 * @throws UserError where the file could not be written, such as on a full disk; it is as it was then
 */
export function changeFile(file: string, shown: string, { command, former, written }: Change): void {
  completeChange(file);
  const mode = statSync(file).mode & 0o777;
  const record = { command, former: hash(former), written: hash(written) };
  try {
    writeDurably(formerFile(file) + PENDING, former, mode);
    writeDurably(recordFile(file) + PENDING, `${JSON.stringify(record, null, 2)}\n`, mode);
    writeDurably(file, written, mode);
  } catch (error) {
    removePending(file);
    const why = messageFor(error);
    throw why === undefined ? error : new UserError(`${why}\n${shown} is as it was.`);
  }
  completeChange(file);
}

/**
 * Takes the last change back; a second call does it again.
 * @param shown the file for messages
 * @returns the command whose change was taken back
 * @throws UserError where there is none, or where the file has been edited since
 */
export function undoChange(file: string, shown: string): string {
  completeChange(file);
  const record = readRecord(recordFile(file));
  const former = readIfThere(formerFile(file));
  const current = readIfThere(file);
  if (current === '' || hash(former) !== record?.former)
    throw new UserError('There is no change to take back.');
  if (hash(current) === record.former) {
    throw new UserError(`There is no change to take back: ${shown} is as it was before “${record.command}”.`);
  }
  if (hash(current) !== record.written) {
    throw new UserError(
      `${shown} has been edited since “${record.command}”, so that taking it back would lose the edit. The file before ` +
        `that command is ${shown}.before: copy what you need from it.`,
    );
  }
  const { command } = record;
  const undo = command.startsWith(UNDO_OF) ? command.slice(UNDO_OF.length) : UNDO_OF + command;
  changeFile(file, shown, { command: undo, former: current, written: former });
  return command;
}

/** Makes the pending files those of the last change if the catalogue was written, and removes them if it was not. */
function completeChange(file: string): void {
  const record = readRecord(recordFile(file) + PENDING);
  if (record?.written !== hash(readIfThere(file))) {
    removePending(file);
    return;
  }
  // A kill between these two leaves the record, and the next call continues.
  if (existsSync(formerFile(file) + PENDING)) renameSync(formerFile(file) + PENDING, formerFile(file));
  renameSync(recordFile(file) + PENDING, recordFile(file));
}

function removePending(file: string): void {
  rmSync(formerFile(file) + PENDING, { force: true });
  rmSync(recordFile(file) + PENDING, { force: true });
}

function readRecord(path: string): z.infer<typeof RecordSchema> | undefined {
  try {
    return RecordSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return undefined;
  }
}

/** Empty where the file is missing. No catalogue is empty. */
function readIfThere(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
