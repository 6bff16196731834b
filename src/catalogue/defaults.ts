import { DefaultsSchema } from './schema.ts';
import { shownName } from './shown-name.ts';

/** Stands in an entry for a default that is wrong, so that the mistake is reported once, at the default. */
const PLACEHOLDERS = { price: '-', description: '-', hasBroker: false };

type Field = keyof typeof PLACEHOLDERS;
const FIELDS = Object.keys(PLACEHOLDERS) as Field[];

/**
 * Fills the section `defaults` into every entry of a catalogue that lacks the field. The data is as the file has it, not
 * validated yet; what is not as expected stays as it is.
 */
export function withDefaults(data: unknown): unknown {
  if (!isRecord(data) || !isRecord(data.defaults) || !Array.isArray(data.domains)) return data;
  const { defaults } = data;
  const values = FIELDS.flatMap((field) => {
    if (defaults[field] === undefined) return [];
    const read = DefaultsSchema.shape[field].safeParse(defaults[field]);
    return [[field, read.success ? read.data : PLACEHOLDERS[field]] as const];
  });
  return { ...data, domains: data.domains.map((entry: unknown) => filled(entry, values)) };
}

function filled(entry: unknown, values: (readonly [Field, unknown])[]): unknown {
  if (!isRecord(entry)) return entry;
  const own = Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
  const missing = values.filter(([field]) => !Object.hasOwn(own, field));
  const added = missing.map(([field, value]) => [
    field,
    field === 'description' ? describing(entry.name, value) : value,
  ]);
  return { ...own, ...Object.fromEntries(added) };
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
