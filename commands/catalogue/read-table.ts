import { isUtf8 } from 'node:buffer';
import { CsvError, parse } from 'csv-parse/sync';
import { withoutInertMarks } from '#contract/csv-cell.ts';
import { UserError } from '../../process/user-error.ts';
import { isHead, type Table } from '../../server/catalogue-edits/columns.ts';

/** Characters between cells; the one that the head has most often is used. */
const DELIMITERS = [',', ';', '\t', '|'];

/** What Excel reads and writes above the head, such as `sep=;`. */
const SEPARATOR_LINE = /^"?sep=(.)"?[\s,;]*$/i;

/** Maximum length of a column's name. */
const HEAD_LENGTH = 500;

/** A formula that is a text, by which a list keeps spreadsheets from changing it, or a link to one. */
const TEXT_FORMULA = /^=\s*(?:HYPERLINK\(\s*(?:"[^"]*"\s*[;,]\s*)?)?"((?:[^"]|"")*)"\s*\)?$/i;

/** Maximum number of filled lines in which the head is looked for. */
const LINES_TO_HEAD = 30;

/**
 * Parses CSV in UTF-8 with commas, semicolons, tabs or bars. Cells are trimmed. What stands above the names of the columns is skipped.
 * @param shown the file for messages
 * @param mapping value of `--map`, which may name the column with the names
 * @throws UserError where it is empty or not in UTF-8, or a quoted cell does not end
 */
export function readTable(bytes: Buffer, shown: string, mapping?: string): Table {
  if (!isUtf8(bytes)) {
    throw new UserError(
      `${shown} is not CSV in UTF-8. Save it as such, in Excel by “Save as”, type “CSV UTF-8”, and import that file.`,
    );
  }
  const text = bytes.toString().replace(/^\uFEFF/, '');
  const { headLine, headStart, delimiter } = findHead(text, mapping);
  const rows: Table['rows'][number][] = [];
  let line = headLine;
  const onRecord = (parsed: unknown) => {
    // The library's types do not know what `raw` adds.
    const { record, raw } = parsed as { record: string[]; raw: string };
    const cells = record.map((cell) => textOfFormula(cell.trim()) ?? withoutInertMarks(cell.trim()));
    if (cells.some((cell) => cell !== '')) rows.push({ line, cells });
    // The library's own count takes \r\n inside quotes for two lines.
    line += raw.match(/\r\n?|\n/g)?.length ?? 0;
    return null;
  };
  try {
    parse(text.slice(headStart), {
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
  if (head.cells.some((cell) => cell.length > HEAD_LENGTH)) {
    throw new UserError(
      `${shown}: a column’s name in line ${headLine} is longer than ${HEAD_LENGTH} characters. Check its quotes. Nothing was written.`,
    );
  }
  return { columns: head.cells, headLine, rows };
}

/** The text of `="lap.app"`, and what `=HYPERLINK("https://lap.app";"lap.app")` shows. Undefined for anything else. */
function textOfFormula(cell: string): string | undefined {
  return TEXT_FORMULA.exec(cell)?.[1]?.replaceAll('""', '"').trim();
}

/** The first line that names a column with names, else the first one with several cells, else the first one. */
function findHead(text: string, mapping?: string) {
  const lines: { headLine: number; headStart: number; cells: string[]; delimiter: string }[] = [];
  let separator: string | undefined;
  let headLine = 1;
  for (const { 0: content, index: headStart } of text.matchAll(/[^\r\n]*(?:\r\n?|\n|$)/g)) {
    const line = content.trim();
    const [, given] = (lines.length === 0 && SEPARATOR_LINE.exec(content.replace(/[\r\n]+$/, ''))) || [];
    separator ??= given;
    if (line !== '' && given === undefined) {
      const cellsBy = (delimiter: string) =>
        line.split(delimiter).map((cell) => cell.replace(/^\s*"|"\s*$/g, ''));
      const filled = (delimiter: string) => cellsBy(delimiter).filter((cell) => cell.trim() !== '').length;
      const [delimiter = ','] = separator ?? DELIMITERS.toSorted((a, b) => filled(b) - filled(a));
      lines.push({ headLine, headStart, cells: cellsBy(delimiter), delimiter });
    }
    if (lines.length === LINES_TO_HEAD) break;
    headLine += 1;
  }
  const isTable = ({ cells }: { cells: string[] }) => cells.filter((cell) => cell.trim() !== '').length > 1;
  const none = { headLine: 1, headStart: 0, delimiter: ',' };
  return lines.find(({ cells }) => isHead(cells, mapping)) ?? lines.find(isTable) ?? lines[0] ?? none;
}
