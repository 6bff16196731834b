import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/**
 * Takes a lock that no two processes hold at once. SQLite's file lock is the operating system's own: no other process
 * gets it while the holder lives, and a killed holder leaves nothing behind.
 * @param patience how long another process may still hold it, in milliseconds
 * @returns lets go of it; undefined where another process held it all the time
 * @throws SQLite's error where the file cannot be opened or locked
 */
export async function takeLock(path: string, patience: number): Promise<(() => void) | undefined> {
  const deadline = Date.now() + patience;
  for (;;) {
    const file = new DatabaseSync(path);
    try {
      file.exec('pragma locking_mode = exclusive; begin exclusive');
      return () => file.close();
    } catch (error) {
      file.close();
      if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error;
    }
    if (Date.now() >= deadline) return undefined;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Whether a process holds a lock. False where there is no such file, or where this user may not know it. */
export async function isLocked(path: string): Promise<boolean> {
  if (!existsSync(path)) return false;
  try {
    const release = await takeLock(path, 0);
    release?.();
    return release === undefined;
  } catch {
    return false;
  }
}

const SQLITE_BUSY = 5;
