// Runs before every npm script, on whatever Node npm was started with (20 or newer): installs what is missing.
// Plain JavaScript, and nothing but Node's own modules, because nothing else need be there yet.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';

/** How long a stopped install may take to end by itself, in milliseconds. */
const PATIENCE = 2_000;

const [major] = process.versions.node.split('.').map(Number);
if (major < 20) {
  console.error(`\nThis needs Node 20 or newer to begin with; here is ${process.version}.\n`);
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
  // Errors only: that packages want a newer Node than this one is no news, since they bring it.
  const options = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  // A group of its own, which is ended with all that it started: left alone it goes on behind the prompt, and a start
  // meanwhile finds half of the packages.
  const child = spawn(command, [...first, ...options], { stdio: 'inherit', detached: true });
  let stopped = false;
  const stop = () => {
    stopped = true;
    end(child.pid, 'SIGTERM');
    // npm takes half a minute over it, and the next install begins anew anyway.
    setTimeout(() => end(child.pid, 'SIGKILL'), PATIENCE).unref();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
  const code = await new Promise((done) => child.once('exit', done).once('error', () => done(1)));
  if (stopped) {
    console.error('\nStopped. The packages are not installed yet; the next start installs them.\n');
    process.exit(130);
  }
  if (code !== 0) {
    console.error('\nThe packages could not be installed; npm says why above.\n');
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
 * Whether what the lock file names is there; npm notes each install in this file. A lock file that is merely newer, as
 * every clone's and checkout's is, is no reason to take all packages away: without a network they would not come back.
 */
function isInstalled() {
  const note = 'node_modules/.package-lock.json';
  if (!existsSync(note)) return false;
  if (statSync(note).mtimeMs >= statSync('package-lock.json').mtimeMs) return true;
  try {
    const there = packagesOf(note);
    return Object.entries(packagesOf('package-lock.json')).every(
      ([path, { version, optional }]) =>
        path === '' || (there[path] ? there[path].version === version : optional),
    );
  } catch {
    // npm says what is wrong with a damaged file.
    return false;
  }
}

function packagesOf(lockFile) {
  return JSON.parse(readFileSync(lockFile, 'utf8')).packages;
}
