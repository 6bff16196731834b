/**
 * A data folder after its first boot, which takes seconds. Tests whose subject is not that boot begin with a copy of it. It is
 * kept while the migrations, the packages and the code that boots are the same.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { BASE_ENV, TEST_CACHE } from './base-environment.ts';

/** What a boot depends on. */
const SOURCES = [
  'package-lock.json',
  'supabase/migrations/*',
  '{config,server/embedded}/**/*.{ts,sql}',
  'tests/support/boot-data-folder.ts',
];
const NO_SOURCE = ['**/*.{test,fixture}.ts'];

let path: string | undefined;

/** The folder, made where it is missing. Read only. */
export function bootedDataFolder(): string {
  path ??= join(TEST_CACHE, 'booted', hashOfSources());
  if (existsSync(path)) return path;
  const program = ['--disable-warning=ExperimentalWarning', 'tests/support/boot-data-folder.ts', path];
  const { status } = spawnSync(resolve('node_modules/.bin/node'), program, {
    stdio: 'inherit',
    env: BASE_ENV,
  });
  if (status !== 0) throw new Error('The data folder for the tests could not be made.');
  return path;
}

/** A folder with the files of a database as PGlite makes them, without a migration. Read only. */
export function bareDatabase(): string {
  return `${bootedDataFolder()}.bare`;
}

/**
 * A new folder with a copy of the data, removed by the caller.
 * @param place the folder that holds it
 */
export function newDataFolder(place = tmpdir()): string {
  const folder = mkdtempSync(join(place, 'product-'));
  cpSync(bootedDataFolder(), folder, { recursive: true });
  return folder;
}

function hashOfSources(): string {
  const hash = createHash('sha256');
  for (const file of globSync(SOURCES, { exclude: NO_SOURCE }).sort())
    hash.update(`${file}\n`).update(readFileSync(file)).update('\n');
  return hash.digest('hex').slice(0, 16);
}
