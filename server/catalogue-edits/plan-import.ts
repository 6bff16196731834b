/** Compares the rows of a CSV file with the catalogue. Nothing is written here. */
import type { Currencies } from '#contract/currency-signs.ts';
import { priceOf } from '#contract/price-of.ts';
import { shorten } from '#contract/shorten.ts';
import { firstDescription } from '../../src/catalogue/description.ts';
import { minimumOf } from '../../src/catalogue/minimum.ts';
import type { DomainEntry } from '../../src/catalogue/schema.ts';
import { shownName } from '../../src/catalogue/shown-name.ts';
import { FIELDS, type Field, type FieldValue, type FieldValues, type NewEntry } from './changes.ts';
import type { ColumnMap, Table } from './columns.ts';
import type { OwnerCatalogue } from './owner-catalogue.ts';
import { FOR_SALE, type Hindrance, type RowResult, readRow, rowContext, type WARNINGS } from './read-row.ts';

/** Maximum length of a value shown. */
const SHOWN_LENGTH = 60;

/** What is reported of a row. */
export interface RowNote {
  readonly line: number;
  /** Empty where the row has no valid one. */
  readonly name: string;
  readonly text: string;
}

/** `line 3 (lap.app): is a host of the site` */
export function describeNote({ line, name, text }: RowNote): string {
  return `line ${line}${name && ` (${withReadableName(name)})`}: ${text}`;
}

/** What an import does, with a line to show for each row that adds or changes an entry, is left out or causes a warning. */
export interface ImportPlan {
  readonly changes: { readonly add: readonly NewEntry[]; readonly set: ReadonlyMap<string, FieldValues> };
  readonly added: readonly string[];
  readonly changed: readonly string[];
  /** Names that have all values already. */
  readonly unchanged: readonly string[];
  readonly leftOut: readonly RowNote[];
  /** Of rows that are imported. */
  readonly warnings: Readonly<Record<keyof typeof WARNINGS, readonly RowNote[]>>;
}

type Target = Pick<OwnerCatalogue, 'catalogue'>;

/** @param currency code for amounts whose row has none */
export function planImport(table: Table, map: ColumnMap, target: Target, currency?: string): ImportPlan {
  const { domains, settings } = target.catalogue;
  const entries = new Map(domains.map((entry) => [entry.name, entry]));
  const lines = new Map<string, number>();
  const add: NewEntry[] = [];
  const set = new Map<string, FieldValues>();
  const [added, changed, unchanged]: [string[], string[], string[]] = [[], [], []];
  const leftOut: RowNote[] = [];
  const warnings = { state: [], currency: [], amount: [], minimum: [], otherCurrency: [], markup: [] } as {
    [About in keyof typeof WARNINGS]: RowNote[];
  };
  const context = rowContext(table, map, currency, settings.currencies);
  const rows = table.rows.map(({ line, cells }) => ({ line, result: readRow(cells, context) }));
  const hindrances = worstHindrances(rows);
  for (const { line, result } of rows) {
    const { name = '' } = result;
    const entry = entries.get(name);
    const worst = hindrances.get(name);
    const hindrance = worst && {
      ...worst,
      reason: worst.reason + (worst.line === line ? '' : ` in line ${worst.line}`),
    };
    const problem = whyLeftOut(result, entry, hindrance, lines.get(name), target);
    if (name !== '' && !lines.has(name)) lines.set(name, line);
    if (problem !== undefined || !('values' in result)) {
      leftOut.push({ line, name, text: `${problem}` });
      continue;
    }
    const values = hindrance
      ? { ...result.values, state: result.values.state ?? entry?.state ?? 'reserved' }
      : result.values;
    const because = hindrance ? ` (reserved: ${hindrance.reason})` : '';
    const now = entry && { ...entry, description: firstDescription(entry.description, settings.languages) };
    const fields = FIELDS.filter(
      (field) => Object.hasOwn(values, field) && !hasValue(now, field, values, settings.currencies),
    );
    if (!now) {
      add.push({ name, ...values });
      added.push(withReadableName(name) + amountsOf(values) + because);
    } else if (fields.length === 0) unchanged.push(name);
    else {
      set.set(name, Object.fromEntries(fields.map((field) => [field, values[field]])));
      const changes = fields.map(
        (field) => `${field} ${shown(field, now[field])} → ${shown(field, values[field])}`,
      );
      changed.push(`${withReadableName(name)}: ${changes.join(', ')}${because}`);
    }
    for (const { about, text, field } of result.warnings) {
      if (field === undefined || fields.includes(field)) warnings[about].push({ line, name, text });
    }
  }
  return { changes: { add, set }, added, changed, unchanged, leftOut, warnings };
}

