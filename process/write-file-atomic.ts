import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { UserError } from './user-error.ts';

/**
 * Writes a file so that, whenever the machine stops, it is there whole or not at all. One that is mounted by itself, as in a
 * container, cannot be replaced: it is written over, with the whole text beside it meanwhile.
 * @param owner of the file, set where this process may
 * @throws UserError where the disk holds another text than the one written, or a mounted file could not be set back
 * @throws the operating system's error with the path, such as ENOSPC: then the file is as it was
 */
export function writeDurably(
  path: string,
  text: string,
  mode: number,
  owner?: Pick<Stats, 'uid' | 'gid'>,
): void {
  const draft = `${path}.${process.pid}.draft`;
  try {
    const file = openSync(draft, 'w', mode);
    try {
      // Not writeSync, which may write a part on a disk that is nearly full.
      writeFileSync(file, text);
      if (owner) setOwner(file, owner, mode);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    if (!readFileSync(draft).equals(Buffer.from(text))) {
      throw new UserError(`${path} could not be written whole, and is as it was. Check its disk.`);
    }
    replace(path, draft, text);
  } catch (error) {
    rmSync(draft, { force: true });
    throw Object.assign(error as Error, { path });
  }
  syncFolder(dirname(path));
}

function setOwner(file: number, { uid, gid }: Pick<Stats, 'uid' | 'gid'>, mode: number): void {
  // A user who is not root may set a group of his own.
  for (const [user, group] of [
    [-1, gid],
    [uid, -1],
  ] as const) {
    try {
      fchownSync(file, user, group);
    } catch {
      // The caller compares. Not every file system has owners.
    }
  }
  // Not subject to the umask, unlike the mode of a new file.
  fchmodSync(file, mode);
}

function replace(path: string, draft: string, text: string): void {
  try {
    renameSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EBUSY') throw error;
    const former = readFileSync(path);
    try {
      writeOver(path, text);
    } catch (error) {
      try {
        writeOver(path, former);
      } catch {
        const whole = `${path}.new`;
        renameSync(draft, whole);
        throw new UserError(
          `${path} could not be written (${(error as Error).message}), and not be set back either: it has parts of two ` +
            `texts now. ${whole} has the whole new one: make room on the disk, and copy it there.`,
        );
      }
      throw error;
    }
    rmSync(draft);
  }
}

/** Cuts off the rest last, so that a full disk keeps the room of the former content for it. */
function writeOver(path: string, content: string | Buffer): void {
  const file = openSync(path, 'r+');
  try {
    writeFileSync(file, content);
    ftruncateSync(file, Buffer.byteLength(content));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
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
