// @ts-check
// What comes before every command, on whatever Node it was started with (20 or newer): installs missing packages, and
// reports what would stop the rest. Plain JavaScript with Node's own modules alone, because nothing else need be there yet.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';

/** Time for a stopped install to end by itself. */
const STOP_TIMEOUT_MS = 2_000;

const IS_WINDOWS = process.platform === 'win32';
/** Characters in a path with which Vite, Node's imports or PATH fail. Windows allows two of them in names. */
const BAD_IN_PATH = IS_WINDOWS ? /[#%]/ : /[#%?*":\\]/;

const RECORD = 'node_modules/.package-lock.json';

/**
 * Makes the project in the current folder ready. Ends the process, with an error message, where that fails.
 * @param {boolean} needsDevelopment also installs what tests and checks need, which the product does not
 */
export async function prepare(needsDevelopment) {
  const [major] = process.versions.node.split('.').map(Number);
  if (major === undefined || major < 20)
    fail(
      `This needs Node 20 or newer to begin with; here is ${process.version}. ` +
        'Get a newer one from https://nodejs.org/en/download, then run this again.',
    );
  const bad = BAD_IN_PATH.exec(process.cwd())?.[0];
  if (bad !== undefined)
    fail(
      `The path of this folder, ${process.cwd()}, has the character ${bad}, with which the site cannot be built. ` +
        'Rename or move the folder, then run this again.',
    );

  // What is there once is kept up to date.
  const withDevelopment = needsDevelopment || hasDevelopment();
  if (!isInstalled(false)) {
    console.log('Installing packages (this happens once, and after an update) …');
    await install(['ci', withDevelopment ? '--include=dev' : '--omit=dev']);
  } else if (withDevelopment && !isInstalled(true)) {
    console.log('Adding the packages of tests and checks (this happens once, and after an update) …');
    // `npm ci` would remove the packages of a running product first.
    await install(['install', '--no-save', '--include=dev']);
  }

  // Programs that scripts of their packages put there.
  const programs = { node: projectNode(), ...(needsDevelopment && { deno: programFile('deno/deno') }) };
  const missing = Object.entries(programs).flatMap(([name, file]) => (existsSync(file) ? [] : [name]));
  if (missing.length === 0) return;
  const cause =
    process.env.npm_config_ignore_scripts === 'true' ? ' because npm’s setting ignore-scripts is true' : '';
  fail(
    `The scripts of the packages ${missing.join(' and ')} have not installed their programs${cause}. Run ` +
      `npm rebuild --ignore-scripts=false ${missing.join(' ')} (it runs no other package’s), then run this again.`,
  );
}

/** Path of the project's own Node, of the project in the current folder. */
export function projectNode() {
  return programFile('node/bin/node');
}

/** @param {string} path in node_modules */
function programFile(path) {
  return resolve(`node_modules/${path}${IS_WINDOWS ? '.exe' : ''}`);
}

/**
 * Runs npm to its end, or, where this command is stopped, to an earlier one.
 * @param {string[]} given also say which packages are meant, since with NODE_ENV=production npm leaves out those of development
 */
async function install(given) {
  const npm = process.env.npm_execpath;
  const [command, first] = npm ? [process.execPath, [npm]] : ['npm', []];
  // Errors only, because packages that want a newer Node than this one bring it.
  const options = [...given, '--no-audit', '--no-fund', '--loglevel=error'];
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
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, stop);
  const code = await new Promise((done) => child.once('exit', done).once('error', () => done(1)));
  for (const signal of signals) process.off(signal, stop);
  if (stopped) fail('Stopped. The packages are not installed yet; the next start installs them.', 130);
  if (code !== 0) fail('The packages could not be installed; see the output of npm above.');
}

/**
 * @param {string} message
 * @returns {never}
 */
function fail(message, code = 1) {
  console.error(`\n${message}\n`);
  process.exit(code);
}

/**
 * @param {number | undefined} pid
 * @param {NodeJS.Signals} signal
 */
function end(pid, signal) {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // It has ended by itself.
  }
}

/**
 * Whether the packages of the lock file are installed, which npm records in this file. A lock file that is merely newer,
 * as in every clone and checkout, is no reason to remove all packages: without a network they could not be installed again.
 * @param {boolean} development those of tests and checks too
 */
function isInstalled(development) {
  if (!existsSync(RECORD)) return false;
  if (!development && statSync(RECORD).mtimeMs >= statSync('package-lock.json').mtimeMs) return true;
  try {
    const installed = packagesOf(RECORD);
    return Object.entries(packagesOf('package-lock.json')).every(
      ([path, { version, optional, dev }]) =>
        path === '' ||
        (dev && !development) ||
        (installed[path] ? installed[path].version === version : optional),
    );
  } catch {
    // npm reports what is wrong with a damaged file.
    return false;
  }
}

function hasDevelopment() {
  try {
    return Object.values(packagesOf(RECORD)).some(({ dev }) => dev);
  } catch {
    return false;
  }
}

/**
 * @param {string} lockFile
 * @returns {Record<string, { version?: string, optional?: boolean, dev?: boolean }>}
 */
function packagesOf(lockFile) {
  return JSON.parse(readFileSync(lockFile, 'utf8')).packages;
}
