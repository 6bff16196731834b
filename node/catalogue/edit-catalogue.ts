import { isDeepStrictEqual } from 'node:util';
import { parse, parseDocument } from 'yaml';
import { type Catalogue, parseCatalogue } from '../../src/catalogue/load.ts';
import { UNLIMITED_ALIASES } from '../../src/catalogue/unreadable.ts';
import { UserError } from '../config/user-error.ts';
import { applyToData, type Changes } from './changes.ts';
import { editJson, isJson } from './json-entries.ts';
import { editYaml } from './yaml-entries.ts';

export interface Edited {
  readonly text: string;
  readonly catalogue: Catalogue;
}

/**
 * Makes the catalogue’s new text, and checks that it can be loaded and has exactly these changes.
 * @param file for error messages
 * @throws CatalogueError where the new catalogue has mistakes, such as no entry at all
 * @throws UserError where the file is written in a way that cannot be edited here
 */
export function editCatalogue(file: string, text: string, changes: Changes): Edited {
  const document = parseDocument(text, { keepSourceTokens: true });
  const edited = isJson(text) ? editJson(text, changes) : editYaml(text, document, changes);
  const expected = applyToData(document.toJS(UNLIMITED_ALIASES), changes);
  const catalogue = load(file, edited, expected);
  if (!isDeepStrictEqual(parse(edited, UNLIMITED_ALIASES), expected)) throw cannotEdit(file);
  return { text: edited, catalogue };
}

/** Tells mistakes of the changes from an edit that has damaged the text. */
function load(file: string, edited: string, expected: unknown): Catalogue {
  try {
    return parseCatalogue(file, edited);
  } catch (error) {
    throw isCatalogue(file, expected) ? cannotEdit(file) : error;
  }
}

function isCatalogue(file: string, data: unknown): boolean {
  try {
    return parseCatalogue(file, JSON.stringify(data)) !== undefined;
  } catch {
    return false;
  }
}

function cannotEdit(file: string): UserError {
  return new UserError(
    `${file} is written in a way that this command cannot edit without changing more than it should. Nothing was ` +
      'written. Edit the file by hand.',
  );
}
