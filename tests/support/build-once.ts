import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { BASE_ENV } from './base-environment.ts';
import { bootedDataFolder } from './booted-data-folder.ts';

/** Builds the site and boots a database before any worker starts the product, so that none waits for another. */
export default function buildOnce(): void {
  bootedDataFolder();
  const { status } = spawnSync(resolve('node_modules/.bin/node'), ['commands/build-if-needed.ts'], {
    stdio: 'inherit',
    env: BASE_ENV,
  });
  if (status !== 0) throw new Error('The site could not be built.');
}
