/** The last change of the catalogue by a command: the former file beside it, and a record of what was written. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import * as z from 'zod';
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

interface Change {
  readonly command: string;
  /** The whole file before and after the change. */
  readonly former: string;
  readonly written: string;
}

/** Writes both files before the catalogue itself, so that a change that was killed in between can be told by its hash. */
export function recordChange(file: string, { command, former, written }: Change): void {
  const mode = statSync(file).mode & 0o777;
  writeDurably(formerFile(file), former, mode);
  const record = { command, former: hash(former), written: hash(written) };
  writeDurably(recordFile(file), `${JSON.stringify(record, null, 2)}\n`, mode);
}

/**
 * Takes the last change back; a second call does it again.
 * @param shown the file for messages
 * @returns the command whose change was taken back
 * @throws UserError where there is none, or where the file has been edited since
 */
export function undoChange(file: string, shown: string): string {
  const record = readRecord(file);
  const former = record && read(formerFile(file));
  const current = read(file);
  if (!record || former === undefined || current === undefined || hash(former) !== record.former) {
    throw new UserError('There is no change to take back.');
  }
  if (hash(current) === record.former) {
    throw new UserError(`There is no change to take back: “${record.command}” has written nothing.`);
  }
  if (hash(current) !== record.written) {
    throw new UserError(
      `${shown} has been edited since “${record.command}”, so that taking it back would lose the edit. The file before ` +
        `that command is ${shown}.before: copy what you need from it.`,
    );
  }
  recordChange(file, { command: undoOf(record.command), former: current, written: former });
  writeDurably(file, former, statSync(file).mode & 0o777);
  return record.command;
}

function undoOf(command: string): string {
  return command.startsWith('undo of ') ? command.slice('undo of '.length) : `undo of ${command}`;
}

function readRecord(file: string): z.infer<typeof RecordSchema> | undefined {
  try {
    return RecordSchema.parse(JSON.parse(readFileSync(recordFile(file), 'utf8')));
  } catch {
    return undefined;
  }
}

function read(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
