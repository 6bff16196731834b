/**
 * The databases that the access tests run on: the embedded one after its warm-up, and a real PostgreSQL server, in a
 * folder of its own, where one is installed. Both have the same migrations and the same cast.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openBooted } from '../../node/embedded-backend/booted-database.fixture.ts';
import { migrations } from '../../node/embedded-backend/migrate.ts';

/** Role of a statement: a visitor, a user who signed in, or the functions; the owner stands above the grants. */
export type Actor =
  | { role: 'anon' }
  | { role: 'authenticated'; userId: string; sessionId: string }
  | { role: 'service_role' }
  | { role: 'owner' };

export type Row = Record<string, unknown>;

export interface Engine {
  /** Runs one statement as a user, in a transaction of its own. */
  as(actor: Actor, sql: string, parameters?: unknown[]): Promise<Row[]>;
  /** The same, and leaves the transaction open. Absent where all statements share one connection. */
  begin?(actor: Actor, sql: string, parameters?: unknown[]): Promise<OpenTransaction>;
  /** Runs a statement that may stand in no transaction, as the owner. */
  maintain(sql: string): Promise<void>;
  close(): Promise<void>;
}

interface OpenTransaction {
  readonly rows: Row[];
  commit(): Promise<void>;
}

export interface EngineChoice {
  readonly name: string;
  /** A reason, where this machine lacks it. */
  readonly missing: string | false;
  open(): Promise<Engine>;
}

/** A reason to skip, where no server is installed. */
export const NO_POSTGRES = postgresFolder()
  ? false
  : 'no PostgreSQL server is installed (Debian: postgresql)';

export const ENGINES: EngineChoice[] = [
  { name: 'embedded (PGlite)', missing: false, open: openEmbedded },
  { name: 'PostgreSQL', missing: NO_POSTGRES, open: () => openPostgres() },
];

async function openEmbedded(): Promise<Engine> {
  const database = await openBooted();
  return {
    as: (actor, sql, parameters = []) =>
      database.sql.transaction(async (tx) => {
        for (const [name, value] of settingsOf(actor))
          await tx.query('select set_config($1, $2, true)', [name, value]);
        return (await tx.query<Row>(sql, parameters)).rows;
      }),
    maintain: async (sql) => void (await database.sql.exec(sql)),
    close: () => database.close(),
  };
}

/**
 * Starts a server with the migrations; `socket` is the folder of its socket, beside its `data`.
 * @param fsync whether a commit waits for the disk, which tests do without
 */
export async function openPostgres(fsync = false): Promise<Engine & { readonly socket: string }> {
  const server = startPostgres(undefined, undefined, fsync);
  const pool = new pg.Pool({ host: server.socket, user: 'postgres', database: 'postgres', max: 20 });
  await pool.query(HOSTED_BEGINNINGS);
  for (const { sql } of migrations(join(import.meta.dirname, '../migrations'))) await pool.query(sql);
  const begin: NonNullable<Engine['begin']> = async (actor, sql, parameters = []) => {
    const client = await pool.connect();
    const end = async (command: 'commit' | 'rollback') => {
      await client.query(command).finally(() => client.release());
    };
    try {
      await client.query('begin');
      for (const [name, value] of settingsOf(actor)) {
        await client.query('select set_config($1, $2, true)', [name, value]);
      }
      const { rows } = await client.query<Row>(sql, parameters);
      return { rows, commit: () => end('commit') };
    } catch (error) {
      await end('rollback');
      throw error;
    }
  };
  return {
    socket: server.socket,
    begin,
    as: async (...statement) => {
      const { rows, commit } = await begin(...statement);
      await commit();
      return rows;
    },
    maintain: async (sql) => void (await pool.query(sql)),
    close: async () => {
      await pool.end();
      server.stop();
    },
  };
}

/** What PostgREST sets before each statement. */
export function settingsOf(actor: Actor): [string, string][] {
  if (actor.role === 'owner') return [];
  const { sub, session_id } =
    actor.role === 'authenticated' ? { sub: actor.userId, session_id: actor.sessionId } : { sub: '' };
  return [
    ['request.jwt.claim.sub', sub],
    ['request.jwt.claims', JSON.stringify({ role: actor.role, sub, session_id })],
    ['role', actor.role],
  ];
}

/** What a hosted project has before the first migration, as far as the migrations rest on it. */
export const HOSTED_BEGINNINGS = `
  create role anon nologin;
  create role authenticated nologin;
  create role service_role nologin bypassrls;
  create schema extensions;
  create schema auth;
  create table auth.users (id uuid primary key, email text);
  create table auth.sessions (
    id uuid primary key,
    user_id uuid not null references auth.users (id) on delete cascade,
    created_at timestamptz default now(),
    updated_at timestamptz default now()
  );
  create table auth.refresh_tokens (
    id text primary key default gen_random_uuid(), -- GoTrue: bigint; lite: text
    token varchar(255),
    user_id varchar(255),
    session_id uuid references auth.sessions (id) on delete cascade,
    revoked boolean,
    parent varchar(255),
    created_at timestamptz default now(),
    updated_at timestamptz default now()
  );
  create function auth.uid() returns uuid language sql stable as $$
    select nullif(current_setting('request.jwt.claim.sub', true), '')::uuid
  $$;
  create function auth.jwt() returns jsonb language sql stable as $$
    select nullif(current_setting('request.jwt.claims', true), '')::jsonb
  $$;
  grant usage on schema public to anon, authenticated, service_role;
  -- Older hosted projects grant everything new to everybody: the migrations must hold there too.
  alter default privileges in schema public grant all on tables to anon, authenticated, service_role;
  alter default privileges in schema public grant execute on functions to anon, authenticated, service_role;
`;

function postgresFolder(): string | undefined {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  return versions.map((version) => join(root, version, 'bin')).find((bin) => existsSync(join(bin, 'initdb')));
}

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
  const options = `-c listen_addresses=${listen} -c unix_socket_directories='${folder}' -c fsync=${fsync ? 'on' : 'off'}`;
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
