import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { assertOutsideSite } from '../../config/clone-folders.ts';
import { oneTooMany } from '../../process/read-options.ts';
import { UserError } from '../../process/user-error.ts';

/** What a command takes for an email. */
export const EMAIL = /^[^\s@]+@[^\s@]+$/;

/** The error for a command that takes one email. @param given what it was given */
export function wrongEmail(
  example: string,
  given: readonly string[],
  isRight = (text: string) => EMAIL.test(text),
): UserError {
  const wrong = given.find((one) => !isRight(one));
  const usage = `Please name one email address, like this: ${example}`;
  if (wrong !== undefined) return new UserError(`${JSON.stringify(wrong)} is not an email address. ${usage}`);
  return given.length > 1 ? oneTooMany(given[1], usage) : new UserError(usage);
}

/**
 * The one file that a command is given.
 * @param example the command as it should have been written
 * @param given the arguments of the command without its options
 * @param cwd the clone's folder
 */
export function fileArgument(example: string, given: readonly string[], cwd: string): string {
  const [file, ...more] = given;
  const usage = `Please name one file, like this: ${example}`;
  if (more.length > 0) throw oneTooMany(more[0], usage);
  if (file === undefined) throw new UserError(usage);
  const path = resolve(cwd, file);
  if (!existsSync(dirname(path))) throw new UserError(`There is no folder ${dirname(path)}.`);
  return path;
}

/** The one file that a command writes. @throws UserError where it is there already, or would be published */
export function newFileArgument(example: string, given: readonly string[], cwd: string): string {
  const file = fileArgument(example, given, cwd);
  assertOutsideSite('The file', file, cwd);
  mustNotExist(file);
  return file;
}

/** Refuses to write over anything. */
export function mustNotExist(file: string): void {
  if (existsSync(file))
    throw new UserError(`${file} is there already, and is not written over. Name another file.`);
}
