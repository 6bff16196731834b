/** Compares the rows of a CSV file with the catalogue. Nothing is written here. */
import { firstDescription } from '../../src/catalogue/description.ts';
import type { Catalogue, DomainEntry } from '../../src/catalogue/schema.ts';
import { type Changes, FIELDS, type Field, type FieldValues, type NewEntry } from './changes.ts';
import { type ColumnMap, statusColumn } from './columns.ts';
import { missingFields, whyMissing } from './missing-defaults.ts';
import type { OwnerCatalogue } from './owner-catalogue.ts';
import { readRow } from './read-row.ts';
import type { Table } from './read-table.ts';

/**
 * Words of a status by which a name is going or gone; not those of a lock, such as `clientTransferProhibited`, or of the
 * contrary, such as `unsold`.
 */
const GONE =
  /await|cancel|confiscat|deleted|(?<!\bno )disput|expir(?:ed|ation)|grace|\bheld|hold\b|inactive|pending|redeem|redempt|repossess|(?<!\b(?:not|un-?) ?)sold|suspend|transferr|\baway\b|\btransfer(?:red)? out\b/i;

/** A number alone, perhaps of thousands. */
const WITHOUT_CURRENCY = /^[\d.,'’\s]+[km]?$/i;

/** Rows between two calls of `onProgress`. */
const PROGRESS_ROWS = 1_000;

export interface ChangedField {
  readonly field: Field;
  readonly from: DomainEntry[Field] | undefined;
  readonly to: DomainEntry[Field] | undefined;
}

interface BadRow {
  readonly line: number;
  /** Empty where the row has no valid name. */
  readonly name: string;
  readonly reason: string;
}

export interface ImportPlan {
  readonly changes: Required<Pick<Changes, 'add' | 'set'>>;
  /** The changed fields of each entry, by its name. */
  readonly changed: ReadonlyMap<string, readonly ChangedField[]>;
  readonly unchanged: number;
  readonly bad: readonly BadRow[];
  /** Of the rows that are imported: which money is meant, no visitor could tell. */
  readonly withoutCurrency: readonly { line: number; name: string; price: string }[];
  /** Required fields that every row for a new name lacks, where there is nothing else to import; else empty. */
  readonly missing: readonly string[];
}

/** @param onProgress called with the number of rows checked so far, after every 1,000 */
export function planImport(
  table: Table,
  map: ColumnMap,
  { catalogue, defaults }: Pick<OwnerCatalogue, 'catalogue' | 'defaults'>,
  onProgress: (rows: number) => void = () => {},
): ImportPlan {
  const entries = new Map(catalogue.domains.map((entry) => [entry.name, entry]));
  const hosts = new Set(catalogue.settings.hosts.map((host) => host.replace(/^www\./, '')));
  const lines = new Map<string, number>();
  const add: NewEntry[] = [];
  const changed = new Map<string, ChangedField[]>();
  const bad: BadRow[] = [];
  const statusIndex = statusColumn(table, map);
  const missing = new Set<string>();
  let unchanged = 0;
  for (const [index, row] of table.rows.entries()) {
    if (index > 0 && index % PROGRESS_ROWS === 0) onProgress(index);
    const result = readRow(row, table, map);
    const { name = '' } = result;
    const earlier = lines.get(name);
    const reject = (reason: string) => bad.push({ line: row.line, name, reason });
    const entry = entries.get(name);
    const status = row.cells[statusIndex ?? -1] ?? '';
    if (name !== '' && earlier === undefined) lines.set(name, row.line);
    if (earlier !== undefined) reject(`is the same name as in line ${earlier}`);
    else if ('problem' in result) reject(result.problem);
    else if (GONE.test(status))
      reject(`has the status ${JSON.stringify(status)}: add it by hand if you do sell it`);
    else if (entry) {
      const fields = changedFields(entry, result.values, catalogue);
      if (fields.some(({ field, from }) => field === 'description' && typeof from === 'object'))
        reject(
          'has a description for each language in the catalogue: change it there, or leave the cell empty',
        );
      else if (fields.length > 0) changed.set(name, fields);
      else unchanged += 1;
    } else if (hosts.has(name)) {
      reject('is a host of the site (settings, field hosts): remove it there before it can be for sale');
    } else {
      const fields = missingFields(result.values, defaults);
      for (const field of fields) missing.add(field);
      if (fields.length > 0) reject(whyMissing(fields));
      else add.push({ name, ...result.values });
    }
  }
  const valuesOf = (fields: ChangedField[]) =>
    Object.fromEntries(fields.map(({ field, to }) => [field, to])) as FieldValues;
  const set = new Map([...changed].map(([name, fields]) => [name, valuesOf(fields)]));
  const prices = [...add.map((entry): [string, FieldValues] => [entry.name, entry]), ...set];
  return {
    changes: { add, set },
    changed,
    unchanged,
    bad,
    withoutCurrency: prices.flatMap(([name, { price = '' }]) =>
      WITHOUT_CURRENCY.test(price) ? { line: lines.get(name) ?? 0, name, price } : [],
    ),
    missing: add.length + changed.size + unchanged === 0 ? [...missing] : [],
  };
}

/** Fields whose value differs from what the entry has, by itself or by default. */
function changedFields(entry: DomainEntry, values: FieldValues, { settings }: Catalogue): ChangedField[] {
  const description = firstDescription(entry.description, settings.languages);
  return FIELDS.flatMap((field) => {
    const now = field === 'description' ? description : entry[field];
    if (!Object.hasOwn(values, field) || values[field] === now) return [];
    return [{ field, from: entry[field], to: values[field] }];
  });
}
