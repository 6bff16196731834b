/** Opens the embedded database: PGlite with our migrations, and what serves its data and sign-in. */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { UserError } from '../../process/user-error.ts';
import { openAuthServer, type ServeAuth } from './auth-server.ts';
import type { DataFolder } from './data-folder.ts';
import { type DatabaseCalls, openDatabaseCalls } from './database-calls.ts';
import { EXTENSIONS } from './extensions.ts';
import { type Migration, migrate } from './migrate.ts';
import { reasonOf } from './reason-of.ts';
import { endSessionsOfOtherKeys } from './sessions.ts';
import { compileOnce } from './workarounds/compile-once.ts';
import { failAfterPanic } from './workarounds/fail-after-panic.ts';
import { SYNC_FILES, SYNCED_START_PARAMETERS, syncAll } from './workarounds/sync-files.ts';

export interface OpenDatabase extends DatabaseCalls {
  readonly serveAuth: ServeAuth;
  /** The database with the rights of its owner. */
  readonly sql: PGlite;
  close(): Promise<void>;
}

export interface DatabaseKeys {
  readonly publishableKey: string;
  readonly secretKey: string;
  readonly jwtSecret: string;
}

/** PostgreSQL's default is 128 MB, all of it in memory from the start; the offers of years fit in this. */
const SHARED_BUFFERS = ['-c', 'shared_buffers=32MB'];

/** Of a database that is opened for a while, and of which nothing is lost with the machine: it is not synced. */
export const BRIEF_START_PARAMETERS = [...PGlite.defaultStartParams, ...SHARED_BUFFERS];

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
  compileOnce();
  const sql = new PGlite({
    ...(path !== undefined && { dataDir: path }),
    extensions: { ...EXTENSIONS, SYNC_FILES },
    startParams: [...SYNCED_START_PARAMETERS, ...SHARED_BUFFERS],
  });
  await sql.waitReady;
  const hasPanicked = failAfterPanic(sql, onPanic);
  // Old segments of the write-ahead log are deleted, not kept to be used again: a backup reads all of them.
  await sql.exec('set wal_recycle = off');
  const migrated = await migrate(sql, chain);
  if (migrated && path !== undefined) syncAll(path);
  await endSessionsOfOtherKeys(sql, keys.jwtSecret);

  return {
    serveAuth: await openAuthServer(sql, keys.jwtSecret),
    ...(await openDatabaseCalls(sql)),
    sql,
    close: async () => {
      if (!hasPanicked()) await sql.close();
    },
  };
}
