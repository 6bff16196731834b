import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';

const SQLITE_BUSY = 5;

/**
 * Takes a lock that no two processes hold at once. SQLite's file lock is the operating system's own: no other process
 * gets it while the holder lives, and a killed holder leaves nothing behind.
 * @param timeout how long another process may still hold it, in milliseconds
 * @returns a function that releases it; undefined when another process held it all the time
 * @throws SQLite's error where the file cannot be opened or locked
 */
export async function takeLock(path: string, timeout: number): Promise<(() => void) | undefined> {
  const deadline = Date.now() + timeout;
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
    await pause(100);
  }
}

/** Whether a process holds a lock. False also when there is no such file, or this user may not open it. */
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
