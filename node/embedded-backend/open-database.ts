/** Opens the embedded database: PGlite with our migrations, and @supabase/lite speaking for it. */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { App, SUPABASE_AUTH_HELPERS_SQL } from '@supabase/lite';
import { createPgliteConnection } from '@supabase/lite/pglite';
import { UserError } from '../config/user-error.ts';
import type { DataFolder } from './data-folder.ts';
import { migrate } from './migrate.ts';
import { endSessionsOfOtherKeys } from './sessions.ts';
import { withConstantTimeSignIn } from './workarounds/constant-time-sign-in.ts';
import { rejectBadQueries } from './workarounds/data-api-errors.ts';
import { endOnPanic } from './workarounds/end-on-panic.ts';
import { restoreGrants } from './workarounds/grants.ts';
import { limitParameters } from './workarounds/limit-parameters.ts';
import { openServiceCalls, type ServiceCalls } from './workarounds/service-calls.ts';

export interface OpenDatabase {
  /** Speaks PostgREST under /rest/v1 and GoTrue under /auth/v1, every route of them: see database-door.ts. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** The shorter way for the functions' own calls; for requests with the secret key only. */
  readonly serviceCalls: ServiceCalls;
  /** The database itself, as its owner. */
  readonly sql: PGlite;
  close(): Promise<void>;
}

export interface DatabaseKeys {
  readonly publishableKey: string;
  readonly secretKey: string;
  readonly jwtSecret: string;
}

/** How long an access token is valid, in seconds. */
const ACCESS_TOKEN_SECONDS = 600;

const MIGRATIONS = new URL('../../supabase/migrations', import.meta.url).pathname;

/** A kill while PGlite makes its files ruins them for good. So they are made elsewhere, migrated and closed. */
export async function openDatabase(
  place: Pick<DataFolder, 'database' | 'build'>,
  keys: DatabaseKeys,
): Promise<OpenDatabase> {
  if (!existsSync(place.database)) await makeFiles(place, keys);
  try {
    return await openFiles(place.database, keys);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(
      `The database in ${dirname(place.database)} cannot be opened (${firstSentence(error)}). If its disk is full, make ` +
        'room. If its files are damaged, keep the folder, name an empty one with DATA_DIR, and put a backup there with ' +
        'npm run restore.',
    );
  }
}

function firstSentence(error: unknown): string {
  return error instanceof Error ? (error.message.split('.')[0] ?? '') : 'no reason given';
}

async function makeFiles(place: Pick<DataFolder, 'database' | 'build'>, keys: DatabaseKeys): Promise<void> {
  try {
    await place.build(async (path) => {
      const made = await openFiles(path, keys);
      await made.close();
    });
  } catch (error) {
    if (error instanceof UserError) throw error;
    // What PGlite throws where a file cannot be written says nothing of it.
    throw new UserError(
      `The database could not be made in ${dirname(place.database)}. Is its disk full? It takes about 50 MB to begin with.`,
    );
  }
}

/** Opens one folder of files (or, without one, a database in memory), migrated and with the migrations' grants. */
export async function openFiles(path: string | undefined, keys: DatabaseKeys): Promise<OpenDatabase> {
  const connection = await createPgliteConnection(path === undefined ? {} : { url: path });
  const sql = connection.driver;
  await sql.waitReady;
  endOnPanic(sql);
  limitParameters(sql);
  // Old segments of the write-ahead log are deleted, not kept for later with the rows in them (vacuum.ts).
  await sql.exec('set wal_recycle = off');
  rejectBadQueries(connection);
  const app = new App({
    connection,
    api: { enabled: true, schemas: ['public'], max_rows: 1000 },
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
  await migrate(sql, MIGRATIONS);

  // The first REST request makes lite grant everything to everybody: it happens here, before anyone else asks.
  await app.fetch(
    new Request('http://embedded/rest/v1/offers?limit=0', { headers: { apikey: keys.secretKey } }),
  );
  await restoreGrants(sql);
  await endSessionsOfOtherKeys(sql, keys.jwtSecret);

  return {
    // No peer address: that keeps lite's keyless "admin mode" shut even if a later version opens it by itself.
    fetch: withConstantTimeSignIn(sql, (request) => app.fetch(request, { peerAddress: null })),
    serviceCalls: await openServiceCalls(sql),
    sql,
    close: () => connection.close(),
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
