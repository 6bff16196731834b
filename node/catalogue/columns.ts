/** Finds out which column of a CSV file holds which field of the catalogue. */
import { UserError } from '../config/user-error.ts';
import { FIELDS } from './changes.ts';

/** The columns that can be imported; `export` writes all of them. */
export const IMPORTED = ['name', ...FIELDS] as const;
type Imported = (typeof IMPORTED)[number];

/** Index of the column of each field that is imported. */
export type ColumnMap = ReadonlyMap<Imported, number>;

/** Usual names of columns, besides those of the fields themselves. Renewal prices and estimated values are no prices. */
const OTHER_NAMES: Partial<Record<Imported, readonly string[]>> = {
  name: ['Domain', 'Domain Name'],
  price: ['List Price', 'Asking Price'],
};

/** The column that says whether a name is still the owner's: `Status`, `Domain Status`, `Domain status at NC`. */
const STATUS_COLUMN = /^(?:domain )?status\b/i;

/**
 * @param shown the file for messages
 * @param mapping value of `--map`, such as `name=Domain Name,price=List Price`
 * @throws UserError where a column is missing or unknown
 */
export function findColumns(columns: readonly string[], shown: string, mapping?: string): ColumnMap {
  const plain = columns.map(plainName);
  const found = IMPORTED.flatMap((field): [Imported, number][] => {
    const names = [field, ...(OTHER_NAMES[field] ?? [])].map(plainName);
    const index = names.map((name) => plain.indexOf(name)).find((at) => at >= 0);
    return index === undefined ? [] : [[field, index]];
  });
  const named = (mapping?.split(/,(?=\s*\w+\s*=)/) ?? []).map((part): [Imported, number] => {
    const [field = '', column = ''] = part.split('=');
    const index = plain.indexOf(plainName(column));
    const known = IMPORTED.find((name) => name === field.trim());
    if (known && index >= 0) return [known, index];
    throw new UserError(
      `--map has "${part.trim()}": write FIELD=COLUMN with commas between, such as --map "name=Domain Name,price=List Price". ` +
        `The fields are ${IMPORTED.join(', ')}; the columns of ${shown} are ${listed(columns)}.`,
    );
  });
  const map = new Map([...found, ...named]);
  if (map.has('name')) return map;
  throw new UserError(
    `${shown} has no column name or Domain. Its first line has to name the columns, and has: ${listed(columns)}. Say which ` +
      'one has the names, like this: --map "name=Domain Name"',
  );
}

/** Index of the column that says what becomes of a name, unless it is imported as a field; else -1. */
export function statusColumn(columns: readonly string[], map: ColumnMap): number {
  const used = [...map.values()];
  return columns.findIndex((column, index) => STATUS_COLUMN.test(column) && !used.includes(index));
}

/** `List Price`, `list_price` and `listprice` are one. */
function plainName(column: string): string {
  return column.toLowerCase().replace(/[\s_-]/g, '');
}

export function listed(columns: readonly string[]): string {
  return columns.map((column) => JSON.stringify(column)).join(', ');
}
