/** Copies of the data folder's erasures beside its backups, where `npm run restore` reads them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { UserError } from '../../process/user-error.ts';
import { writeDurably } from '../../process/write-file-atomic.ts';
import { mergeErasures, readErasures, writeErasures } from '../../server/embedded/erasures.ts';

/** In the data folder: the folder of the last dated backup, so that an erasure is noted there at once. */
const FOLDER_FILE = 'backup-folder';

/**
 * Adds the erasures of a data folder to the file beside the backups. Compares again after it has written, because
 * another erasure or backup may have done the same meanwhile.
 * @param evenIfNone also makes a file without erasures, from which a restore knows that there were none
 */
export function copyErasures(dataDir: string, folder: string, evenIfNone: boolean): void {
  for (;;) {
    const noted = readErasures(dataDir);
    if (!noted && !evenIfNone) return;
    const beside = readErasures(folder);
    const merged = mergeErasures(beside ?? [], noted ?? []);
    if (beside && isDeepStrictEqual(beside, merged)) return;
    writeErasures(folder, merged);
  }
}

export function rememberBackupFolder(dataDir: string, folder: string): void {
  if (backupFolder(dataDir) === folder) return;
  writeDurably(join(dataDir, FOLDER_FILE), `${folder}\n`, 0o600);
}

/** Undefined before the first dated backup. */
export function backupFolder(dataDir: string): string | undefined {
  try {
    return readFileSync(join(dataDir, FOLDER_FILE), 'utf8').trim() || undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new UserError(`${join(dataDir, FOLDER_FILE)} could not be read (${(error as Error).message}).`);
  }
}
