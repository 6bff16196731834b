/** PostgreSQL for tests, where it is installed: one server for all files of a run, in which each opens databases of its own. */
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { AUTH_SCHEMA } from '../../server/embedded/auth-server.ts';
import { migrations } from '../../server/embedded/migrate.ts';

/** A reason to skip, where no server is installed. */
export const NO_POSTGRES = postgresFolder()
  ? false
  : 'no PostgreSQL server is installed (Debian: postgresql)';

/** Leads the processes of test files to the folder of the server's socket. */
const VARIABLE = 'SHARED_POSTGRES';

/** A database with the migrations, which nothing connects to. */
const TEMPLATE = 'migrated';

let own: ReturnType<typeof startSharedPostgres> | undefined;

/**
 * Starts the server of a run. The runner calls it before the first test file, and gives each the environment; a file that
 * runs alone starts its own. Both are empty where no server is installed.
 */
export async function startSharedPostgres(): Promise<{ env: Record<string, string>; stop(): void }> {
  if (NO_POSTGRES) return { env: {}, stop: () => {} };
  const { socket, stop } = startPostgres();
  try {
    await createDatabase(socket, TEMPLATE);
    await migratePostgres({ host: socket, user: 'postgres', database: TEMPLATE });
  } catch (error) {
    stop();
    throw error;
  }
  return { env: { [VARIABLE]: socket }, stop };
}

/** Makes a database with the migrations on the server of this run. Returns how to connect to it. */
export async function newPostgresDatabase(): Promise<pg.PoolConfig> {
  const socket = process.env[VARIABLE] ?? (await startOwn());
  const database = `test_${randomUUID()}`;
  await createDatabase(socket, database, TEMPLATE);
  return { host: socket, user: 'postgres', database };
}

/** Applies the migrations to an empty database. */
export async function migratePostgres(connection: pg.PoolConfig): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  await client.query(HOSTED_BEGINNINGS);
  for (const { sql } of migrations(join(import.meta.dirname, '../migrations'))) await client.query(sql);
  await client.end();
}

async function startOwn(): Promise<string> {
  own ??= startSharedPostgres().then((server) => {
    process.once('exit', server.stop);
    return server;
  });
  return (await own).env[VARIABLE] ?? '';
}

async function createDatabase(socket: string, name: string, template = 'template1'): Promise<void> {
  const client = new pg.Client({ host: socket, user: 'postgres', database: 'postgres' });
  await client.connect();
  await client.query(`create database "${name}" template ${template}`);
  await client.end();
}

/** What a hosted project has before the first migration, as far as the migrations rest on it. */
export const HOSTED_BEGINNINGS = `
  ${AUTH_SCHEMA}
  create role authenticator login noinherit;
  grant anon, authenticated, service_role to authenticator;
  create schema extensions;
  grant usage on schema public to anon, authenticated, service_role;
  -- Older hosted projects grant everything new to everybody: the migrations must hold there too.
  alter default privileges in schema public grant all on tables to anon, authenticated, service_role;
  alter default privileges in schema public grant execute on functions to anon, authenticated, service_role;
`;

/**
 * Starts PostgreSQL; as its own user if this one is root, as which it does not run.
 * @param superuser the role that it begins with
 * @param port on 127.0.0.1; absent: a socket in a folder alone
 */
export function startPostgres(
  superuser = 'postgres',
  port?: number,
  fsync = false,
): { socket: string; stop(): void } {
  const bin = postgresFolder() ?? '';
  const folder = mkdtempSync(join(tmpdir(), 'access-'));
  const user = process.getuid?.() === 0 ? idsOf('postgres') : undefined;
  if (user) chownSync(folder, user.uid, user.gid);
  chmodSync(folder, 0o700);
  const data = join(folder, 'data');
  const run = (command: string, args: string[]) => {
    const result = spawnSync(join(bin, command), args, {
      ...user,
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    if (result.status !== 0) throw new Error(`${command}: ${result.stderr}${result.error?.message ?? ''}`);
  };
  // With the encoding of the locale, UTF-8.
  run('initdb', ['-D', data, '-U', superuser, '--auth=trust', '--no-sync', '--locale=C.UTF-8']);
  const listen = port === undefined ? "''" : `127.0.0.1 -c port=${port}`;
  const options = `-c listen_addresses=${listen} -c unix_socket_directories='${folder}' -c fsync=${fsync ? 'on' : 'off'} -c max_connections=300`;
  run('pg_ctl', ['-D', data, '-w', '-l', join(folder, 'log'), '-o', options, 'start']);
  return {
    socket: folder,
    stop: () => {
      run('pg_ctl', ['-D', data, '-w', '-m', 'immediate', 'stop']);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function idsOf(name: string): { uid: number; gid: number } {
  const id = (flag: string) => Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout);
  return { uid: id('-u'), gid: id('-g') };
}

function postgresFolder(): string | undefined {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  return versions.map((version) => join(root, version, 'bin')).find((bin) => existsSync(join(bin, 'initdb')));
}
