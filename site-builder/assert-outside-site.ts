import { assertOutsideSite } from '../config/clone-folders.ts';
import { catalogueFile, isSample, ownFolder, type Place } from '../src/catalogue/catalogue-file.ts';

/** @throws UserError where OWN_DIR or CATALOGUE leads into a folder that makes the site; the sample may be there */
export function assertCatalogueOutsideSite(place: Place = process): void {
  assertOutsideSite('OWN_DIR', ownFolder(place), place.cwd(), 'prices');
  const file = catalogueFile(place);
  if (!isSample(file, place)) assertOutsideSite('CATALOGUE', file, place.cwd(), 'prices');
}
