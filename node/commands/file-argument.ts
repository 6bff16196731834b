import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { SettingError } from '../config/user-error.ts';

/** The one file that a command is given. @param example the command as it should have been written */
export function fileArgument(example: string): string {
  const [file, ...more] = process.argv.slice(2);
  if (file === undefined || more.length > 0 || file.startsWith('-')) {
    throw new SettingError(`Please name one file, like this: ${example}`);
  }
  const path = resolve(file);
  if (!existsSync(dirname(path))) throw new SettingError(`There is no folder ${dirname(path)}.`);
  return path;
}

/** Refuses to write over anything. */
export function mustNotExist(file: string): void {
  if (existsSync(file))
    throw new SettingError(`${file} is there already, and is not written over. Name another file.`);
}
