/** The folder of the build that is served: `dist`, a symbolic link to one of the folders in `.builds`. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join, relative, resolve } from 'node:path';

export const DIST = resolve('dist');
const BUILDS = resolve('.builds');
/** How long the builds before the served one stay, in milliseconds: servers read files of theirs for some seconds. */
const KEPT_MS = 60_000;

/** The folder behind `dist` at this moment. Its files stay until two newer builds went live. */
export function liveBuild(): string {
  return existsSync(DIST) ? realpathSync(DIST) : DIST;
}

/**
 * Moves a complete build to its place and serves it from then on: `dist` leads to the build before or to this one at any
 * moment, and no file of the build before is removed.
 */
export function goLive(next: string): void {
  mkdirSync(BUILDS, { recursive: true });
  const before = liveBuild();
  const folder = join(BUILDS, `${Date.now()}-${process.pid}`);
  renameSync(next, folder);
  // Versions before 0.3 built into a folder of this name.
  if (lstatSync(DIST, { throwIfNoEntry: false })?.isDirectory()) {
    renameSync(DIST, join(BUILDS, `0-${process.pid}`));
  }
  const link = join(BUILDS, 'next');
  rmSync(link, { force: true });
  symlinkSync(relative(resolve(DIST, '..'), folder), link, 'junction');
  renameSync(link, DIST);
  removeOldBuilds([folder, before]);
}

function removeOldBuilds(kept: string[]): void {
  for (const name of readdirSync(BUILDS)) {
    const folder = join(BUILDS, name);
    if (kept.includes(folder) || Date.now() - statSync(folder).mtimeMs < KEPT_MS) continue;
    rmSync(folder, { recursive: true, force: true });
  }
}
