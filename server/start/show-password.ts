import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Io } from '../../process/command.ts';
import { writeDurably } from '../../process/write-file-atomic.ts';

/**
 * Returns the lines that show a generated password: on a terminal only, because the output of a service goes to the
 * system's log. Otherwise writes it to a new file of the data folder, for its owner alone to read.
 * @param remedy how to get another password
 */
export function showPassword(
  password: string,
  dataDir: string,
  remedy: string,
  { stdout }: Pick<Io, 'stdout'> = process,
): string[] {
  if (stdout.isTTY) {
    return [`  password: ${password}`, `  This password is shown once and stored nowhere. ${remedy}`];
  }
  // The password of another administrator may wait in a file: nothing is written over.
  let file = join(dataDir, 'admin-password.txt');
  for (let count = 2; existsSync(file); count += 1) file = join(dataDir, `admin-password-${count}.txt`);
  writeDurably(file, `${password}\n`, 0o600);
  return [`  password: in ${file}. Remove the file once you know it.`, `  ${remedy}`];
}
