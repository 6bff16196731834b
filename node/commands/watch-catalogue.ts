import { watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { catalogueFile } from '../../src/catalogue/catalogue-file.ts';

/** Editors write a file in several steps: an edit is complete after so many milliseconds without another. */
const SETTLE_MS = 100;

/** Calls `onEdit` after each edit of the catalogue. */
export function watchCatalogue(onEdit: () => void): void {
  const file = catalogueFile();
  let timer: NodeJS.Timeout | undefined;
  watch(dirname(file), (_event, name) => {
    if (name !== basename(file)) return;
    clearTimeout(timer);
    timer = setTimeout(onEdit, SETTLE_MS);
  });
}
