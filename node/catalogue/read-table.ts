import { CsvError, parse } from 'csv-parse/sync';
import { withoutInertMarks } from '#contract/csv-cell.ts';
import { UserError } from '../config/user-error.ts';

/** Characters between cells; the one that the first line has most often outside quotes is used. */
const DELIMITERS = [',', ';', '\t'];

export interface TableRow {
  /** Line of the file on which the row begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** Whether the row has a quote (") anywhere, so that its number of cells depends on where quotes end. */
  readonly isQuoted: boolean;
}

export interface Table {
  /** The names of the columns, trimmed. */
  readonly columns: readonly string[];
  /** Rows with at least one cell that is not empty. */
  readonly rows: readonly TableRow[];
}

/**
 * Parses CSV with commas, semicolons or tabs. Cells are trimmed.
 * @param shown the file for messages
 * @throws UserError where it is empty, or a quoted cell does not end
 */
export function readTable(text: string, shown: string): Table {
  const { body, delimiter, firstLine } = beginning(text);
  const rows: TableRow[] = [];
  let line = firstLine;
  const onRecord = (parsed: unknown) => {
    // The library's types do not know what `raw` adds.
    const { record, raw } = parsed as { record: string[]; raw: string };
    const cells = record.map((cell) => withoutInertMarks(cell.trim()));
    if (cells.some((cell) => cell !== '')) rows.push({ line, cells, isQuoted: raw.includes('"') });
    // The library's own count takes \r\n inside quotes for two lines.
    line += raw.match(/\r\n?|\n/g)?.length ?? 0;
    return null;
  };
  try {
    parse(body, {
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
      error.code === 'CSV_QUOTE_NOT_CLOSED'
        ? `${shown}: the row that begins in line ${line} has a quote (") at the beginning of a cell and none at its end. ` +
            'Nothing was read.'
        : `${shown}, line ${line}, cannot be read as CSV: ${error.message}.`,
    );
  }
  const head = rows.shift();
  if (!head) throw new UserError(`${shown} is empty.`);
  return { columns: head.cells, rows };
}

/** Leaves out the line `sep=;`, by which spreadsheets name the delimiter. */
function beginning(text: string): { body: string; delimiter: string; firstLine: number } {
  const [line = '', separator] = /^sep=(.)\r?\n/.exec(text) ?? [];
  if (separator) return { body: text.slice(line.length), delimiter: separator, firstLine: 2 };
  const [first = ''] = /^.*\S.*$/m.exec(text) ?? [];
  const bare = first.replace(/"(?:[^"]|"")*"/g, '');
  const counts = DELIMITERS.map((delimiter) => bare.split(delimiter).length);
  return { body: text, delimiter: DELIMITERS[counts.indexOf(Math.max(...counts))] as string, firstLine: 1 };
}
