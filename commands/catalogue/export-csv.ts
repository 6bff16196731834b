import { csvCell, type Separator } from '#contract/csv-cell.ts';
import { IMPORTED } from '../../server/catalogue-edits/columns.ts';
import { FOR_SALE } from '../../server/catalogue-edits/read-row.ts';
import { firstDescription } from '../../src/catalogue/description.ts';
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
