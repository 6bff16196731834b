/**
 * Makes a folder, and those that it is in. Node's own `mkdirSync` with `recursive` never returns where the system reports
 * ENOENT for a folder whose parent is there, as in /proc (not reported yet). Try it again with a newer Node than 24.21:
 * dependency-faults.test.ts fails where this is not needed any more.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

export function makeFolder(path: string, mode: number): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process was faster.
    if (!existsSync(path)) throw error;
  }
}
