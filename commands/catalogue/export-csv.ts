import { csvCell, type Separator } from '#contract/csv-cell.ts';
import { priceOf } from '#contract/price-of.ts';
import { IMPORTED } from '../../server/catalogue-edits/columns.ts';
import { FOR_SALE } from '../../server/catalogue-edits/read-row.ts';
import { firstDescription } from '../../src/catalogue/description.ts';
import { minimumOf } from '../../src/catalogue/minimum.ts';
import type { Catalogue } from '../../src/catalogue/schema.ts';

/** Columns that only a catalogue with such a field has. */
const RARE: readonly string[] = ['minimum', 'buyNow', 'instalments', 'checkout'];

/**
 * Yields the catalogue as CSV, one line a name, with defaults filled in and descriptions in the first language. `import`
 * reads it back.
 */
export function* exportCsv({ domains, settings }: Catalogue, separator: Separator = ','): Generator<string> {
  const columns = IMPORTED.filter(
    (field) => !RARE.includes(field) || domains.some((entry) => entry[field] !== undefined),
  );
  // A mark by which spreadsheets know UTF-8.
  yield `\uFEFF${columns.join(separator)}\r\n`;
  for (const entry of domains) {
    const description = firstDescription(entry.description, settings.languages);
    const values = { ...entry, description, state: entry.state ?? FOR_SALE };
    yield `${columns.map((field) => csvCell(String(values[field] ?? ''), separator)).join(separator)}\r\n`;
  }
}

/** The columns of Afternic's bulk file, with what each has where nothing else is known. */
const AFTERNIC = {
  Domain: '',
  'Buy Now Price': '0',
  'Floor Price': '',
  'Min Offer': '',
  'Lease to Own': 'N',
  'Max Lease Period': '',
  'Sale Lander': 'Request Price',
  'Show Buy Now Option': 'N',
  'Show Lease to Own Option': 'N',
  'Show Make Offer Option': 'Y',
  Hidden: 'N',
};
/** In dollars: Afternic takes no lower one. */
const LEAST_OFFER = 20;

/** A file for Afternic, with the reasons why names are not in it, or not as the catalogue has them. */
export interface AfternicFile {
  readonly lines: readonly string[];
  /** `schwabing.de: its price is in EUR` */
  readonly leftOut: readonly string[];
  /** Names whose minimum was raised to the lowest that it takes. */
  readonly raised: readonly string[];
}

/** The names that are not sold, with amounts in whole dollars or with cents, without a sign. A reserved name is hidden there. */
export function afternicFile({ domains, settings }: Catalogue): AfternicFile {
  const lines = [Object.keys(AFTERNIC).join(',')];
  const leftOut: string[] = [];
  const raised: string[] = [];
  for (const entry of domains) {
    const { name, state } = entry;
    const read = { price: '', minimum: '' };
    let problem = state === 'sold' ? 'is sold' : undefined;
    for (const field of ['price', 'minimum'] as const) {
      const text = entry[field];
      if (!text) continue;
      const { currencies } = settings;
      const { amount, currency } =
        (field === 'price' ? priceOf(text, currencies) : minimumOf(entry, currencies)) ?? {};
      if (currency === 'USD') read[field] = amount ?? '';
      // Words instead of an amount are no price there.
      else if (currency) problem ??= `its ${field} ${text} is in ${currency}`;
    }
    if (problem) {
      leftOut.push(`${name}: ${problem}`);
      continue;
    }
    if (read.minimum && Number(read.minimum) < LEAST_OFFER) {
      raised.push(name);
      read.minimum = String(LEAST_OFFER);
    }
    const cells = {
      ...AFTERNIC,
      Domain: name,
      ...(read.price && {
        'Buy Now Price': read.price,
        'Sale Lander': 'Buy It Now',
        'Show Buy Now Option': 'Y',
      }),
      'Min Offer': read.minimum,
      Hidden: state === 'reserved' ? 'Y' : 'N',
    };
    lines.push(
      Object.values(cells)
        .map((cell) => csvCell(cell, ','))
        .join(','),
    );
  }
  return { lines: lines.map((line) => `${line}\r\n`), leftOut, raised };
}
