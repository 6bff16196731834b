/**
 * The folder of the build that is served: `dist`, a symbolic link to `.builds/live`, which is one to a folder beside it.
 * With two links a build writes in `.builds` alone, and the clone's folder may be read-only.
 */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { BUILD_FOLDER } from '../src/catalogue/catalogue-file.ts';

export const DIST = join(BUILD_FOLDER, 'dist');
export const BUILDS = join(BUILD_FOLDER, '.builds');
/** Leads to the build that is served. */
const LIVE = join(BUILDS, 'live');
/** Names of builds in that folder. */
const BUILD_NAME = /^\d+-\d+$/;
/** Names of files in that folder: a build, and the id of a process that reads files of it. */
const MARK = /^(.+)\.(\d+)$/;
/** How many products of this process hold each mark, by its path. */
const held = new Map<string, number>();
/** How long other builds stay after they were made, in milliseconds: other servers read files of theirs for some seconds. */
const KEPT_MS = 60_000;

/** The folder behind `dist` at this moment. */
export function liveBuild(dist = DIST): string {
  return existsSync(dist) ? realpathSync(dist) : dist;
}

/**
 * Moves a complete build to its place and serves it from then on: `dist` leads to the build before or to this one at any
 * moment. The build before stays, and every build that a running server reads.
 */
export function goLive(next: string): void {
  const folder = join(BUILDS, `${Date.now()}-${process.pid}`);
  mkdirSync(BUILDS, { recursive: true });
  const before = liveBuild();
  renameSync(next, folder);
  replaceLink(LIVE, folder);
  if (linkTarget(DIST) !== LIVE) replaceLink(DIST, LIVE);
  removeOldBuilds([folder, before]);
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
  const read = readBuilds();
  for (const name of readdirSync(BUILDS).filter((one) => BUILD_NAME.test(one))) {
    const folder = join(BUILDS, name);
    const isNew = Date.now() - statSync(folder).mtimeMs < KEPT_MS;
    if (!isNew && !read.has(name) && !kept.includes(folder)) rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Keeps builds as long as this process runs, since it reads files of theirs.
 * @param dist the link that leads to the builds of that project
 * @returns a function that keeps them no longer
 */
export function keepBuilds(folders: readonly string[], dist = DIST): () => void {
  const marks = folders.map((folder) => join(dirname(dist), '.builds', `${basename(folder)}.${process.pid}`));
  for (const mark of marks) {
    held.set(mark, (held.get(mark) ?? 0) + 1);
    ifPossible(() => writeFileSync(mark, ''));
  }
  return () => {
    for (const mark of marks.splice(0)) {
      const count = (held.get(mark) ?? 1) - 1;
      held.set(mark, count);
      if (count === 0) ifPossible(() => rmSync(mark));
    }
  };
}

/** On a full disk or in a folder of another user the pages are served all the same. */
function ifPossible(change: () => void): void {
  try {
    change();
  } catch {}
}

/** The names of builds that running processes read. Removes the marks of ended ones. */
function readBuilds(): Set<string> {
  const builds = new Set<string>();
  for (const name of readdirSync(BUILDS)) {
    const [, build, pid] = MARK.exec(name) ?? [];
    if (build === undefined) continue;
    if (isRunning(Number(pid))) builds.add(build);
    else rmSync(join(BUILDS, name), { force: true });
  }
  return builds;
}

/** A process of another user counts as running. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
