/** Opens the embedded database: PGlite with our migrations, and @supabase/lite as its auth server. */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { App, SUPABASE_AUTH_HELPERS_SQL } from '@supabase/lite';
import { createPgliteConnection } from '@supabase/lite/pglite';
import { UserError } from '../../process/user-error.ts';
import type { DataFolder } from './data-folder.ts';
import { openDatabaseCalls, type ServeCall } from './database-calls.ts';
import { EXTENSIONS } from './extensions.ts';
import { type Migration, migrate } from './migrate.ts';
import { reasonOf } from './reason-of.ts';
import { endSessionsOfOtherKeys } from './sessions.ts';
import { withConstantTimeSignIn } from './workarounds/constant-time-sign-in.ts';
import { failAfterPanic } from './workarounds/fail-after-panic.ts';
import { SYNC_FILES, SYNCED_START_PARAMETERS, syncAll } from './workarounds/sync-files.ts';

export interface OpenDatabase {
  /** Serves all of GoTrue that lite has, under /auth/v1; project-routes.ts restricts it. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Serves the data API. */
  readonly serveCall: ServeCall;
  /** The database with the rights of its owner. */
  readonly sql: PGlite;
  /** Sends JSON to lite with the secret key. @param authorization the header of that name */
  post(path: string, body: object, authorization?: string): Promise<Response>;
  close(): Promise<void>;
}

export interface DatabaseKeys {
  readonly publishableKey: string;
  readonly secretKey: string;
  readonly jwtSecret: string;
}

/** Lifetime of an access token. */
const ACCESS_TOKEN_SECONDS = 600;

/** PostgreSQL's default is 128 MB, all of it in memory from the start; the offers of years fit in this. */
const SHARED_BUFFERS = ['-c', 'shared_buffers=32MB'];

/** Makes new files elsewhere, migrated and closed, since a kill while PGlite makes its files destroys them. */
export async function openDatabase(
  place: Pick<DataFolder, 'database' | 'build'>,
  keys: DatabaseKeys,
  onPanic?: (severity: string) => void,
): Promise<OpenDatabase> {
  if (!existsSync(place.database)) await makeFiles(place, keys);
  try {
    return await openFiles(place.database, keys, onPanic);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(
      `The database in ${dirname(place.database)} cannot be opened (${reasonOf(error)}). If its disk is full, make ` +
        'room. If its files are damaged, keep the folder, name an empty one with DATA_DIR, and put a backup there with ' +
        'npm run restore.',
    );
  }
}

async function makeFiles(place: Pick<DataFolder, 'database' | 'build'>, keys: DatabaseKeys): Promise<void> {
  try {
    await place.build(async (path) => {
      const made = await openFiles(path, keys);
      await made.close();
    });
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(
      `The database could not be made in ${dirname(place.database)}: ${reasonOf(error)}. It takes about 50 MB to begin with.`,
    );
  }
}

/**
 * Opens one folder of files (or, without one, a database in memory), migrated and with the migrations' grants.
 * @param chain the migrations; absent: those of the product
 */
export async function openFiles(
  path: string | undefined,
  keys: DatabaseKeys,
  onPanic?: (severity: string) => void,
  chain?: readonly Migration[],
): Promise<OpenDatabase> {
  const connection = await createPgliteConnection({
    ...(path === undefined ? {} : { url: path }),
    pgliteOptions: {
      extensions: { ...EXTENSIONS, SYNC_FILES },
      startParams: [...SYNCED_START_PARAMETERS, ...SHARED_BUFFERS],
    },
  });
  const sql = connection.driver;
  await sql.waitReady;
  const hasPanicked = failAfterPanic(sql, onPanic);
  // Old segments of the write-ahead log are deleted, not kept to be used again: a backup reads all of them.
  await sql.exec('set wal_recycle = off');
  const app = new App({
    connection,
    api: { enabled: false },
    studio: { enabled: false },
    auth: {
      enabled: true,
      jwt_secret: keys.jwtSecret,
      jwt_expiry: ACCESS_TOKEN_SECONDS,
      publishable_key: keys.publishableKey,
      secret_key: keys.secretKey,
    },
  });
  await app.ensureSystemSchema();
  await sql.exec(API_ROLES + SUPABASE_AUTH_HELPERS_SQL);
  const migrated = await migrate(sql, chain);
  if (migrated && path !== undefined) syncAll(path);
  await endSessionsOfOtherKeys(sql, keys.jwtSecret);

  // Without a peer address lite's keyless "admin mode" stays off, even if a later version turns it on by default.
  const fetch = withConstantTimeSignIn(sql, (request) => app.fetch(request, { peerAddress: null }));
  return {
    fetch,
    serveCall: await openDatabaseCalls(sql),
    sql,
    post: (path, body, authorization) =>
      fetch(
        new Request(`http://embedded${path}`, {
          method: 'POST',
          headers: {
            apikey: keys.secretKey,
            'content-type': 'application/json',
            ...(authorization && { authorization }),
          },
          body: JSON.stringify(body),
        }),
      ),
    close: async () => {
      if (!hasPanicked()) await connection.close();
    },
  };
}

/** The roles that a hosted project has from the start. */
const API_ROLES = `
  do $$ begin
    if not exists (select from pg_roles where rolname = 'anon') then create role anon nologin; end if;
    if not exists (select from pg_roles where rolname = 'authenticated') then
      create role authenticated nologin;
    end if;
    if not exists (select from pg_roles where rolname = 'service_role') then
      create role service_role nologin bypassrls;
    end if;
  end $$;
`;
