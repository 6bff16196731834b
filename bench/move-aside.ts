import { randomUUID } from 'node:crypto';
import { existsSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const PREFIX = '.left-';

/**
 * Renames a folder instead of deleting it before the next measurement; all are deleted at the end. For a while after many
 * files were deleted, a file system takes several times as long to create new ones.
 */
export function moveAside(folder: string): void {
  if (existsSync(folder)) renameSync(folder, join(dirname(folder), `${PREFIX}${randomUUID()}`));
}

export function isMovedAside(path: string): boolean {
  return basename(path).startsWith(PREFIX);
}
