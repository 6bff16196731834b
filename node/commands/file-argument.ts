import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { assertOutsideSite } from '../config/project-folders.ts';
import { UserError } from '../config/user-error.ts';

/** What a command takes for an email. */
export const EMAIL = /^[^\s@]+@[^\s@]+$/;

/**
 * The one file that a command is given.
 * @param example the command as it should have been written
 * @param given the arguments of the command
 */
export function fileArgument(example: string, given = process.argv.slice(2)): string {
  const [file, ...more] = given;
  if (file === undefined || more.length > 0 || file.startsWith('-')) {
    throw new UserError(`Please name one file, like this: ${example}`);
  }
  const path = resolve(file);
  if (!existsSync(dirname(path))) throw new UserError(`There is no folder ${dirname(path)}.`);
  return path;
}

/** The one file that a command writes. @throws UserError where it is there already, or would be published */
export function newFileArgument(example: string, given = process.argv.slice(2)): string {
  const file = fileArgument(example, given);
  assertOutsideSite('The file', file);
  mustNotExist(file);
  return file;
}

/** Refuses to write over anything. */
export function mustNotExist(file: string): void {
  if (existsSync(file))
    throw new UserError(`${file} is there already, and is not written over. Name another file.`);
}
