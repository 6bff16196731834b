import type { Catalogue } from '../../src/catalogue/schema.ts';
import { IMPORTED } from './columns.ts';
import { csvCell } from './csv-cell.ts';
import { FOR_SALE } from './read-row.ts';

/** Yields the catalogue as CSV, one line a name, with defaults filled in. `import` reads it back. */
export function* exportCsv({ domains }: Catalogue): Generator<string> {
  // A mark by which spreadsheets know UTF-8.
  yield `\uFEFF${IMPORTED.join(',')}\r\n`;
  for (const entry of domains) {
    const values = { ...entry, state: entry.state ?? FOR_SALE };
    yield `${IMPORTED.map((field) => csvCell(String(values[field] ?? ''))).join(',')}\r\n`;
  }
}
