/** What a command changes in the catalogue. Everything else in the file stays as it is written. */
import type { Description } from '../../src/catalogue/description.ts';
import type { DomainEntry } from '../../src/catalogue/schema.ts';

/** The fields besides the name, in the order in which they are written. */
export const FIELDS = [
  'price',
  'description',
  'hasBroker',
  'state',
  'about',
  'buyNow',
  'instalments',
] as const;
export type Field = (typeof FIELDS)[number];

/** New values; a field that is present and undefined is removed from the entry. */
export type FieldValues = { [Name in Field]?: DomainEntry[Name] | undefined };

export type FieldValue = Description | boolean;

/** An entry to write; fields that it lacks come from the section `defaults`. */
export type NewEntry = { name: string } & FieldValues;

export interface Changes {
  /** Entries to append, in this order. */
  readonly add?: readonly NewEntry[];
  /** Fields to set, by the entry’s name. */
  readonly set?: ReadonlyMap<string, FieldValues>;
  readonly remove?: ReadonlySet<string>;
}

/** The fields of an entry in the order in which they are written, without those that are undefined. */
export function orderedFields(entry: NewEntry): Record<string, FieldValue> {
  const fields = ['name', ...FIELDS].map((field) => [field, entry[field as Field]]);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

/** Applies changes to the file’s data, as it was parsed and before defaults are filled in. */
export function applyToData(data: unknown, { add = [], set, remove }: Changes): unknown {
  const { domains, ...sections } = data as { domains: NewEntry[] };
  const kept = domains.filter(({ name }) => !remove?.has(name));
  const changed = kept.map((entry) => {
    const values = set?.get(entry.name);
    return values ? orderedFields({ ...entry, ...values }) : entry;
  });
  return { ...sections, domains: [...changed, ...add.map(orderedFields)] };
}
