/** Environment of the processes that tests start: without this process's settings. */
import { globSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';

/** What tests make once and keep. */
export const TEST_CACHE = resolve('node_modules/.cache/tests');

// Tests start hundreds of processes and threads, and compiling the same modules anew takes 25 % of a build's processor time.
// Entries are by path, and copies of the project have a new one each time: so the cache is begun anew each day.
const compiled = `compiled-${new Date().toISOString().slice(0, 10)}`;
for (const name of globSync('compiled-*', { cwd: TEST_CACHE }).filter((one) => one !== compiled))
  rmSync(resolve(TEST_CACHE, name), { recursive: true, force: true });
process.env.NODE_COMPILE_CACHE ??= resolve(TEST_CACHE, compiled);

export const BASE_ENV = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
};
