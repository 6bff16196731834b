/**
 * A data folder after its first boot, which takes seconds. Products of tests start with a copy of it, where the first boot
 * is not their subject. Node's test runner and Playwright (build-once.ts) make it before the first test; a file that runs
 * without them boots each product anew.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { BASE_ENV, shareCompileCache } from './base-environment.ts';

/** Leads the processes of test files to the folder. */
const VARIABLE = 'BOOTED_DATA_FOLDER';

let removeCompileCache = () => {};

/** Called before the first test. */
export function globalSetup(): void {
  removeCompileCache = shareCompileCache();
  const path = mkdtempSync(join(tmpdir(), 'booted-data-'));
  process.env[VARIABLE] = path;
  const { status } = spawnSync(
    resolve('node_modules/.bin/node'),
    ['--disable-warning=ExperimentalWarning', 'tests/support/boot-data-folder.ts', path],
    { stdio: 'inherit', env: { ...BASE_ENV, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE } },
  );
  if (status !== 0) throw new Error('The data folder for the tests could not be made.');
}

export function globalTeardown(): void {
  removeCompileCache();
  rmSync(process.env[VARIABLE] ?? '', { recursive: true, force: true });
}

/**
 * A new folder, removed by the caller, with a copy of the data, or empty where none was made.
 * @param place the folder that holds it
 */
export function newDataFolder(place = tmpdir()): string {
  const folder = mkdtempSync(join(place, 'product-'));
  const booted = process.env[VARIABLE];
  if (booted) cpSync(booted, folder, { recursive: true });
  return folder;
}
