import { DomainEntrySchema } from '../../src/catalogue/schema.ts';
import { FIELDS, type Field, type FieldValues } from './changes.ts';
import type { ColumnMap } from './columns.ts';
import { readDomainName } from './domain-name.ts';
import type { Table, TableRow } from './read-table.ts';

/** Value of the column `state` for a domain without a state. */
export const FOR_SALE = 'for sale';
const WRONG_STATE = `is not right: write ${FOR_SALE}, sold or reserved`;

export type RowResult =
  | { readonly name: string; readonly values: FieldValues }
  /** `name` only if the row has a valid one. */
  | { readonly problem: string; readonly name?: string };

/** Reads and checks a row. An empty cell gives no value: the entry keeps what it has, or gets the default. */
export function readRow(row: TableRow, { columns }: Table, map: ColumnMap): RowResult {
  // Programs leave out empty cells at the end. With a quote in the row, a cell may have swallowed others instead.
  const isShort = row.cells.length < columns.length && row.isQuoted;
  if (isShort || row.cells.slice(columns.length).some((cell) => cell !== '')) {
    return {
      problem: `has ${row.cells.length} cells, and the first line has ${columns.length}: check its quotes`,
    };
  }
  const named = readDomainName(row.cells[map.get('name') as number] ?? '');
  if ('problem' in named) return { problem: `${columnOf(columns, map, 'name')} ${named.problem}` };
  const values: { [Name in Field]?: unknown } = {};
  for (const field of FIELDS) {
    const cell = row.cells[map.get(field) ?? -1] ?? '';
    if (cell === '') continue;
    const value = cellValue(field, cell);
    const { error } = DomainEntrySchema.shape[field].safeParse(value);
    if (error) {
      const why = field === 'state' ? WRONG_STATE : error.issues[0]?.message.replace(' (without quotes)', '');
      return { name: named.name, problem: `${columnOf(columns, map, field)} ${why}` };
    }
    values[field] = value;
  }
  return { name: named.name, values: values as FieldValues };
}

function cellValue(field: Field, cell: string): unknown {
  const word = cell.toLowerCase();
  if (field === 'state') return word === FOR_SALE ? undefined : word;
  if (field !== 'hasBroker') return cell;
  if (['true', 'yes', '1'].includes(word)) return true;
  return ['false', 'no', '0'].includes(word) ? false : cell;
}

/** `column "List Price" (price)` */
function columnOf(columns: readonly string[], map: ColumnMap, field: Field | 'name'): string {
  const column = columns[map.get(field) as number] ?? '';
  return column.toLowerCase() === field.toLowerCase() ? `column ${column}` : `column "${column}" (${field})`;
}
