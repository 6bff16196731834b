/**
 * Emails of the administrators with a second factor, in the data folder and beside its backups, so that `npm run restore`
 * reports whose factor an older backup lacks.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { UserError } from '../../process/user-error.ts';
import { writeDurably } from '../../process/write-file-atomic.ts';
import { readRows } from '../../server/backend-client/administrators.ts';
import type { Project } from '../../server/backend-client/project.ts';
import { backupFolder } from './backup-erasures.ts';

const FACTORS_FILE = 'second-factors.json';

const EmailsSchema = z.array(z.string());

/** Notes the present ones. Returns a warning where that fails, since the factor itself is changed by then. */
export async function noteFactors(dataDir: string, project: Project): Promise<string[]> {
  try {
    const emails = (await readRows(project)).flatMap(({ email, has_factor }) => (has_factor ? [email] : []));
    writeDurably(join(dataDir, FACTORS_FILE), `${JSON.stringify(emails)}\n`, 0o600);
    const folder = backupFolder(dataDir);
    if (folder !== undefined) copyFactors(dataDir, folder);
    return [];
  } catch (error) {
    return [
      `${FACTORS_FILE} could not be written (${error instanceof Error ? error.message : error}): npm run restore may not ` +
        'report a backup in which a factor is missing.',
    ];
  }
}

/** Copies the file beside backups. Without a factor so far there is none. */
export function copyFactors(dataDir: string, folder: string): void {
  const file = join(dataDir, FACTORS_FILE);
  if (existsSync(file) && dataDir !== folder)
    writeDurably(join(folder, FACTORS_FILE), readFileSync(file, 'utf8'), 0o600);
}

/** Every email that is noted in one of the folders. @throws UserError where a file is damaged */
export function notedFactors(folders: readonly string[]): string[] {
  const files = folders.map((folder) => join(folder, FACTORS_FILE)).filter((file) => existsSync(file));
  const emails = files.flatMap((file) => {
    try {
      return EmailsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    } catch {
      throw new UserError(`${file} could not be read or is damaged. Move it away to restore without it.`);
    }
  });
  return [...new Set(emails)];
}
