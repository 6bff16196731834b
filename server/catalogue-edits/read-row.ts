import type { Currencies } from '#contract/currency-signs.ts';
import { priceOf } from '#contract/price-of.ts';
import { linkFor } from '../../src/catalogue/defaults.ts';
import { DomainEntrySchema, isMinimum, WRITE_MINIMUM } from '../../src/catalogue/schema.ts';
import { isUnreadablePrice, UNREADABLE_PRICES_COST } from '../../src/catalogue/unreadable-prices.ts';
import { FIELDS, type Field, type FieldValues } from './changes.ts';
import { type ColumnMap, currencyColumn, splitCurrency, type Table } from './columns.ts';
import { readDomainName } from './domain-name.ts';
import { currencyOf, isNoAmount, lacksCurrency, withCurrency } from './read-amount.ts';
import {
  readState,
  readWords,
  readYesOrNo,
  type SaleState,
  type StateColumn,
  stateColumns,
} from './sale-state.ts';

/** Value of the column `state` for a domain without a state. */
export const FOR_SALE = 'for sale';
const WRONG_STATE = `is not right: write ${FOR_SALE}, sold or reserved`;

/** Maximum length of a cell that is read, in characters: patterns need a time that grows with its square. */
const CELL_LENGTH = 500;
/** Fields with texts, which have limits of their own, or none. */
const TEXTS: readonly Field[] = ['description', 'about'];

/** By which spreadsheets show what follows as it is written. */
const TEXT_MARK = /^'(?=.*\w)/s;

