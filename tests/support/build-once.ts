import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { hostedSettings } from '../hosted/hosted-pages.ts';
import { globalSetup, globalTeardown } from './booted-data-folder.ts';

/** Builds the site and boots a database once, before any worker starts the product. */
export default function buildOnce(): () => void {
  const { status } = spawnSync(resolve('node_modules/.bin/node'), ['node/commands/build-if-needed.ts'], {
    stdio: 'inherit',
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...hostedSettings() },
  });
  if (status !== 0) throw new Error('The site could not be built.');
  globalSetup();
  return globalTeardown;
}
