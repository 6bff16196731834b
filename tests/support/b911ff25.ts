/**
 * A data folder and a backup that commit b911ff25 wrote, the last one before the baseline of the migrations: offers of every
 * status, held and low ones, moves, links, messages, an erasure, an administrator with a second factor, and a session, which
 * npm run backup would leave out and which stays live for a century. Goes with the first tag.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gzipSync } from 'node:zlib';
import { KEYS } from '../../server/embedded/booted-database.fixture.ts';
import type { Rows } from './all-rows.ts';

/** The secret of the second factor. */
export const FACTOR = 'HWLCNFZJZGJOPGUMCQODPHN63L3KYD2C';
/** Of the session. */
export const REFRESH_TOKEN = '01a225ce-c1dc-723e-afff-06173b347567';

/** Tables with rows that nothing reads: this version drops them. */
const UNUSED_TABLES: ReadonlySet<string> = new Set(['auth.audit_log_entries', 'auth.identities']);

/** Of all rows, those that a newer version has to keep. */
export function usedRows(rows: Rows): Rows {
  return Object.fromEntries(Object.entries(rows).filter(([table]) => !UNUSED_TABLES.has(table)));
}

/** @param path where nothing is yet */
export function unpackDataFolder(path: string): string {
  mkdirSync(join(path, 'database'), { recursive: true, mode: 0o700 });
  const { status } = spawnSync('tar', ['-x', '-C', join(path, 'database')], { input: unpack() });
  if (status !== 0) throw new Error('tar failed');
  writeFileSync(join(path, 'secrets.json'), JSON.stringify(KEYS), { mode: 0o600 });
  return path;
}

/** @param path of the file */
export function writeBackup(path: string): string {
  writeFileSync(path, gzipSync(unpack(), { level: 1 }));
  return path;
}

function unpack(): Buffer {
  return brotliDecompressSync(readFileSync(join(import.meta.dirname, 'b911ff25.backup.br')));
}
