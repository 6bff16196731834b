/** A folder beside the file that a backup writes. It holds a copy of the database, so that no run may leave one. */
import { existsSync, lstatSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { takeLock } from '../../process/lock-file.ts';

const WORK_FOLDER = /\.work-[A-Za-z0-9]{6}$/;
/** Locked while the folder is used; proves that this program made the folder. */
const LOCK = 'backup.lock';
/** They end the process without its `exit` event unless something listens. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Uses a folder beside the file, on the disk that needs the space anyway. Its owner alone can read it, and it is removed
 * afterwards, also when this process ends by any signal but SIGKILL.
 */
export async function withWorkFolder(file: string, use: (path: string) => Promise<void>): Promise<void> {
  await removeLeftovers(dirname(file));
  // Locked before its name is that of a work folder: another run would take it for a leftover.
  const made = mkdtempSync(`${file}.new-`);
  const release = await takeLock(join(made, LOCK), 0);
  const path = made.replace(/\.new-(\w{6})$/, '.work-$1');
  renameSync(made, path);
  const remove = () => removeFolder(path);
  process.once('exit', remove);
  const leave = () => process.exit(1);
  for (const signal of SIGNALS) process.once(signal, leave);
  try {
    await use(path);
  } finally {
    for (const signal of SIGNALS) process.off(signal, leave);
    process.off('exit', remove);
    release?.();
    remove();
  }
}

/** Removes the work folders of backups that were killed; one whose lock is held is in use. */
async function removeLeftovers(folder: string): Promise<void> {
  const leftovers = readdirSync(folder).filter((name) => WORK_FOLDER.test(name));
  for (const path of leftovers.map((name) => join(folder, name))) {
    const lock = join(path, LOCK);
    if (!lstatSync(path, { throwIfNoEntry: false })?.isDirectory() || !existsSync(lock)) continue;
    // Another user's folder, or no lock file: it is left alone.
    const release = await takeLock(lock, 0).catch(() => undefined);
    if (!release) continue;
    release();
    removeFolder(path);
  }
}

/** Another run may look at the folder's lock, or remove it too. */
function removeFolder(path: string): void {
  rmSync(path, { recursive: true, force: true, maxRetries: 5 });
}
