import { isUtf8 } from 'node:buffer';
import { CsvError, parse } from 'csv-parse/sync';
import { withoutInertMarks } from '#contract/csv-cell.ts';
import { UserError } from '../config/user-error.ts';

/** Characters between cells; the one that the first line has most often is used. */
const DELIMITERS = [',', ';', '\t'];

interface TableRow {
  /** Line of the file on which the row begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

export interface Table {
  readonly columns: readonly string[];
  /** Rows with at least one cell that is not empty. */
  readonly rows: readonly TableRow[];
}

/**
 * Parses CSV in UTF-8 with commas, semicolons or tabs. Cells are trimmed.
 * @param shown the file for messages
 * @throws UserError where it is empty or not in UTF-8, or a quoted cell does not end
 */
export function readTable(bytes: Buffer, shown: string): Table {
  if (!isUtf8(bytes)) {
    throw new UserError(
      `${shown} is not CSV in UTF-8. Save it as such, in Excel by “Save as”, type “CSV UTF-8”, and import that file.`,
    );
  }
  const text = bytes.toString().replace(/^\uFEFF/, '');
  const [first = ''] = /\S.*/.exec(text) ?? [];
  const cellsBy = (delimiter: string) => first.split(delimiter).length;
  const [delimiter = ','] = DELIMITERS.toSorted((a, b) => cellsBy(b) - cellsBy(a));
  const rows: TableRow[] = [];
  let line = 1;
  const onRecord = (parsed: unknown) => {
    // The library's types do not know what `raw` adds.
    const { record, raw } = parsed as { record: string[]; raw: string };
    const cells = record.map((cell) => withoutInertMarks(cell.trim()));
    if (cells.some((cell) => cell !== '')) rows.push({ line, cells });
    // The library's own count takes \r\n inside quotes for two lines.
    line += raw.match(/\r\n?|\n/g)?.length ?? 0;
    return null;
  };
  try {
    parse(text, {
      delimiter,
      raw: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      on_record: onRecord,
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new UserError(
      `${shown}: the row that begins in line ${line} could not be read (${error.code}). Check its quotes. Nothing was written.`,
    );
  }
  const head = rows.shift();
  if (!head) throw new UserError(`${shown} is empty.`);
  return { columns: head.cells, rows };
}
