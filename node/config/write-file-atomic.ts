import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Writes a file so that, whenever the machine stops, it is there whole or not at all. */
export function writeDurably(path: string, text: string, mode: number): void {
  const draft = `${path}.${process.pid}.draft`;
  const file = openSync(draft, 'w', mode);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
  syncFolder(dirname(path));
}

/** Makes the names in a folder durable, after a rename. Not every system lets a folder be synced. */
export function syncFolder(path: string): void {
  try {
    const folder = openSync(path, 'r');
    fsyncSync(folder);
    closeSync(folder);
  } catch {
    // Windows: its file systems keep renames in order themselves.
  }
}
