/** Reads and writes the owner's catalogue file. */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import type { Io } from '../../process/command.ts';
import { UserError } from '../../process/user-error.ts';
import { catalogueFile, isSample, type Place } from '../../src/catalogue/catalogue-file.ts';
import { shownPath } from '../../src/catalogue/describe-problems.ts';
import { type Catalogue, type CatalogueData, loadWithData } from '../../src/catalogue/load.ts';
import { changeFile } from './last-change.ts';

export interface OwnerCatalogue {
  /** The path behind symbolic links, so that a change replaces the file and not the link. */
  readonly file: string;
  /** For messages. */
  readonly shown: string;
  readonly text: string;
  readonly catalogue: Catalogue;
  /** As the file has it: without defaults. */
  readonly data: CatalogueData;
}

/** The file is not as it was read. */
export class CatalogueChanged extends UserError {}
/** Updates may change the sample. */
export class OnlySample extends UserError {}

/**
 * Reads the catalogue in order to change it.
 * @throws OnlySample while there is none
 * @throws CatalogueError where it has problems, which have to be corrected first
 */
export function readOwnerCatalogue(place: Place): OwnerCatalogue {
  const { file, shown } = ownerFile(place);
  const { catalogue, data } = loadWithData(file, place.cwd());
  return { file, shown, text: readFileSync(file, 'utf8'), catalogue, data };
}

/** The catalogue's path. @throws OnlySample while there is only the sample */
export function ownerFile(place: Place): { file: string; shown: string } {
  const file = catalogueFile(place);
  if (isSample(file, place)) {
    throw new OnlySample(
      'There is only the sample catalogue, which updates may change. Make your own first: npm run catalogue -- init',
    );
  }
  return { file: existsSync(file) ? realpathSync(file) : file, shown: shownPath(file, place.cwd()) };
}

/**
 * Replaces the file at once. The former one is kept for `undo`.
 * @throws CatalogueChanged where it has changed since it was read
 */
export function saveCatalogue({ file, shown, text }: OwnerCatalogue, edited: string, io: Io): void {
  if (readFileSync(file, 'utf8') !== text) {
    throw new CatalogueChanged(
      `${shown} was changed while this command ran. Nothing was written: run it again.`,
    );
  }
  changeFile(file, text, edited, io);
}
