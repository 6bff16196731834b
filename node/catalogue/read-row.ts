import { DomainEntrySchema } from '../../src/catalogue/schema.ts';
import { FIELDS, type Field, type FieldValues } from './changes.ts';
import type { ColumnMap } from './columns.ts';
import { readDomainName } from './domain-name.ts';

/** Value of the column `state` for a domain without a state. */
export const FOR_SALE = 'for sale';
const WRONG_STATE = `is not right: write ${FOR_SALE}, sold or reserved`;

const BOOLEANS: Record<string, boolean> = {
  true: true,
  yes: true,
  1: true,
  false: false,
  no: false,
  0: false,
};

export type RowResult =
  | { readonly name: string; readonly values: FieldValues }
  /** `name` only if the row has a valid one. */
  | { readonly problem: string; readonly name?: string };

/** Reads and checks a row. An empty cell gives no value: the entry keeps what it has, or gets the default. */
export function readRow(cells: readonly string[], columns: readonly string[], map: ColumnMap): RowResult {
  if (cells.length !== columns.length) {
    return {
      problem: `has ${cells.length} cells, and the first line has ${columns.length}: check its quotes`,
    };
  }
  const cellOf = (field: Field | 'name') => cells[map.get(field) ?? -1] ?? '';
  const columnOf = (field: Field | 'name') => `column ${JSON.stringify(columns[map.get(field) as number])}`;
  const named = readDomainName(cellOf('name'));
  if ('problem' in named) return { problem: `${columnOf('name')} ${named.problem}` };
  const values: { [Name in Field]?: unknown } = {};
  for (const field of FIELDS.filter((field) => cellOf(field) !== '')) {
    const value = cellValue(field, cellOf(field));
    const { error } = DomainEntrySchema.shape[field].safeParse(value);
    if (error) {
      const why = field === 'state' ? WRONG_STATE : error.issues[0]?.message.replace(' (without quotes)', '');
      return { name: named.name, problem: `${columnOf(field)} ${why}` };
    }
    values[field] = value;
  }
  return { name: named.name, values: values as FieldValues };
}

function cellValue(field: Field, cell: string): unknown {
  const word = cell.toLowerCase();
  if (field === 'state') return word === FOR_SALE ? undefined : word;
  return field === 'hasBroker' ? (BOOLEANS[word] ?? cell) : cell;
}
