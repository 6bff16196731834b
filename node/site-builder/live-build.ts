/**
 * The folder of the build that is served: `dist`, a symbolic link to `.builds/live`, which is one to a folder beside it.
 * With two links a build writes in `.builds` alone, and the project's folder may be read-only.
 */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';

export const DIST = resolve('dist');
export const BUILDS = resolve('.builds');
/** Leads to the build that is served. */
const LIVE = join(BUILDS, 'live');
/** Names of builds in that folder. */
const BUILD_NAME = /^\d+-\d+$/;
/** Names the live build, rewritten after each switch: a file to watch, in order to reload a web server that reads a build's files. */
const SWITCHED = join(BUILDS, 'switched.txt');
/** Pins builds for such a web server, which may read them until it has been reloaded. */
const WEB_SERVER_PIN = 'pinned-web-server';
/** Beginning of the names of files in that folder, each with the pinned builds of the process whose id follows. */
const PINS = 'pinned-';
/** How long other builds stay after they were made, in milliseconds: other servers read files of theirs for some seconds. */
const KEPT_MS = 60_000;

/** The folder behind `dist` at this moment. */
export function liveBuild(): string {
  return existsSync(DIST) ? realpathSync(DIST) : DIST;
}

/**
 * Moves a complete build to its place and serves it from then on: `dist` leads to the build before or to this one at any
 * moment. The build before stays, and every build that a running server has pinned.
 */
export function goLive(next: string): void {
  const folder = join(BUILDS, `${Date.now()}-${process.pid}`);
  mkdirSync(BUILDS, { recursive: true });
  const before = liveBuild();
  renameSync(next, folder);
  // Version 0.1 built into a folder of this name.
  const former = join(BUILDS, `0-${process.pid}`);
  const isFolder = lstatSync(DIST, { throwIfNoEntry: false })?.isDirectory();
  if (isFolder) renameSync(DIST, former);
  replaceLink(LIVE, folder);
  if (linkTarget(DIST) !== LIVE) replaceLink(DIST, LIVE);
  completeSwitch();
  removeOldBuilds([folder, isFolder ? former : before]);
}

/**
 * Rewrites `SWITCHED` unless it names the live build. A build that was killed right after its switch has not; the server
 * that serves it does.
 */
export function completeSwitch(): void {
  const live = linkTarget(LIVE);
  if (live === undefined) return;
  const line = `${live}\n`;
  const isNamed = existsSync(SWITCHED) && readFileSync(SWITCHED, 'utf8') === line;
  if (!isNamed) ifPermitted(() => writeFileSync(SWITCHED, line));
}

function replaceLink(link: string, target: string): void {
  const next = join(dirname(link), `.next-${basename(link)}`);
  rmSync(next, { force: true });
  symlinkSync(relative(dirname(link), target), next, 'junction');
  renameSync(next, link);
}

/** Undefined where there is no link. */
function linkTarget(link: string): string | undefined {
  const isLink = lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink();
  return isLink ? resolve(dirname(link), readlinkSync(link)) : undefined;
}

function removeOldBuilds(kept: string[]): void {
  const pinned = pinnedBuilds();
  // Another process may be writing its pins at this moment: the next build removes what this one leaves.
  if (!pinned) return;
  for (const name of readdirSync(BUILDS).filter((one) => BUILD_NAME.test(one))) {
    const folder = join(BUILDS, name);
    const isNew = Date.now() - statSync(folder).mtimeMs < KEPT_MS;
    if (!isNew && !pinned.has(folder) && !kept.includes(folder))
      rmSync(folder, { recursive: true, force: true });
  }
}

/** Keeps builds as long as this process runs: it reads files of theirs. Replaces what it pinned before. */
export function pinBuilds(folders: readonly string[]): void {
  ifPermitted(() => {
    mkdirSync(BUILDS, { recursive: true });
    writeFileSync(join(BUILDS, `${PINS}${process.pid}`), JSON.stringify(folders));
  });
}

/** A server of another user than the one who builds serves on; only builds of its own user know what it needs. */
function ifPermitted(write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/** The builds that running processes have pinned; undefined where a list cannot be read. Removes the pins of ended ones. */
function pinnedBuilds(): Set<string> | undefined {
  const pins = readdirSync(BUILDS).filter((name) => name.startsWith(PINS));
  const lists = pins.map((name) => {
    const file = join(BUILDS, name);
    if (name === WEB_SERVER_PIN || isRunning(Number(name.slice(PINS.length)))) return readPins(file);
    rmSync(file, { force: true });
    return [];
  });
  return lists.includes(undefined) ? undefined : new Set(lists.flatMap((folders) => folders ?? []));
}

/** Undefined where the file is damaged. */
function readPins(file: string): string[] | undefined {
  try {
    const folders: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return Array.isArray(folders) ? folders : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * Reloads a web server that reads the files of a build, and keeps the build that it has read so far until that has
 * succeeded. Another user than this one may be able to write in `.builds`: no link there is followed.
 * @param reload whether it has succeeded
 * @throws Error if `dist` leads to no build of this project
 */
export function reloadWebServer(reload: (build: string) => boolean): boolean {
  const next = liveBuild();
  if (dirname(next) !== realpathSync(BUILDS) || !BUILD_NAME.test(basename(next)))
    throw new Error(`${DIST} leads to no folder in ${BUILDS}.`);
  const pinned = readUnlinked(join(BUILDS, WEB_SERVER_PIN)) ?? '';
  const [last = next] = /(?<=^\[")[^"\\]+/.exec(pinned) ?? [];
  pinForWebServer([last, next]);
  if (!reload(next)) return false;
  pinForWebServer([next]);
  return true;
}

function pinForWebServer(folders: readonly string[]): void {
  const draft = join(BUILDS, '.pin');
  rmSync(draft, { force: true });
  // A new file in any case.
  writeFileSync(draft, `${JSON.stringify(folders)}\n`, { flag: 'wx', mode: 0o644 });
  renameSync(draft, join(BUILDS, WEB_SERVER_PIN));
}

/** The text of a file that another user may have replaced by a link, a pipe or a device: then, or without one, undefined. */
export function readUnlinked(path: string): string | undefined {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    return fstatSync(file).isFile() ? readFileSync(file, 'utf8') : undefined;
  } finally {
    closeSync(file);
  }
}

/** A process of another user counts as running. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
