import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { hostedSettings } from '../hosted/hosted-pages.ts';
import { BASE_ENV } from './base-environment.ts';
import { globalSetup, globalTeardown } from './booted-data-folder.ts';

/** Builds the site and boots a database once, before any worker starts the product. */
export default function buildOnce(): () => void {
  globalSetup();
  const { status } = spawnSync(resolve('node_modules/.bin/node'), ['node/commands/build-if-needed.ts'], {
    stdio: 'inherit',
    env: { ...BASE_ENV, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...hostedSettings() },
  });
  if (status !== 0) throw new Error('The site could not be built.');
  return globalTeardown;
}
