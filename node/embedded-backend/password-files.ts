import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isPasswordOf } from './accounts.ts';
import type { OpenDatabase } from './open-database.ts';

/** Names of the files with generated passwords, which the commands write (show-password.ts). */
const PASSWORD_FILE = /^admin-password(?:-\d+)?\.txt$/;

/** Finds those whose password opens the account of an administrator. Others may be a hosted project's. */
export async function passwordFiles(dataDir: string, database: OpenDatabase): Promise<string[]> {
  const names = readdirSync(dataDir).filter((name) => PASSWORD_FILE.test(name));
  if (names.length === 0) return [];
  const { rows } = await database.sql.query<{ id: string }>('select user_id as id from private.admins');
  const found: string[] = [];
  for (const file of names.map((name) => join(dataDir, name))) {
    const password = readFileSync(file, 'utf8').trim();
    const matches = await Promise.all(rows.map(({ id }) => isPasswordOf(database, id, password)));
    if (matches.includes(true)) found.push(file);
  }
  return found;
}
