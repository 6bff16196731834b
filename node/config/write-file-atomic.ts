import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { UserError } from './user-error.ts';

/**
 * Writes a file so that, whenever the machine stops, it is there whole or not at all.
 * @throws UserError where the disk holds another text than the one written
 * @throws the operating system's error with the path, such as ENOSPC: then the file is as it was
 */
export function writeDurably(path: string, text: string, mode: number): void {
  const draft = `${path}.${process.pid}.draft`;
  try {
    const file = openSync(draft, 'w', mode);
    try {
      // Not writeSync, which may write a part on a disk that is nearly full.
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    if (!readFileSync(draft).equals(Buffer.from(text))) {
      throw new UserError(`${path} could not be written whole, and is as it was. Check its disk.`);
    }
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw Object.assign(error as Error, { path });
  }
  syncFolder(dirname(path));
}

/** Makes the names in a folder durable, after a rename. Not every system lets a folder be synced. */
export function syncFolder(path: string): void {
  try {
    const folder = openSync(path, 'r');
    fsyncSync(folder);
    closeSync(folder);
  } catch {
    // Windows: its file systems keep renames in order themselves.
  }
}
