/** The fields of names that the dashboard shows and changes. */
import type { NameChange, NameProblem, NameValues, ShownValue } from '#contract/names.ts';
import { defaultDescription } from '../../src/catalogue/defaults.ts';
import type { Description } from '../../src/catalogue/description.ts';
import { type CatalogueData, checkData, type Issue } from '../../src/catalogue/load.ts';
import { placeOf } from '../../src/catalogue/position-in-file.ts';
import type { Catalogue, DomainEntry } from '../../src/catalogue/schema.ts';
import type { FieldValues, NewEntry } from '../catalogue-edits/changes.ts';
import type { OwnerCatalogue } from '../catalogue-edits/owner-catalogue.ts';
import { NamesRejected } from './name-rejection.ts';

export type Target = Pick<OwnerCatalogue, 'catalogue' | 'data'>;

/** As the file has it: without defaults. */
type OwnEntry = CatalogueData['domains'][number];

/** What becomes of the file. */
export interface Edits {
  readonly add: readonly NewEntry[];
  readonly set: ReadonlyMap<string, FieldValues>;
}

/** The values of these names with their defaults. Those that are not in the catalogue are missing. */
export function valuesOf(names: readonly string[], target: Target): Record<string, NameValues> {
  const { languages } = target.catalogue.settings;
  const entries = entriesOf(target);
  return Object.fromEntries(
    [...new Set(names)].flatMap((name) => {
      const entry = entries.get(name);
      if (!entry) return [];
      const shown = (field: string): ShownValue => {
        const [own, value] = [entry.own, entry.filled].map((one) => textOf(one, field, languages[0]));
        return { value: value ?? null, is_default: own === null && value !== null };
      };
      const [state, price, minimum] = ['state', 'price', 'minimum'].map(shown) as Values3;
      const texts = languages.map((language) => [language, shown(`description.${language}`)]);
      return [[name, { state, price, minimum, description: Object.fromEntries(texts) }]];
    }),
  );
}
type Values3 = [ShownValue, ShownValue, ShownValue];

/** Own and filled entries by name. */
function entriesOf({
  data,
  catalogue,
}: Target): Map<string, { readonly own: OwnEntry; readonly filled: DomainEntry }> {
  return new Map(
    catalogue.domains.map((filled, index) => [filled.name, { own: data.domains[index] as OwnEntry, filled }]),
  );
}

/** A field as a text; null: it has none. @param first of the site's languages, which a single text is in */
function textOf(entry: OwnEntry, field: string, first = ''): string | null {
  const language = languageOf(field);
  const value =
    language === undefined
      ? entry[field as 'state' | 'price' | 'minimum']
      : textsOf(entry.description, first)[language];
  return value?.trim() ?? null;
}

function languageOf(field: string): string | undefined {
  return /^description\.(.+)$/.exec(field)?.[1];
}

function textsOf(description: Description | undefined, first: string): Record<string, string> {
  return typeof description === 'string' ? { [first]: description } : { ...description };
}

/** What the file has of each of these fields: own values. Null also for a name that is not in it. */
export function foundValues(
  fields: readonly Pick<NameChange, 'name' | 'field'>[],
  target: Target,
): (string | null)[] {
  const entries = entriesOf(target);
  const [first] = target.catalogue.settings.languages;
  return fields.map(({ name, field }) => {
    const own = entries.get(name)?.own;
    return own ? textOf(own, field === 'entry' ? 'price' : field, first) : null;
  });
}

/** Whether a name is in the catalogue. */
export function hasName(name: string, { catalogue }: Target): boolean {
  return catalogue.domains.some((entry) => entry.name === name);
}

/**
 * What changes make of the file, whatever it has now. Those after one another in the same field count in their order.
 * @throws NamesRejected for a name that is not in the catalogue
 */
export function editsOf(changes: readonly NameChange[], target: Target): Edits {
  const entries = entriesOf(target);
  const set = new Map<string, FieldValues>();
  const [first = 'en'] = target.catalogue.settings.languages;
  for (const { name, field, to } of changes) {
    const entry = entries.get(name);
    if (!entry) throw new NamesRejected('unknown_name', { values: { name } });
    const values = set.get(name) ?? {};
    const own = { ...entry.own, ...values } as OwnEntry;
    const defaults = textsOf(defaultDescription(name, target.catalogue.defaults), first);
    set.set(name, { ...values, ...withValue(own, defaults, field, to, first) });
  }
  return { add: [], set };
}

/** @param defaults texts of `defaults` by language */
function withValue(
  own: OwnEntry,
  defaults: Record<string, string>,
  field: string,
  to: string | null,
  first: string,
): FieldValues {
  const language = languageOf(field);
  if (language === undefined) return { [field]: to ?? undefined };
  // An own description takes the place of the default in all languages: those that are not changed keep its texts.
  const texts = own.description === undefined ? { ...defaults } : textsOf(own.description, first);
  if (to === null) delete texts[language];
  else texts[language] = to;
  const languages = Object.keys(texts);
  // So that it ends with the last text that differs from them.
  if (to === null && languages.every((one) => texts[one] === defaults[one]))
    return { description: undefined };
  const isOneText = typeof own.description !== 'object' && languages.every((one) => one === first);
  return { description: isOneText ? (texts[first] as string) : texts };
}

/**
 * Checks edits by the catalogue's own rules, without the entries that stay as they are: reading all of 10,000 takes a second.
 * @returns the entries with defaults, in the order of `set`, then of `add`
 * @throws NamesRejected with the problems
 */
export function checkEdits({ add, set }: Edits, target: Target): Catalogue {
  const entries = entriesOf(target);
  const [first = ''] = target.catalogue.settings.languages;
  const changed = [...set].map(([name, values]) =>
    withoutUndefined({ ...entries.get(name)?.own, ...values }),
  );
  const data = { ...target.data, domains: [...changed, ...add.map(withoutUndefined)] };
  const { catalogue, issues } = checkData(data);
  if (catalogue) return catalogue;
  throw new NamesRejected('invalid', {
    body: { problems: issues.map((issue) => problemOf(issue, data, first)) },
  });
}

function withoutUndefined(entry: object): object {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
}

function problemOf({ path, message }: Issue, data: { domains: object[] }, first: string): NameProblem {
  const [section, index, field, language = first] = path;
  if (section !== 'domains' || typeof index !== 'number' || typeof field !== 'string')
    return { message: `${placeOf(path, data)} ${message}` };
  const { name } = data.domains[index] as { name: string };
  const isText = field === 'description';
  const label = `${field.charAt(0).toUpperCase()}${field.slice(1)}${isText ? ` (${String(language)})` : ''}`;
  return {
    name,
    field: isText ? `description.${String(language)}` : field,
    message: message.startsWith('"') ? message : `${label} ${message}`,
  };
}
