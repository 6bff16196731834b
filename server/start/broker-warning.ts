import { accessSync, constants, readFileSync } from 'node:fs';
import { CHECKED_CATALOGUE, parseCatalogue } from '../../src/catalogue/load.ts';
import { placeholderBroker } from '../../src/catalogue/placeholder-broker.ts';

/** What the last build warned of, read from the copy of the catalogue that it checked: the file itself takes a second. */
export function brokerWarning(): string | undefined {
  try {
    // Another user may have built.
    accessSync(CHECKED_CATALOGUE, constants.R_OK);
  } catch {
    return undefined;
  }
  const warning = placeholderBroker(
    parseCatalogue(CHECKED_CATALOGUE, readFileSync(CHECKED_CATALOGUE, 'utf8')),
  );
  return warning && `Warning: ${warning}`;
}
