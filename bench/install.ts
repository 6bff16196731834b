/** Installs the peers on the first run and after an update. The product does not need them. */
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';

const INSTALLED = 'bench/node_modules/.package-lock.json';

export function installPeers(): void {
  if (existsSync(INSTALLED) && changedAt(INSTALLED) >= changedAt('bench/package-lock.json')) return;
  console.log('Installing the peers …');
  // Not `npm ci`, which fails when the lock file lacks a package for another platform.
  const options = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', options, { cwd: 'bench', stdio: 'inherit' });
  if (status !== 0) {
    console.error('\nThe peers could not be installed (see npm’s error above).\n');
    process.exit(1);
  }
}

function changedAt(file: string): number {
  return statSync(file).mtimeMs;
}
