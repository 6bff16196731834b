/** Compares the rows of a CSV file with the catalogue. Nothing is written here. */
import { shorten } from '#contract/shorten.ts';
import { firstDescription } from '../../src/catalogue/description.ts';
import type { DomainEntry } from '../../src/catalogue/schema.ts';
import { FIELDS, type Field, type FieldValue, type FieldValues, type NewEntry } from './changes.ts';
import { type ColumnMap, statusColumn } from './columns.ts';
import { missingFields } from './missing-defaults.ts';
import type { OwnerCatalogue } from './owner-catalogue.ts';
import { FOR_SALE, type RowResult, readRow } from './read-row.ts';
import type { Table } from './read-table.ts';

/**
 * Words of a status by which a name is going or gone; not those of a lock, such as `clientTransferProhibited`, or of the
 * contrary, such as `unsold`.
 */
const GONE =
  /await|cancel|confiscat|deleted|(?<!\bno )disput|expir(?:ed|ation)|grace|\bheld|hold\b|inactive|pending|redeem|redempt|repossess|(?<!\b(?:not|un-?) ?)sold|suspend|transferr|\baway\b|\btransfer(?:red)? out\b/i;

/** A number alone, perhaps of thousands. */
const WITHOUT_CURRENCY = /^[\d.,'’\s]+[km]?$/i;

/** Maximum length of a value shown. */
const SHOWN_LENGTH = 60;

/** What an import does, with a line to show for each row that changes an entry, is left out or causes a warning. */
export interface ImportPlan {
  readonly changes: { readonly add: readonly NewEntry[]; readonly set: ReadonlyMap<string, FieldValues> };
  readonly changed: readonly string[];
  readonly unchanged: number;
  readonly leftOut: readonly string[];
  /** Of rows that are imported: which money is meant, no visitor could tell. */
  readonly withoutCurrency: readonly string[];
}

type Target = Pick<OwnerCatalogue, 'catalogue' | 'defaults'>;

export function planImport({ columns, rows }: Table, map: ColumnMap, target: Target): ImportPlan {
  const { domains, settings } = target.catalogue;
  const entries = new Map(domains.map((entry) => [entry.name, entry]));
  const lines = new Map<string, number>();
  const add: NewEntry[] = [];
  const set = new Map<string, FieldValues>();
  const [changed, leftOut, withoutCurrency]: [string[], string[], string[]] = [[], [], []];
  const statusIndex = statusColumn(columns, map);
  let unchanged = 0;
  for (const { line, cells } of rows) {
    const result = readRow(cells, columns, map);
    const { name = '' } = result;
    const entry = entries.get(name);
    const place = `line ${line}${name && ` (${name})`}: `;
    const problem = whyLeftOut(result, entry, cells[statusIndex] ?? '', lines.get(name), target);
    if (name !== '' && !lines.has(name)) lines.set(name, line);
    if (problem !== undefined || !('values' in result)) {
      leftOut.push(`${place}${problem}`);
      continue;
    }
    const { values } = result;
    const now = entry && { ...entry, description: firstDescription(entry.description, settings.languages) };
    const fields = FIELDS.filter((field) => Object.hasOwn(values, field) && values[field] !== now?.[field]);
    if (!now) add.push({ name, ...values });
    else if (fields.length === 0) unchanged += 1;
    else {
      set.set(name, Object.fromEntries(fields.map((field) => [field, values[field]])));
      const changes = fields.map(
        (field) => `${field} ${shown(field, now[field])} → ${shown(field, values[field])}`,
      );
      changed.push(`${name}: ${changes.join(', ')}`);
    }
    if (fields.includes('price') && WITHOUT_CURRENCY.test(values.price ?? ''))
      withoutCurrency.push(place + JSON.stringify(values.price));
  }
  return { changes: { add, set }, changed, unchanged, leftOut, withoutCurrency };
}

/** @param earlier line of a row with the same name */
function whyLeftOut(
  result: RowResult,
  entry: DomainEntry | undefined,
  status: string,
  earlier: number | undefined,
  { catalogue, defaults }: Target,
): string | undefined {
  if (earlier !== undefined) return `is the same name as in line ${earlier}`;
  if ('problem' in result) return result.problem;
  if (GONE.test(status)) return `has the status ${JSON.stringify(status)}: add it by hand if you do sell it`;
  const { name, values } = result;
  if (entry) {
    if (typeof entry.description === 'string' || values.description === undefined) return undefined;
    if (values.description === firstDescription(entry.description, catalogue.settings.languages))
      return undefined;
    return 'has a description for each language in the catalogue: change it there, or leave the cell empty';
  }
  if (catalogue.settings.hosts.some((host) => host.replace(/^www\./, '') === name))
    return 'is a host of the site (settings, field hosts): remove it there before it can be for sale';
  const missing = missingFields(values, defaults);
  return missing === ''
    ? undefined
    : `lacks ${missing}, and the catalogue’s section defaults does, too: write it there`;
}

function shown(field: Field, value: FieldValue | undefined): string {
  if (value === undefined) return field === 'state' ? FOR_SALE : 'none';
  if (typeof value !== 'string') return JSON.stringify(value);
  return JSON.stringify(shorten(value, SHOWN_LENGTH));
}
