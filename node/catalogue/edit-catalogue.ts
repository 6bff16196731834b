import { isDeepStrictEqual } from 'node:util';
import { parse, parseDocument } from 'yaml';
import { type Catalogue, parseCatalogue } from '../../src/catalogue/load.ts';
import { UNLIMITED_ALIASES } from '../../src/catalogue/unreadable.ts';
import { UserError } from '../config/user-error.ts';
import { applyToData, type Changes } from './changes.ts';
import { editYaml } from './yaml-entries.ts';

/**
 * Makes the catalogue’s new text, and checks that it can be loaded and has exactly these changes.
 * @param file for error messages
 * @throws CatalogueError where the new catalogue has mistakes, such as no entry at all
 * @throws UserError where the file is written in a way that cannot be edited here
 */
export function editCatalogue(
  file: string,
  text: string,
  changes: Changes,
): { text: string; catalogue: Catalogue } {
  const document = parseDocument(text, { keepSourceTokens: true });
  const expected = applyToData(document.toJS(UNLIMITED_ALIASES), changes);
  const edited = isReadable(() => JSON.parse(text))
    ? jsonLike(text, expected)
    : editYaml(text, document, changes);
  try {
    const catalogue = parseCatalogue(file, edited);
    if (isDeepStrictEqual(parse(edited, UNLIMITED_ALIASES), expected)) return { text: edited, catalogue };
  } catch (error) {
    // A mistake of the changes, not of the edit.
    if (!isReadable(() => parseCatalogue(file, JSON.stringify(expected)))) throw error;
  }
  throw new UserError(
    `${file} is written in a way that this command cannot edit without changing more than it should. Nothing was ` +
      'written. Edit the file by hand.',
  );
}

/** JSON with the indentation of a catalogue in JSON. */
function jsonLike(text: string, data: unknown): string {
  const [, indentation = ''] = /^\s*\{\r?\n([ \t]+)/.exec(text) ?? [];
  return JSON.stringify(data, null, indentation) + (text.endsWith('\n') ? '\n' : '');
}

function isReadable(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}
