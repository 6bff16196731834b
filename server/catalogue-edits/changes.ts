/** What a command changes in the catalogue. */
import type { Description } from '../../src/catalogue/description.ts';
import type { DomainEntry } from '../../src/catalogue/schema.ts';

/** The fields besides the name, in the order in which they are written. */
export const FIELDS = [
  'price',
  'description',
  'hasBroker',
  'state',
  'minimum',
  'about',
  'buyNow',
  'instalments',
  'checkout',
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