/** By name, because an export may have a row for each listing or sale of a name. */
function worstHindrances(rows: readonly { line: number; result: RowResult }[]) {
  const found = new Map<string, Hindrance & { readonly line: number }>();
  for (const { line, result } of rows) {
    const { name = '', hindrance } = result;
    if (hindrance && (found.get(name)?.state ?? 'reserved') === 'reserved')
      found.set(name, { ...hindrance, line });
  }
  return found;
}

/** @param earlier line of a row with the same name */
function whyLeftOut(
  result: RowResult,
  entry: DomainEntry | undefined,
  hindrance: Hindrance | undefined,
  earlier: number | undefined,
  { catalogue }: Target,
): string | undefined {
  if (earlier !== undefined) return `is the same name as in line ${earlier}`;
  if ('problem' in result) return result.problem;
  const { name, values } = result;
  if (hindrance && hindrance.state !== 'reserved') {
    if (!entry) return `${hindrance.reason}: add it by hand if you do sell it`;
    if (entry.state) return hindrance.reason;
    const command = hindrance.state === 'sold' ? 'sold' : 'reserve';
    return `${hindrance.reason}, and the catalogue has it for sale. To end that: npm run catalogue -- ${command} ${name}`;
  }
  if (entry) {
    if (typeof entry.description === 'string' || values.description === undefined) return undefined;
    if (values.description === firstDescription(entry.description, catalogue.settings.languages))
      return undefined;
    return 'has a description for each language in the catalogue: change it there, or leave the cell empty';
  }
  if (catalogue.settings.hosts.some((host) => host.replace(/^www\./, '') === name))
    return 'is a host of the site (settings, field hosts): remove it there before it can be for sale';
  return undefined;
}

function shown(field: Field, value: FieldValue | undefined): string {
  if (value === undefined) return field === 'state' ? FOR_SALE : 'none';
  if (typeof value !== 'string') return JSON.stringify(value);
  return JSON.stringify(shorten(value, SHOWN_LENGTH));
}

/** `  $6,900, minimum $1,725` */
function amountsOf({ price, minimum }: FieldValues): string {
  const amounts = [price, minimum && `minimum ${minimum}`].filter(Boolean);
  return amounts.length > 0 ? `  ${amounts.join(', ')}` : '';
}

/** Whether the catalogue has the value: an amount however it is written, a minimum also as a share of the price that is imported. */
function hasValue(
  now: FieldValues | undefined,
  field: Field,
  values: FieldValues,
  currencies: Currencies | undefined,
): boolean {
  const value = values[field];
  if (value === now?.[field]) return true;
  if ((field !== 'price' && field !== 'minimum') || typeof value !== 'string') return false;
  const given = priceOf(value, currencies);
  const { price, minimum } = now ?? {};
  const present =
    field === 'price'
      ? priceOf(price ?? '', currencies)
      : minimumOf({ price: values.price ?? price, minimum }, currencies);
  return !!given && given.currency === present?.currency && Number(given.amount) === Number(present.amount);
}

/** The name for messages: one in punycode with its readable form as a comment. */
function withReadableName(name: string): string {
  const readable = shownName(name);
  return readable === name ? name : `${name} # ${readable}`;
}
