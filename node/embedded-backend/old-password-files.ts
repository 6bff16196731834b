import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isPasswordOf } from './accounts.ts';
import type { OpenDatabase } from './open-database.ts';

/** Names of the files with generated passwords, which the commands write (show-password.ts). */
const PASSWORD_FILE = /^admin-password(?:-\d+)?\.txt$/;

/** Removes those whose password is no administrator's any more. */
export async function removeOldPasswordFiles(dataDir: string, database: OpenDatabase): Promise<void> {
  const names = readdirSync(dataDir).filter((name) => PASSWORD_FILE.test(name));
  if (names.length === 0) return;
  const { rows } = await database.sql.query<{ id: string }>('select user_id as id from private.admins');
  for (const file of names.map((name) => join(dataDir, name))) {
    const password = readFileSync(file, 'utf8').trim();
    const matches = await Promise.all(rows.map(({ id }) => isPasswordOf(database, id, password)));
    if (!matches.includes(true)) rmSync(file, { force: true });
  }
}
