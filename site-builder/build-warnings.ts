import { join } from 'node:path';
import { THEME } from '../src/branding/branding-files.ts';
import { contrastWarnings } from '../src/branding/contrast.ts';
import { schemesOf } from '../src/branding/design-tokens.ts';
import type { Branding } from '../src/branding/load-branding.ts';
import { untranslatedTexts } from '../src/branding/untranslated-texts.ts';
import { catalogueFile, isSample, ownFolder, type Place } from '../src/catalogue/catalogue-file.ts';
import { shownPath } from '../src/catalogue/describe-problems.ts';
import type { Catalogue } from '../src/catalogue/load.ts';
import { unreadableMinimums } from '../src/catalogue/minimum.ts';
import { missingLinks } from '../src/catalogue/missing-links.ts';
import { placeholderBroker } from '../src/catalogue/placeholder-broker.ts';

/** What stops no build and is hardly meant, a line each. */
export function buildWarnings(
  catalogue: Catalogue,
  { tokens, texts }: Branding,
  place: Place = process,
): string[] {
  const pathOf = (file: string) => shownPath(join(ownFolder(place), file), place.cwd());
  const contrast = contrastWarnings(tokens, schemesOf(catalogue.settings.colorScheme));
  // The sample sells nothing: its first start needs no warning.
  const others = isSample(catalogueFile(place), place)
    ? []
    : [missingLinks(catalogue), placeholderBroker(catalogue), unreadableMinimums(catalogue)];
  return [
    ...contrast.map((line) => `${pathOf(THEME)}  ${line}`),
    ...untranslatedTexts(texts, catalogue.settings.languages).map(
      ({ file, what }) => `${pathOf(file)}  ${what}`,
    ),
    ...others,
  ]
    .filter((line) => line !== undefined)
    .map((line) => `Warning: ${line}`);
}
