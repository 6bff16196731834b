/** Finds out which column of a CSV file holds which field of the catalogue. */
import { UserError } from '../config/user-error.ts';
import { FIELDS } from './changes.ts';
import { readDomainName } from './domain-name.ts';
import type { Table } from './read-table.ts';

/** The columns that can be imported; `export` writes all of them. */
export const IMPORTED = ['name', ...FIELDS] as const;
type Imported = (typeof IMPORTED)[number];

/** Index of the column of each field that is imported. */
export type ColumnMap = ReadonlyMap<Imported, number>;

/** Other names of columns, besides those of the fields themselves. */
const OTHER_NAMES: Partial<Record<Imported, readonly string[]>> = {
  name: ['Domain', 'Domain Name'],
  price: ['List Price'],
};

/** Columns that say whether a name is still the owner's, of registrars and of files made by hand. */
const STATUS_COLUMNS = ['Status', 'Domain Status', 'Domain status at NC'];

/**
 * Exports of registrars, by columns that together occur in no other one. None has the owner’s
 * asking price or description: renewal prices and estimated values are not imported. The registrars publish no list of
 * these columns; the names here are those of the test files of public import programs as of 2026, which state that they
 * copy the first lines of real exports.
 */
const KNOWN_EXPORTS = {
  GoDaddy: ['Domain Name', 'TLD', 'Create Date'],
  Namecheap: ['Domain Name', 'Domain expiration date'],
  Dynadot: ['Domain', 'Renewal Status', 'Punycode'],
};

/**
 * @param mapping value of `--map`, such as `name=Domain Name,price=List Price`
 * @returns with the registrar whose export this is, if it was recognised
 * @throws UserError where a column is missing or unknown
 */
export function findColumns(
  table: Table,
  shown: string,
  mapping?: string,
): { map: ColumnMap; registrar?: string } {
  const has = (column: string) => places(table, column).length > 0;
  const isOwn = has('name');
  const [registrar] = Object.entries(KNOWN_EXPORTS).find(([, columns]) => !isOwn && columns.every(has)) ?? [];
  const named = IMPORTED.flatMap((field): [Imported, string][] => {
    const column = [...(registrar ? [] : [field]), ...(OTHER_NAMES[field] ?? [])].find(has);
    return column === undefined ? [] : [[field, column]];
  });
  const columns = new Map([...named, ...readMapping(mapping)]);
  const map = new Map([...columns].map(([field, column]) => [field, place(table, column, shown)]));
  if (!map.has('name')) throw new UserError(whyNoName(table, shown));
  return { map, ...(registrar && { registrar }) };
}

/** Index of the column that says what becomes of a name, unless it is imported as a field. */
export function statusColumn(table: Table, map: ColumnMap): number | undefined {
  const found = STATUS_COLUMNS.flatMap((column) => places(table, column));
  return found.find((index) => ![...map.values()].includes(index));
}

/** Parses `--map`. A column’s name may contain commas and equals signs. */
function readMapping(mapping: string | undefined): [Imported, string][] {
  if (mapping === undefined) return [];
  const parts = mapping.split(new RegExp(`,(?=\\s*(?:${IMPORTED.join('|')})\\s*=)`));
  const pairs = parts.map((part): [Imported, string] => {
    const [, field = '', column = ''] = /^\s*([^=]*?)\s*=\s*(.*?)\s*$/s.exec(part) ?? [];
    if (!(IMPORTED as readonly string[]).includes(field) || column === '') {
      throw new UserError(
        `--map has "${part.trim()}": write FIELD=COLUMN with commas between, such as ` +
          `--map "name=Domain Name,price=List Price". The fields are ${IMPORTED.join(', ')}.`,
      );
    }
    return [field as Imported, column];
  });
  const fields = pairs.map(([field]) => field);
  const twice = fields.find((field, index) => fields.indexOf(field) < index);
  if (twice) throw new UserError(`--map names the field ${twice} twice: remove one of them.`);
  return pairs;
}

/** The one column of a name, in any case of letters. */
function place(table: Table, column: string, shown: string): number {
  const [first, second] = places(table, column);
  if (first === undefined) {
    throw new UserError(`${shown} has no column "${column}". Its columns are: ${listed(table.columns)}.`);
  }
  if (second !== undefined) {
    throw new UserError(
      `${shown} has the column "${column}" twice (columns ${first + 1} and ${second + 1}): rename one of them.`,
    );
  }
  return first;
}

function places({ columns }: Table, column: string): number[] {
  return columns.flatMap((name, index) => (name.toLowerCase() === column.toLowerCase() ? index : []));
}

function whyNoName(table: Table, shown: string): string {
  const { columns, rows } = table;
  if (columns.some(isName)) {
    return `${shown} begins with a domain name: its first line has to name the columns, such as: name,price`;
  }
  const guess = columns.find((column, index) => column !== '' && isName(rows[0]?.cells[index] ?? ''));
  return (
    `${shown} is not an export that this command knows (GoDaddy, Namecheap, Dynadot, or its own). Its columns are: ` +
    `${listed(columns)}. Say which one has the names, like this: --map "name=${guess ?? 'Domain Name'}"`
  );
}

function isName(text: string): boolean {
  return text.includes('.') && 'name' in readDomainName(text);
}

export function listed(columns: readonly string[]): string {
  return columns.map((column) => JSON.stringify(column)).join(', ');
}
