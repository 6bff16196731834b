// Installs missing packages before every npm script, on whatever Node npm was started with (20 or newer). Plain JavaScript
// with Node's own modules alone, because nothing else need be there yet.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';

/** Time for a stopped install to end by itself. */
const STOP_TIMEOUT_MS = 2_000;

const [major] = process.versions.node.split('.').map(Number);
if (major < 20) {
  console.error(
    `\nThis needs Node 20 or newer to begin with; here is ${process.version}. ` +
      'Get a newer one from https://nodejs.org/en/download, then run this again.\n',
  );
  process.exit(1);
}

if (!isInstalled()) {
  console.log('Installing packages (this happens once, and after an update) …');
  await install();
}

/** Runs `npm ci` to its end, or, where this command is stopped, to an earlier one. */
async function install() {
  const npm = process.env.npm_execpath;
  const [command, first] = npm ? [process.execPath, [npm]] : ['npm', []];
  // Errors only, because packages that want a newer Node than this one bring it.
  const options = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  // A process group of its own, to end npm with all that it started: otherwise it continues behind the prompt, and the
  // next start finds half of the packages.
  const child = spawn(command, [...first, ...options], { stdio: 'inherit', detached: true });
  let stopped = false;
  const stop = () => {
    stopped = true;
    end(child.pid, 'SIGTERM');
    // npm takes half a minute over it, and the next install begins anew anyway.
    setTimeout(() => end(child.pid, 'SIGKILL'), STOP_TIMEOUT_MS).unref();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
  const code = await new Promise((done) => child.once('exit', done).once('error', () => done(1)));
  if (stopped) {
    console.error('\nStopped. The packages are not installed yet; the next start installs them.\n');
    process.exit(130);
  }
  if (code !== 0) {
    console.error('\nThe packages could not be installed; see the output of npm above.\n');
    process.exit(1);
  }
}

function end(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended by itself.
  }
}

/**
 * Whether the packages of the lock file are installed, which npm records in this file. A lock file that is merely newer,
 * as in every clone and checkout, is no reason to remove all packages: without a network they could not be installed again.
 */
function isInstalled() {
  const record = 'node_modules/.package-lock.json';
  if (!existsSync(record)) return false;
  if (statSync(record).mtimeMs >= statSync('package-lock.json').mtimeMs) return true;
  try {
    const installed = packagesOf(record);
    return Object.entries(packagesOf('package-lock.json')).every(
      ([path, { version, optional }]) =>
        path === '' || (installed[path] ? installed[path].version === version : optional),
    );
  } catch {
    // npm reports what is wrong with a damaged file.
    return false;
  }
}

function packagesOf(lockFile) {
  return JSON.parse(readFileSync(lockFile, 'utf8')).packages;
}
