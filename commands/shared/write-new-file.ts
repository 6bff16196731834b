import { createWriteStream, openSync, renameSync, rmSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { UserError } from '../../process/user-error.ts';
import { mustNotExist } from './file-argument.ts';

/**
 * Writes a file of personal data, for its owner alone to read, under a draft's name until it is complete. Nothing that
 * is there already is written over or removed.
 * @param draft on the same disk
 */
export async function writeNewFile(
  file: string,
  content: NodeJS.ReadableStream | AsyncIterable<string>,
  draft = `${file}.draft`,
): Promise<void> {
  const fd = openNew(draft);
  try {
    await pipeline(content, createWriteStream(draft, { fd, flush: true }));
    mustNotExist(file);
    renameSync(draft, file);
  } catch (error) {
    // The error of a stream has no path, without which the message for the owner is incomplete.
    const { code, path = file } = error as NodeJS.ErrnoException;
    throw code === undefined ? error : Object.assign(error as Error, { path });
  } finally {
    rmSync(draft, { force: true });
  }
}

function openNew(draft: string): number {
  try {
    return openSync(draft, 'wx', 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UserError(
      code === 'EEXIST'
        ? `${draft} is there already, perhaps from a run that was interrupted. Remove it, or name another file.`
        : `${draft} cannot be written (${code}).`,
    );
  }
}
