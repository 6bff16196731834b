import { isDeepStrictEqual } from 'node:util';
import { type Catalogue, DefaultsSchema, type DomainEntry } from './schema.ts';
import { shownName } from './shown-name.ts';

/** Stands in an entry for a default that is wrong, so that the problem is reported once, at the default. */
const PLACEHOLDERS = {
  ...{ price: '-', description: '-', hasBroker: false, minimum: '1%' },
  ...{ buyNow: 'https://lap.app', instalments: 'https://lap.app' },
};
const FIELDS = Object.keys(PLACEHOLDERS) as (keyof typeof PLACEHOLDERS)[];
/** Fields with a URL, in which `{domain}` becomes the name. */
const LINKS = ['buyNow', 'instalments'] as const;

/**
 * Fills the section `defaults` into every entry of a catalogue that lacks the field, and the name into its URLs. The data is as the
 * file has it, not validated yet; what is not as expected stays as it is.
 */
export function withDefaults(data: unknown): unknown {
  if (!isRecord(data) || !Array.isArray(data.domains)) return data;
  const defaults = isRecord(data.defaults) ? data.defaults : {};
  const fields = FIELDS.filter((field) => defaults[field] !== undefined);
  const values = Object.fromEntries(
    fields.map((field) => [
      field,
      DefaultsSchema.shape[field].safeParse(defaults[field]).data ?? PLACEHOLDERS[field],
    ]),
  );
  const filled = (entry: unknown) => {
    if (!isRecord(entry)) return entry;
    const description = describing(entry.name, values.description);
    const whole: Record<string, unknown> = {
      ...values,
      ...(description !== undefined && { description }),
      ...entry,
    };
    const links = LINKS.filter((field) => Object.hasOwn(whole, field));
    return {
      ...whole,
      ...Object.fromEntries(links.map((field) => [field, linkFor(entry.name, whole[field])])),
    };
  };
  return { ...data, domains: data.domains.map(filled) };
}

/** Whether a description is the one of `defaults`: cards leave it out, because all would have the same. */
export function hasDefaultDescription(
  { name, description }: DomainEntry,
  defaults: Catalogue['defaults'],
): boolean {
  return isDeepStrictEqual(description, defaultDescription(name, defaults));
}

/** The description of an entry that has none of its own. */
export function defaultDescription(
  name: string,
  defaults: Catalogue['defaults'],
): DomainEntry['description'] {
  return describing(name, defaults?.description) as DomainEntry['description'];
}

/** A URL of a domain. The catalogue's names are in ASCII. */
export function linkFor(name: unknown, template: unknown): unknown {
  if (typeof template !== 'string' || typeof name !== 'string') return template;
  return template.replaceAll('{domain}', () => name);
}

/** @param template one text, or texts by language */
function describing(name: unknown, template: unknown): unknown {
  if (isRecord(template)) {
    return Object.fromEntries(Object.entries(template).map(([code, text]) => [code, describing(name, text)]));
  }
  if (typeof template !== 'string' || typeof name !== 'string') return template;
  return template.replaceAll('{domain}', shownName(name));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
