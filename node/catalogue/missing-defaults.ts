import type { FieldValues } from './changes.ts';

/** Fields that each entry needs, from itself or from the section `defaults`. */
const REQUIRED = ['price', 'description'] as const;

/** The section as an owner may write it. */
export const DEFAULTS_EXAMPLE = `defaults:
  price: make an offer
  description: "{domain} is for sale. Make an offer."`;

/** The required fields that neither an entry nor the defaults have. */
export function missingFields(values: FieldValues, defaults: ReadonlySet<string>): string[] {
  return REQUIRED.filter((field) => values[field] === undefined && !defaults.has(field));
}

/** `has no price and no description` with its remedy. */
export function whyMissing(fields: readonly string[]): string {
  const list = new Intl.ListFormat('en').format(fields.map((field) => `no ${field}`));
  return `has ${list}, and the catalogue has no default for it: write the section defaults`;
}

/** The message where no entry can be added because of missing defaults. */
export function howToWriteDefaults(shown: string, fields: readonly string[]): string {
  const list = new Intl.ListFormat('en').format(fields);
  return (
    `Each name needs ${list}. Write values for all names that have none of their own into ${shown}, beside settings and ` +
    `domains, like this, and run the command again:\n\n${DEFAULTS_EXAMPLE}`
  );
}
