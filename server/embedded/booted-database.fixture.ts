/** Copies of a database after its first boot (tests/support/booted-data-folder.ts), opened with the tests' own keys. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bareDatabase, bootedDataFolder } from '../../tests/support/booted-data-folder.ts';
import { createUser } from './auth-admin.ts';
import { type Control, notePasswordSetFor } from './call-control.ts';
import { openCommandSocket } from './command-socket.ts';
import { type DatabaseKeys, type OpenDatabase, openFiles } from './open-database.ts';
import { serveProject } from './serve-project.ts';

export const KEYS = {
  publishableKey: 'sb_publishable_t',
  secretKey: 'sb_secret_t',
  jwtSecret: 't'.repeat(48),
};

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
 * Serves an open database as a project, and to commands that are led to its data folder.
 * @param given data folder; absent: an empty one, removed at the end
 */
export async function serveDatabase(
  database: OpenDatabase,
  given?: string,
): Promise<{ control: Control; dataDir: string; close(): Promise<void> }> {
  const dataDir = given ?? newFolder();
  const { fetch } = serveProject(database, KEYS, { dataDir });
  const socket = await openCommandSocket(fetch, dataDir);
  return {
    control: { fetch, secretKey: KEYS.secretKey },
    dataDir,
    close: async () => {
      await socket.close();
      if (given === undefined) remove(dataDir);
    },
  };
}

/** Gives a data folder what commands look for there besides the socket. */
export function leadTo(dataDir: string, passwordSetFor?: string): void {
  mkdirSync(join(dataDir, 'database'));
  writeFileSync(join(dataDir, 'secrets.json'), JSON.stringify(KEYS));
  notePasswordSetFor(dataDir, passwordSetFor);
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

/** Sends a request of auth to the database itself: `path` such as `token?grant_type=password`. */
export async function callAuth(
  { serveAuth }: Pick<OpenDatabase, 'serveAuth'>,
  path: string,
  body: unknown,
  accessToken?: string,
): Promise<Response> {
  const headers = accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` };
  const request = { method: 'POST', headers, body: typeof body === 'string' ? body : JSON.stringify(body) };
  const response = await serveAuth(new Request(`http://embedded/auth/v1/${path}`, request));
  if (!response) throw new Error(`There is no ${path}.`);
  return response;
}

/** Copies the files of the database. @param path where nothing is yet */
export async function copyBooted(path: string): Promise<void> {
  // The asynchronous call takes three times the processor time for these thousand files.
  cpSync(join(bootedDataFolder(), 'database'), path, { recursive: true });
}

/** Copies the files of a database without a migration. @param path where nothing is yet, or an empty folder */
export function copyBare(path: string): void {
  cpSync(bareDatabase(), path, { recursive: true });
}

function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'booted-'));
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
