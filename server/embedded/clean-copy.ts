/**
 * Makes a backup from a copy of the database: without sessions, and without traces of deleted or changed rows in the
 * tables' files and in the write-ahead log. Works in the calling process, so that the database serves requests meanwhile.
 */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { EXTENSIONS } from './extensions.ts';
import { BRIEF_START_PARAMETERS } from './open-database.ts';
import { readRow } from './read-row.ts';
import { endSessions } from './sessions.ts';
import { compileOnce } from './workarounds/compile-once.ts';
import { failAfterPanic } from './workarounds/fail-after-panic.ts';

export interface CleanCopy {
  /** PGlite's files as a compressed archive. */
  readonly archive: Blob;
  readonly offers: number;
}

/**
 * @param archive PGlite's files, compressed or not
 * @param place an empty folder to work in; the caller removes it
 */
export async function makeCleanCopy(archive: Blob, place: string): Promise<CleanCopy> {
  return await withArchive(archive, join(place, 'copy'), async (sql) => {
    await endSessions(sql);
    await purgeDeletedRows(sql, join(place, 'copy'));
    return { offers: await countOffers(sql), archive: await sql.dumpDataDir('gzip') };
  });
}

/**
 * Unpacks an archive and uses its database, which is closed then.
 * @param place where nothing is yet; the caller removes it after an error
 * @throws PGlite's error where the archive is none of its own, or the disk is full
 */
export async function withArchive<Result>(
  archive: Blob,
  place: string,
  use: (sql: PGlite) => Promise<Result>,
): Promise<Result> {
  compileOnce();
  const sql = new PGlite(place, {
    loadDataDir: archive,
    extensions: EXTENSIONS,
    startParams: BRIEF_START_PARAMETERS,
  });
  const hasPanicked = failAfterPanic(sql);
  await sql.waitReady;
  try {
    return await use(sql);
  } finally {
    if (!hasPanicked()) await sql.close();
  }
}

/**
 * Writes the files of every table anew, with the rows that are left, and leaves no old log. The planner's samples hold texts
 * of rows, too; `analyze` takes new ones.
 * @param place the files
 */
export async function purgeDeletedRows(sql: PGlite, place: string): Promise<void> {
  await sql.exec('delete from pg_catalog.pg_statistic');
  await sql.exec('vacuum full');
  await beginNewLog(sql, join(place, 'pg_wal'));
}

export async function countOffers(sql: PGlite): Promise<number> {
  return (await readRow<{ count: number }>(sql, 'select count(*)::integer as count from public.offers'))
    .count;
}

/** Leaves one segment of the write-ahead log, which holds nothing but a checkpoint. */
async function beginNewLog(sql: PGlite, folder: string): Promise<void> {
  const segments = () => readdirSync(folder).filter((name) => /^[0-9A-F]{24}$/.test(name));
  // PostgreSQL would reuse old segments under new names, with their content.
  await sql.exec('set wal_recycle = off; checkpoint');
  const { current } = await readRow<{ current: string }>(
    sql,
    'select pg_walfile_name(pg_current_wal_lsn()) as current',
  );
  for (const name of segments()) if (name > current) rmSync(join(folder, name));
  await sql.exec('select pg_switch_wal()');
  await sql.exec('checkpoint');
  if (segments().length !== 1 || segments()[0] === current) {
    throw new Error('the write-ahead log of the copy could not be renewed');
  }
}
