/** The files of the owner's look, in the folder of what is the owner's. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ownFolder } from '../catalogue/catalogue-file.ts';
import { describeMistakes, whyUnreadableFile } from '../catalogue/describe-mistakes.ts';
import { LookError } from './look-error.ts';

export const THEME = 'theme.css';
export const LOGO = 'logo.svg';
export const ICON = 'favicon.ico';

/** Names that are, or were meant to be, files of the look. */
const MEANT =
  /^(?:theme|logo|favicon|texts)(?:\.[\w-]+)*\.(?:css|svg|png|jpe?g|gif|webp|avif|ico|ya?ml|json)$/i;

/**
 * The absolute paths of the look's files that exist, and of those with a name that is nearly right.
 * @throws {LookError} where the folder cannot be read
 */
export function lookFiles(): string[] {
  const folder = ownFolder();
  try {
    const names = readdirSync(folder).filter((name) => MEANT.test(name));
    return names.sort().map((name) => join(folder, name));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw new LookError(describeMistakes(folder, [{ what: whyUnreadableFile(error) }]));
  }
}
