import type { FieldValues } from './changes.ts';

/** Fields that each entry needs, from itself or from the section `defaults`. */
const REQUIRED = ['price', 'description'] as const;

/** The section as an owner may write it. */
export const DEFAULTS_EXAMPLE = `defaults:
  price: make an offer
  description: "{domain} is for sale. Make an offer."`;

/** The required fields that neither an entry nor the defaults have, such as `price and description`; empty: none. */
export function missingFields(values: FieldValues, defaults: ReadonlySet<string>): string {
  const missing = REQUIRED.filter((field) => values[field] === undefined && !defaults.has(field));
  return new Intl.ListFormat('en').format(missing);
}
