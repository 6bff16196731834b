import { catalogueFile, isSample, ownFolder } from '../../src/catalogue/catalogue-file.ts';
import { assertOutsideSite } from '../config/project-folders.ts';

/** @throws UserError where OWN_DIR or CATALOGUE leads into a folder that makes the site; the sample may be there */
export function assertCatalogueOutsideSite(): void {
  assertOutsideSite('OWN_DIR', ownFolder(), process.cwd(), 'prices');
  const file = catalogueFile();
  if (!isSample(file)) assertOutsideSite('CATALOGUE', file, process.cwd(), 'prices');
}
