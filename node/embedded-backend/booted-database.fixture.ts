/**
 * Copies of a database after its first boot, for tests whose subject is not that boot, which takes seconds.
 * `npm run test:unit` boots it once for all test files (`--test-global-setup`); a file that runs alone boots its own.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shareCompileCache } from '../../tests/support/base-environment.ts';
import { createUser } from './auth-admin.ts';
import type { Control } from './call-control.ts';
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

/** Leads the processes of test files to the folder that `globalSetup` made. */
const VARIABLE = 'BOOTED_DATABASE';

compileOnce();

let own: Promise<string> | undefined;
let removeCompileCache = () => {};

/** Called by Node's test runner before it starts the test files. */
export async function globalSetup(): Promise<void> {
  removeCompileCache = shareCompileCache();
  process.env[VARIABLE] = await boot();
}

export function globalTeardown(): void {
  removeCompileCache();
  remove(process.env[VARIABLE] ?? '');
}

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
  cpSync(join(process.env[VARIABLE] ?? (await bootOwn()), 'database'), path, { recursive: true });
}

function bootOwn(): Promise<string> {
  own ??= boot().then((folder) => {
    process.once('exit', () => remove(folder));
    return folder;
  });
  return own;
}

async function boot(): Promise<string> {
  const folder = newFolder();
  const database = await openFiles(join(folder, 'database'), KEYS);
  await database.close();
  return folder;
}

function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'booted-'));
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
