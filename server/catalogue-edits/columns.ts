/** Finds out which column of a CSV file holds which field of the catalogue. */
import { priceOf } from '#contract/price-of.ts';
import { UserError } from '../../process/user-error.ts';
import { FIELDS } from './changes.ts';
import { currencyOf, isNoAmount } from './read-amount.ts';
import { foldUmlauts, readYesOrNo } from './sale-state.ts';

interface TableRow {
  /** Line of the file on which the row begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** What a CSV file has. */
export interface Table {
  readonly columns: readonly string[];
  /** Line of the file with the names of the columns. */
  readonly headLine: number;
  /** Rows with at least one cell that is not empty. */
  readonly rows: readonly TableRow[];
}

/** The columns that can be imported; `export` writes all of them. */
export const IMPORTED = ['name', ...FIELDS] as const;
type Imported = (typeof IMPORTED)[number];

/** Index of the column of each field that is imported. */
export type ColumnMap = ReadonlyMap<Imported, number>;

/**
 * Usual names of columns in English and German, besides those of the fields themselves: the first that a file has filled is used.
 */
const OTHER_NAMES: Partial<Record<Imported, readonly string[]>> = {
  name: ['Domain', 'Domain Name', 'Domäne', 'FQDN'],
  price: [
    ...[
      'List Price',
      'Listing Price',
      'Asking Price',
      'Buy Now Price',
      'Buy It Now Price',
      'BIN Price',
      'BIN',
    ],
    ...['Buy It Now', 'Buy Now', 'Fixed Price', 'Selling Price', 'Preis', 'Verkaufspreis', 'Listenpreis'],
    ...[
      'Sofortkaufpreis',
      'Sofort-Kaufen-Preis',
      'Sofortkauf',
      'Festpreis',
      'Preisvorstellung',
      'Wunschpreis',
    ],
  ],
  description: ['Beschreibung'],
  minimum: [
    ...[
      'Min Offer',
      'Min. Offer',
      'Minimum Offer',
      'Offer Minimum',
      'Minimum Price',
      'Min Price',
      'Lowest Offer',
    ],
    ...['Mindestangebot', 'Mindestgebot', 'Mindestpreis', 'Minimalgebot', 'Minimalpreis'],
    ...['Floor Price', 'Floor', 'Reserve Price', 'Untergrenze'],
  ],
};

/**
 * A column that is not named above is a price or minimum where all words of its name are of these, and one is needed: `Retail
 * Price`, `Lowest price`. Of German words `Kaufpreis` is two.
 */
const WORDS: {
  readonly [Name in 'price' | 'minimum']: { readonly needed: RegExp; readonly others: RegExp };
} = {
  price: {
    needed: /^(?:price|preis|ask|asking|bin)$/,
    others:
      /^(?:for|sales?|sell|selling|retail|current|list|listing|it|now|fixed|full|end|my|domain|(?:ver|sofort)?kauf|verkaufs|sofort|kaufen|aktueller|listen|fest|wunsch|angebots)$/,
  },
  minimum: {
    needed: /^(?:min|minimum|minimal|lowest|least|floor|reserve|mindest|niedrigste[rs]?|untergrenze)$/,
    others: /^(?:offer|bid|price|preis|angebot|gebot|asking|sales?|acceptable|my|domain)$/,
  },
};

/** In the name of a column with what an owner paid, pays or thinks: never published, and never proposed to be. */
const NEVER =
  /purchase|paid|cost|acqui|bought|buy[^a-z]*price|buying|spent|invest|fee|renew|regist|transfer|wholesale|estimat|estibot|apprais|valuation|godaddy\W*value|einkauf|ankauf|gekauft|bezahlt|kosten|gebuehr|anschaff|verlaenger|grosshandel|schaetz|gutacht|bewert/;

/** In the name of a column with amounts, whatever they are for. */
const MONEY = /price|preis|amount|betrag|value|wert|usd|eur|gbp|\p{Sc}/u;

/** Columns that Afternic's bulk file alone has. Its amounts are dollars without a sign. */
const AFTERNIC = ['Sale Lander', 'Show Make Offer Option'].map(plainName);

/** Fields with addresses of pages. Exports have prices, or yes and no, in columns with the same names. */
const LINKS: readonly Imported[] = ['buyNow', 'instalments', 'checkout'];
const LINK_NAMES = LINKS.map(plainName);
const AMOUNTS: readonly Imported[] = ['price', 'minimum'];

const CURRENCY_NAMES = ['Currency', 'Currency Code', 'Price Currency', 'Währung', 'Währungscode'].map(
  plainName,
);

/** A currency at the end of a column's name: `Price (USD)`, `Preis in EUR`, `BIN €`, `price_usd`. */
const CURRENCY_IN_NAME = /^(.*?\S)[\s([_/-]+(?:in\s+)?([A-Z]{3}|\p{Sc})[)\]]?$/iu;

/**
 * @param shown the file for messages
 * @param mapping value of `--map`, such as `name=Domain Name,price=List Price`
 * @throws UserError where a column is missing or unknown
 */
export function findColumns(
  { columns, rows, headLine }: Pick<Table, 'columns' | 'rows' | 'headLine'>,
  shown: string,
  mapping?: string,
): ColumnMap {
  const plain = columns.map(plainName);
  const withoutCurrency = columns.map((column) => plainName(splitCurrency(column).name));
  const isFor = (field: Imported, index: number) =>
    !(AMOUNTS.includes(field) && hasYesOrNo(rows, index)) &&
    (!LINK_NAMES.includes(plain[index] ?? '') || hasLinks(rows, index) === LINKS.includes(field));
  const found = IMPORTED.flatMap((field): [Imported, number][] => {
    const all = AMOUNTS.includes(field) ? withoutCurrency : plain;
    const indexes = namesOf(field).map((name) => all.indexOf(name));
    const possible = indexes.filter((at) => at >= 0 && isFor(field, at));
    if (field === 'price' || field === 'minimum')
      possible.push(
        ...columns.keys().filter((at) => {
          const column = columns[at] ?? '';
          return hasWords(column, field) && !isPaid(column, columns) && isFor(field, at);
        }),
      );
    const index = possible.find((at) => cellsOf(rows, at).length > 0) ?? possible[0];
    return index === undefined ? [] : [[field, index]];
  });
  const named = partsOf(mapping).map(({ part, field, column }): [Imported, number] => {
    const index = plain.indexOf(plainName(column));
    const known = IMPORTED.find((name) => name === field);
    if (known && index >= 0) return [known, index];
    throw new UserError(
      `--map has "${part}": write FIELD=COLUMN with commas between, such as --map "name=Domain Name,price=List Price". ` +
        `The fields are ${IMPORTED.join(', ')}; the columns of ${shown} are ${listed(columns)}.`,
    );
  });
  const map = new Map([...found, ...named]);
  if (map.has('name')) return map;
  throw new UserError(
    `${shown} has no column name or Domain. The line above the names has to name the columns. That seems to be line ` +
      `${headLine}, which has: ${listed(columns)}. Say which one has the names, like this: --map "name=Domain Name"`,
  );
}

/** Whether these cells name a column with the names of the domains, so that their row is the head of the table. */
export function isHead(cells: readonly string[], mapping?: string): boolean {
  const mapped = partsOf(mapping).flatMap(({ field, column }) => (field === 'name' ? plainName(column) : []));
  const names = [...namesOf('name'), ...mapped];
  return cells.some((cell) => names.includes(plainName(cell)));
}

/** Index of the column with the currency of the other ones, else -1. */
export function currencyColumn(columns: readonly string[]): number {
  return columns.findIndex((column) => CURRENCY_NAMES.includes(plainName(column)));
}

/** Whether all amounts of the file are dollars, though it does not say so. */
export function isInDollars(columns: readonly string[]): boolean {
  return AFTERNIC.every((name) => columns.some((column) => plainName(column) === name));
}

/** Whether a column has what the owner paid: `Kaufpreis` does beside a `Verkaufspreis`. */
function isPaid(column: string, columns: readonly string[]): boolean {
  const beside = plainName(column).startsWith('kaufpreis') ? columns : [];
  return (
    NEVER.test(foldUmlauts(column)) || beside.some((other) => plainName(other).startsWith('verkaufspreis'))
  );
}

/** Indexes of columns that seem to have amounts. Those of what the owner paid are none of them. */
export function columnsOfAmounts({ columns, rows }: Pick<Table, 'columns' | 'rows'>): readonly number[] {
  return [...columns.keys()].filter((index) => {
    const column = columns[index] ?? '';
    if (isPaid(column, columns)) return false;
    const name = foldUmlauts(column);
    const filled = cellsOf(rows, index).filter((cell) => !isNoAmount(cell));
    const isAmount = (cell: string) => !!priceOf(MONEY.test(name) ? `${cell} EUR` : cell) || !!priceOf(cell);
    return filled.length > 0 && filled.every(isAmount);
  });
}

function hasWords(column: string, field: keyof typeof WORDS): boolean {
  const { needed, others } = WORDS[field];
  const words = splitCurrency(column)
    .name.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .split(/\P{L}+/u)
    .flatMap((word) =>
      foldUmlauts(word)
        .replace(/(?<=.)(?=(?:preis|angebot|gebot)$)/, ' ')
        .split(' '),
    )
    .filter(Boolean);
  return (
    words.some((word) => needed.test(word)) && words.every((word) => needed.test(word) || others.test(word))
  );
}

/** The name of a column without the currency that it ends with. */
export function splitCurrency(column: string): { readonly name: string; readonly currency?: string } {
  const [, name, sign] = CURRENCY_IN_NAME.exec(column) ?? [];
  const currency = sign && currencyOf(sign);
  return name && currency ? { name, currency } : { name: column };
}

function hasLinks(rows: Table['rows'], index: number): boolean {
  const filled = cellsOf(rows, index);
  return filled.length === 0 || filled.some((cell) => /^https?:/i.test(cell));
}

/** Whether the column says which names have an amount, and not the amounts. */
function hasYesOrNo(rows: Table['rows'], index: number): boolean {
  const filled = cellsOf(rows, index);
  return (
    filled.some((cell) => /\p{L}/u.test(cell)) && filled.every((cell) => readYesOrNo(cell) !== undefined)
  );
}

/** Those that are not empty. */
function cellsOf(rows: Table['rows'], index: number): readonly string[] {
  return rows.flatMap(({ cells }) => cells[index] || []);
}

function namesOf(field: Imported): readonly string[] {
  return [field, ...(OTHER_NAMES[field] ?? [])].map(plainName);
}

function partsOf(mapping: string | undefined) {
  return (mapping?.split(/,(?=\s*\w+\s*=)/) ?? []).map((part) => {
    const [field = '', column = ''] = part.split('=');
    return { part: part.trim(), field: field.trim(), column };
  });
}

/** `List Price`, `list_price` and `listprice` are one. */
function plainName(column: string): string {
  return foldUmlauts(column).replace(/[\s_-]/g, '');
}

function listed(columns: readonly string[]): string {
  return columns.map((column) => JSON.stringify(column)).join(', ');
}
