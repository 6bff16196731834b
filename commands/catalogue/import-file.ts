/** `import FILE.csv`: adds and changes entries from a CSV file. */
import { readFileSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { consoleOf, type Io } from '../../process/command.ts';
import { confirm } from '../../process/confirm.ts';
import { UserError } from '../../process/user-error.ts';
import {
  type ColumnMap,
  columnsOfAmounts,
  currencyColumn,
  findColumns,
  isInDollars,
  type Table,
} from '../../server/catalogue-edits/columns.ts';
import { editCatalogue } from '../../server/catalogue-edits/edit-catalogue.ts';
import { readOwnerCatalogue, saveCatalogue } from '../../server/catalogue-edits/owner-catalogue.ts';
import {
  describeNote,
  type ImportPlan,
  planImport,
  type RowNote,
} from '../../server/catalogue-edits/plan-import.ts';
import { currencyOf } from '../../server/catalogue-edits/read-amount.ts';
import { WARNINGS } from '../../server/catalogue-edits/read-row.ts';
import { stateColumns } from '../../server/catalogue-edits/sale-state.ts';
import { readTable } from './read-table.ts';

/** In place of a file: what a pipe brings. */
const STDIN = '-';

export interface ImportOptions {
  /** Value of `--map`. */
  readonly mapping?: string | undefined;
  /** Value of `--currency`, such as `USD`. */
  readonly currency?: string | undefined;
  /** Whether to write without asking. */
  readonly yes?: boolean | undefined;
  /** Whether to show numbers instead of names and rows. */
  readonly quiet?: boolean | undefined;
}

/**
 * Shows what will change, asks on a terminal, and writes.
 * @returns whether anything was written
 * @throws UserError where the file cannot be imported at all, or without a terminal and without `yes`
 */
export async function importFile(path: string, options: ImportOptions, io: Io): Promise<boolean> {
  const { log } = consoleOf(io);
  const { mapping, currency, yes = false, quiet = false } = options;
  const code = currency === undefined ? undefined : currencyOf(currency);
  if (currency !== undefined && code === undefined)
    throw new UserError(`--currency has ${JSON.stringify(currency)}: write a code such as USD, EUR or CHF.`);
  const bytes = path === STDIN ? await buffer(io.stdin) : readFile(resolve(io.cwd(), path), path);
  const target = readOwnerCatalogue(io);
  const shown = path === STDIN ? 'The list' : basename(path);
  const table = readTable(bytes, shown, mapping);
  const map = findColumns(table, shown, mapping);
  const plan = planImport(table, map, target, code ?? (isInDollars(table.columns) ? 'USD' : undefined));
  const { changes, changed, leftOut } = plan;
  log(`${shown}: ${countRows(table.rows.length)}\n${describeColumns(table, map)}\n`);
  log(describeImport(plan, quiet));
  if (changes.add.length + changed.length === 0) {
    log('There is nothing to write.');
    return false;
  }
  // Before the question, so that what is agreed to can be written.
  const { text, catalogue } = editCatalogue(target.shown, target.text, changes);
  const question = `Write these changes into ${target.shown}?`;
  if (!yes && !(await confirm(question, { verb: 'write', done: 'written' }, io))) {
    log('Nothing was written.');
    return false;
  }
  saveCatalogue(target, text, io);
  log(
    `Wrote ${target.shown}: ${count(catalogue.domains.length)} names, ${count(changes.add.length)} added, ` +
      `${count(changed.length)} changed; ${countRows(leftOut.length)} left out.`,
  );
  return true;
}

function readFile(file: string, given: string): Buffer {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory() !== false)
    throw new UserError(`There is no file ${given}.`);
  return readFileSync(file);
}

function describeColumns(table: Table, map: ColumnMap): string {
  const { columns, headLine } = table;
  const used = [...map.values()];
  const states = stateColumns(columns, used).map(({ index }) => index);
  const currencyAt = currencyColumn(columns);
  const name = (index: number) => JSON.stringify(columns[index]);
  const isUsed = (index: number) => [...used, ...states, currencyAt].includes(index);
  const unused = columns.flatMap((_, index) => (isUsed(index) ? [] : name(index)));
  const amounts = columnsOfAmounts(table).filter((index) => !isUsed(index));
  const [example] = amounts;
  return [
    ...(headLine > 1 ? [`Columns named in line ${headLine}`] : []),
    `Columns imported: ${[...map].map(([field, index]) => `${field} from ${name(index)}`).join(', ')}`,
    ...(currencyAt >= 0 ? [`Column with the currency: ${name(currencyAt)}`] : []),
    ...(states.length > 0 ? [`Columns that say what is for sale: ${states.map(name).join(', ')}`] : []),
    ...(unused.length > 0 ? [`Columns not imported: ${unused.join(', ')}`] : []),
    ...(example === undefined
      ? []
      : [
          `Warning, columns that seem to have amounts and are not imported: ${amounts.map(name).join(', ')}. ` +
            `If one has your prices, name it: --map "price=${columns[example]}"`,
        ]),
  ].join('\n');
}

/** Lines that show what an import will do. @param quiet with the numbers alone */
export function describeImport(
  { added, changed, unchanged, leftOut, warnings }: ImportPlan,
  quiet: boolean,
): string {
  const warned = Object.entries(warnings) as [keyof typeof WARNINGS, readonly RowNote[]][];
  return [
    [`Added: ${count(added.length)}`, ...added],
    [`Changed: ${count(changed.length)}`, ...changed],
    [`Unchanged: ${count(unchanged.length)}`],
    [`Left out: ${count(leftOut.length)}`, ...leftOut.map(describeNote)],
    ...warned
      .filter(([, notes]) => notes.length > 0)
      .map(([about, notes]) => [
        `Warning, ${WARNINGS[about]}: ${count(notes.length)}`,
        ...notes.map(describeNote),
      ]),
  ]
    .map((lines) => (quiet ? lines[0] : lines.join('\n  ')))
    .join('\n');
}

export function count(number: number): string {
  return number.toLocaleString('en-US');
}

function countRows(rows: number): string {
  return rows === 1 ? '1 row' : `${count(rows)} rows`;
}
