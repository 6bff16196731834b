/** The files in the owner's folder that change how pages look and what they say. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ownFolder, type Place } from '../catalogue/catalogue-file.ts';
import { describeProblems, whyUnreadableFile } from '../catalogue/describe-problems.ts';
import type { Language } from '../i18n/languages.ts';

export const THEME = 'theme.css';
export const ICON = 'favicon.ico';

/** The name of the owner's texts in a language. */
export function textsFile(language: Language): string {
  return `texts.${language}.yaml`;
}

/** Names that are, or were meant to be, such files. */
const MEANT =
  /^(?:theme|logo|favicon|texts)(?:[.-][\w-]+)*\.(?:css|svg|png|jpe?g|gif|webp|avif|ico|ya?ml|json)$/i;

/** What is wrong with these files, for the person who edits them: one problem a line, with file and line. */
export class BrandingError extends Error {
  override name = 'BrandingError';

  constructor(lines: readonly string[]) {
    super(['Please correct the files of the site’s branding:', ...lines].join('\n'));
  }
}

/**
 * The absolute paths of the files that exist, and of those with a name that is nearly right.
 * @throws {BrandingError} where the folder cannot be read
 */
export function brandingFiles(place: Place = process): string[] {
  const folder = ownFolder(place);
  try {
    const names = readdirSync(folder).filter((name) => MEANT.test(name));
    return names.sort().map((name) => join(folder, name));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw new BrandingError(describeProblems(folder, [{ what: whyUnreadableFile(error) }], place.cwd()));
  }
}
