/**
 * Makes a data folder as the first start does, and beside it a database without a migration, where there is none:
 * `node boot-data-folder.ts PATH`. Removes their siblings.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { EMBEDDED_PUBLISHABLE_KEY } from '../../config/settings.ts';
import { takeLock } from '../../process/lock-file.ts';
import { takeDataFolder } from '../../server/embedded/data-folder.ts';
import { openDatabase } from '../../server/embedded/open-database.ts';

/** Time for another process that makes it, in milliseconds. */
const OTHER_TIMEOUT_MS = 120_000;

const [, , path = ''] = process.argv;
const place = dirname(path);
mkdirSync(place, { recursive: true });
const release = await takeLock(`${place}.lock`, OTHER_TIMEOUT_MS);
if (!release) throw new Error('Another process has not made the data folder for the tests in two minutes.');
if (!existsSync(path)) {
  for (const former of readdirSync(place)) rmSync(join(place, former), { recursive: true });
  // PGlite makes its files once for both: this takes seconds.
  const bare = await PGlite.create(`${path}.bare`);
  await bare.close();
  const folder = await takeDataFolder(`${path}.new`);
  await folder.build(async (database) => cpSync(`${path}.bare`, database, { recursive: true }));
  const database = await openDatabase(folder, {
    ...folder.secrets,
    publishableKey: EMBEDDED_PUBLISHABLE_KEY,
  });
  await database.close();
  folder.release();
  renameSync(`${path}.new`, path);
}
release();
