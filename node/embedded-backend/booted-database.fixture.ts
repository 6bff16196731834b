/**
 * Copies of a database after its first boot, for tests whose subject is not that boot, which takes seconds.
 * `npm run test:unit` boots it once for all test files (`--test-global-setup`); a file that runs alone boots its own.
 */
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { shareCompileCache } from '../../tests/support/base-environment.ts';
import { createUser } from './auth-admin.ts';
import type { Control } from './call-control.ts';
import { handleRequest } from './database-routes.ts';
import { type DatabaseKeys, type OpenDatabase, openFiles } from './open-database.ts';

export const KEYS = {
  publishableKey: 'sb_publishable_t',
  secretKey: 'sb_secret_t',
  jwtSecret: 't'.repeat(48),
};

/** Leads the processes of test files to the folder that `globalSetup` made. */
const VARIABLE = 'BOOTED_DATABASE';

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

/** Serves a database on a port of its own, as its process does. @param given data folder; absent: an empty one, removed at the end */
export async function serveDatabase(
  database: OpenDatabase,
  given?: string,
): Promise<{ control: Control; dataDir: string; close(): Promise<void> }> {
  let origin = '';
  const dataDir = given ?? newFolder();
  const open = { dataDir, database, duringMaintenance: <R>(work: () => Promise<R>) => work() };
  const server = serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request) => handleRequest(request, { keys: KEYS, gatewayKey: 'of a test', origin, open }),
  });
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    control: { origin, secretKey: KEYS.secretKey },
    dataDir,
    close: async () => {
      (server as import('node:http').Server).closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
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
