// Runs before every npm script, on whatever Node npm was started with (20 or newer): installs what is missing.
// Plain JavaScript, and nothing but Node's own modules, because nothing else need be there yet.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';

const [major] = process.versions.node.split('.').map(Number);
if (major < 20) {
  console.error(`\nThis needs Node 20 or newer to begin with; here is ${process.version}.\n`);
  process.exit(1);
}

if (!isInstalled()) {
  console.log('Installing packages (this happens once, and after an update) …');
  const npm = process.env.npm_execpath;
  const [command, first] = npm ? [process.execPath, [npm]] : ['npm', []];
  // Errors only: that packages want a newer Node than this one is no news, since they bring it.
  const options = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync(command, [...first, ...options], { stdio: 'inherit' });
  if (status !== 0) {
    console.error('\nThe packages could not be installed; npm says why above.\n');
    process.exit(1);
  }
}

/** Whether the packages were installed after the lock file last changed; npm notes each install in this file. */
function isInstalled() {
  const note = 'node_modules/.package-lock.json';
  return existsSync(note) && statSync(note).mtimeMs >= statSync('package-lock.json').mtimeMs;
}
