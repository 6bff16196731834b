import { randomUUID } from 'node:crypto';
import { existsSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const PREFIX = '.left-';

/**
 * Takes a folder out of the way of the next measurement, beside itself. Removed at the end with all others: for a while
 * after many files went away, a file system takes several times as long to make a new one.
 */
export function setAside(folder: string): void {
  if (existsSync(folder)) renameSync(folder, join(dirname(folder), `${PREFIX}${randomUUID()}`));
}

export function isSetAside(path: string): boolean {
  return basename(path).startsWith(PREFIX);
}
