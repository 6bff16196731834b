/** Copies of a database after its first boot (tests/support/booted-data-folder.ts), opened with the tests' own keys. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bootedDataFolder } from '../../tests/support/booted-data-folder.ts';
import { createUser } from './auth-admin.ts';
import { type Control, writeRunningFile } from './call-control.ts';
import { openCommandPort } from './command-port.ts';
import { type DatabaseKeys, type OpenDatabase, openFiles } from './open-database.ts';
import { PROJECT_URL } from './project-options.ts';
import { serveProject } from './serve-project.ts';
import { compileOnce } from './workarounds/compile-once.ts';

export const KEYS = {
  publishableKey: 'sb_publishable_t',
  secretKey: 'sb_secret_t',
  jwtSecret: 't'.repeat(48),
};

compileOnce();

/** Opens a copy, and removes it when it is closed. */
export async function openBooted(keys: DatabaseKeys = KEYS): Promise<OpenDatabase> {
  const folder = newFolder();
  await copyBooted(join(folder, 'database'));
  const database = await openFiles(join(folder, 'database'), keys);
  return {
    ...database,
    close: async () => {
      await database.close();
      remove(folder);
    },
  };
}

/**
 * Serves an open database as a project, and on a port for commands.
 * @param given data folder; absent: an empty one, removed at the end
 */
export async function serveDatabase(
  database: OpenDatabase,
  given?: string,
): Promise<{ control: Control; origin: string; dataDir: string; close(): Promise<void> }> {
  const dataDir = given ?? newFolder();
  const { fetch } = serveProject(database, KEYS, { dataDir });
  const port = await openCommandPort({ fetch, keys: KEYS }, 0);
  return {
    control: { url: PROJECT_URL, fetch, secretKey: KEYS.secretKey },
    origin: port.origin,
    dataDir,
    close: async () => {
      await port.close();
      if (given === undefined) remove(dataDir);
    },
  };
}

/** Makes a data folder that leads commands to a database that is served elsewhere. */
export function leadTo(dataDir: string, origin: string, passwordSetFor?: string): void {
  mkdirSync(join(dataDir, 'database'));
  writeFileSync(join(dataDir, 'secrets.json'), JSON.stringify({ secretKey: KEYS.secretKey }));
  writeRunningFile(dataDir, { origin, passwordSetFor });
}

/** Makes an account and an administrator of it, without a check of the password. Returns its id. */
export async function makeAdministrator(
  { sql }: Pick<OpenDatabase, 'sql'>,
  credentials: { email: string; password: string },
): Promise<string> {
  const id = (await createUser(sql, credentials))?.id ?? '';
  await sql.query('insert into private.admins (user_id) values ($1)', [id]);
  return id;
}

/** Copies the files of the database. @param path where nothing is yet */
export async function copyBooted(path: string): Promise<void> {
  // The asynchronous call takes three times the processor time for these thousand files.
  cpSync(join(bootedDataFolder(), 'database'), path, { recursive: true });
}

function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'booted-'));
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
