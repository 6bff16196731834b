// Runs before every npm script, on whatever Node npm was started with (20 or newer): installs what is missing.
// Plain JavaScript, and nothing but Node's own modules, because nothing else need be there yet.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

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

/** Whether every package of the lock file is there in its version; npm notes what it installed. */
function isInstalled() {
  if (!existsSync('node_modules/.package-lock.json')) return false;
  const wanted = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages;
  const found = JSON.parse(readFileSync('node_modules/.package-lock.json', 'utf8')).packages;
  return Object.entries(wanted).every(
    ([path, { version, optional, link }]) =>
      path === '' || optional || link || found[path]?.version === version,
  );
}
