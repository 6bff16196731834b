import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { writeDurably } from '../config/write-file-atomic.ts';

/**
 * The lines that show a generated password. They hold it on a terminal only, because what a service prints is kept in the
 * system's log. Otherwise writes it to a new file of the data folder, for its owner alone to read.
 * @param remedy how to get another password
 */
export function showPassword(password: string, dataDir: string, remedy: string): string[] {
  if (process.stdout.isTTY) {
    return [`  password: ${password}`, `  This password is shown once and stored nowhere. ${remedy}`];
  }
  const file = newFile(dataDir);
  writeDurably(file, `${password}\n`, 0o600);
  return [`  password: in ${file}. Remove the file once you know it.`, `  ${remedy}`];
}

/** The password of another administrator may wait in a file: nothing is written over. */
function newFile(dataDir: string): string {
  for (let count = 1; ; count += 1) {
    const file = join(dataDir, `admin-password${count === 1 ? '' : `-${count}`}.txt`);
    if (!existsSync(file)) return file;
  }
}