/** HTML, or the error of a spreadsheet's formula. */
const MARKUP = /<\/?[a-z][^<>]*>|&(?:#\w+|[a-z]+);|^#[a-z/0]+[!?]$/i;

/** What should be looked at in rows that are imported. */
export const WARNINGS = {
  state: 'states that cannot be read, so that the names are imported',
  currency: 'prices without a currency',
  amount: `prices that cannot be read as an amount, ${UNREADABLE_PRICES_COST}`,
  minimum: 'minimums not imported, because they have no currency: give it with --currency',
  otherCurrency: 'amounts in another currency than their row has',
  markup: 'texts that pages show with their HTML or their spreadsheet’s error',
};

interface Warning {
  readonly about: keyof typeof WARNINGS;
  readonly text: string;
  /** The warning is for changes of this field alone. */
  readonly field?: Field;
}

const WORST_FIRST = ['gone', 'sold', 'reserved'] as const;

/** Why a name is not for sale. */
export interface Hindrance {
  readonly state: (typeof WORST_FIRST)[number];
  /** The cell, for messages. */
  readonly reason: string;
}

export type RowResult =
  | {
      readonly name: string;
      readonly values: FieldValues;
      readonly hindrance: Hindrance | undefined;
      readonly warnings: readonly Warning[];
    }
  /** `name` only if the row has a valid one. Its hindrance counts for other rows of the name. */
  | { readonly problem: string; readonly name?: string; readonly hindrance?: Hindrance | undefined };

/** What a row is read with. */
export interface RowContext {
  readonly columns: readonly string[];
  readonly map: ColumnMap;
  /** Columns that say whether a name is for sale, without those that are empty in all rows. */
  readonly states: readonly StateColumn[];
  /** Index of the column with the currency, else -1. */
  readonly currencyAt: number;
  /** Code for amounts whose row has none. */
  readonly currency: string | undefined;
  /** Of the catalogue. */
  readonly currencies: Currencies | undefined;
}

export function rowContext(
  { columns, rows }: Table,
  map: ColumnMap,
  currency?: string,
  currencies?: Currencies,
): RowContext {
  const states = stateColumns(columns, [...map.values()]);
  return {
    columns,
    map,
    states: states.filter(({ index }) => rows.some(({ cells }) => cells[index])),
    currencyAt: currencyColumn(columns),
    currency,
    currencies,
  };
}

/** Reads and checks a row. An empty cell gives no value: the entry keeps what it has, or gets the default. */
export function readRow(given: readonly string[], context: RowContext): RowResult {
  const { columns, map } = context;
  const cells = given.map((cell, index) => (isText(index, map) ? cell : cell.replace(TEXT_MARK, '')));
  if (cells.slice(columns.length).some((cell) => cell !== '')) {
    return {
      problem: `has ${cells.length} cells, and the table has ${columns.length} columns: check its quotes`,
    };
  }
  const cellOf = (field: Field | 'name') => cells[map.get(field) ?? -1] ?? '';
  const columnOf = (field: Field | 'name') => `column ${JSON.stringify(columns[map.get(field) as number])}`;
  const tooLong = longCell(cells, context);
  if (tooLong !== undefined) return { problem: tooLong };
  const named = readDomainName(cellOf('name'));
  if ('problem' in named) return { problem: `${columnOf('name')} ${named.problem}` };
  const { name } = named;
  const values: { [Name in Field]?: unknown } = {};
  const { hindrances, warnings } = readStates(cells, context);
  const amounts = readAmounts(cells, context);
  let problem: string | undefined;
  for (const field of FIELDS) {
    const cell = field === 'price' || field === 'minimum' ? amounts[field] : cellOf(field);
    if (cell === '') continue;
    if (field === 'state') {
      const state = readWords(cell);
      // A registrar's `active` does not put a name back on sale.
      if (state === 'active' || state === 'neutral') continue;
      if (state === 'gone') {
        hindrances.push({ state, reason: `${columnOf(field)} is ${JSON.stringify(cell)}` });
        continue;
      }
    }
    // `verkauft` in place of a price.
    const instead = field === 'price' && !/\d/.test(cell) ? readWords(cell) : undefined;
    if (isHindrance(instead)) {
      hindrances.push({ state: instead, reason: `${columnOf(field)} is ${JSON.stringify(cell)}` });
      continue;
    }
    if (field === 'minimum' && lacksCurrency(cell)) {
      warnings.push({ about: 'minimum', text: JSON.stringify(cell) });
      continue;
    }
    const value = cellValue(field, cell, name);
    const { error } = DomainEntrySchema.shape[field].safeParse(value);
    if (field === 'minimum' && !isMinimum(cell, context.currencies)) {
      problem ??= `${columnOf(field)} ${JSON.stringify(cell)} is not a minimum: ${WRITE_MINIMUM}`;
      continue;
    }
    if (error) {
      const why = field === 'state' ? WRONG_STATE : error.issues[0]?.message.replace(' (without quotes)', '');
      problem ??= `${columnOf(field)} ${why}`;
      continue;
    }
    values[field] = value;
    if (field === 'price' && lacksCurrency(cell))
      warnings.push({ about: 'currency', field, text: JSON.stringify(cell) });
    else if (field === 'price' && isUnreadablePrice(cell, context.currencies) && !MARKUP.test(cell))
      warnings.push({ about: 'amount', field, text: JSON.stringify(cell) });
    if (
      (field === 'price' || field === 'minimum') &&
      amounts.stated &&
      isOther(cell, amounts.stated, context.currencies)
    )
      warnings.push({
        about: 'otherCurrency',
        field,
        text: `${JSON.stringify(cell)}, and not ${amounts.stated}`,
      });
    if ((field === 'price' || field === 'description') && MARKUP.test(cell))
      warnings.push({ about: 'markup', field, text: `${columnOf(field)} is ${JSON.stringify(cell)}` });
  }
  const hindrance = WORST_FIRST.map((worst) => hindrances.find(({ state }) => state === worst)).find(Boolean);
  if (problem !== undefined) return { name, problem, hindrance };
  return { name, values: values as FieldValues, hindrance, warnings };
}

function isText(index: number, map: ColumnMap): boolean {
  return TEXTS.some((field) => map.get(field) === index);
}

/** Why a row with a long cell is left out. */
function longCell(
  cells: readonly string[],
  { columns, map, states, currencyAt }: RowContext,
): string | undefined {
  const read = [...map.values(), ...states.map(({ index }) => index), currencyAt];
  const index = read.find((at) => !isText(at, map) && (cells[at] ?? '').length > CELL_LENGTH);
  if (index === undefined) return undefined;
  return `column ${JSON.stringify(columns[index])} is too long: keep it under ${CELL_LENGTH + 1} characters`;
}

function readStates(cells: readonly string[], { columns, states }: RowContext) {
  const hindrances: Hindrance[] = [];
  const warnings: Warning[] = [];
  for (const { index, content } of states) {
    const cell = cells[index] ?? '';
    // Nothing where others have a yes may be a no.
    const isUnclear = cell === '' && content.has !== 'words' && content.yes === 'for sale';
    if (cell === '' && !isUnclear) continue;
    const state = isUnclear ? undefined : readState(cell, content);
    const reason = `column ${JSON.stringify(columns[index])} is ${JSON.stringify(cell)}`;
    if (state === undefined) warnings.push({ about: 'state', text: reason });
    else if (isHindrance(state)) hindrances.push({ state, reason });
  }
  return { hindrances, warnings };
}

function isHindrance(state: SaleState | undefined): state is Hindrance['state'] {
  return WORST_FIRST.some((worst) => worst === state);
}

/** Price and minimum with their currency, empty where an export means none. */
function readAmounts(
  cells: readonly string[],
  { columns, map, currencyAt, currency, currencies }: RowContext,
) {
  const cellOf = (field: Field) => cells[map.get(field) ?? -1] ?? '';
  const stated = currencyOf(cells[currencyAt] ?? '');
  // A currency that cannot be read is not the one of other rows.
  const other = cells[currencyAt] ? undefined : currency;
  const amountOf = (field: Field, otherwise: string | undefined) => {
    const inName = splitCurrency(columns[map.get(field) ?? -1] ?? '').currency;
    return isNoAmount(cellOf(field))
      ? ''
      : withCurrency(cellOf(field), inName ?? stated ?? otherwise, currencies);
  };
  const price = amountOf('price', other);
  return { price, minimum: amountOf('minimum', priceOf(price, currencies)?.currency ?? other), stated };
}

function isOther(amount: string, currency: string, currencies: Currencies | undefined): boolean {
  const read = priceOf(amount, currencies)?.currency;
  return read !== undefined && read !== currency;
}

function cellValue(field: Field, cell: string, name: string): unknown {
  if (field === 'buyNow' || field === 'instalments') return linkFor(name, cell);
  if (field === 'hasBroker') return readYesOrNo(cell) ?? cell;
  if (field !== 'state') return cell;
  const state = readWords(cell);
  return state === FOR_SALE ? undefined : (state ?? cell);
}
