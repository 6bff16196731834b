/** `import FILE.csv`: adds and changes entries from a CSV file. */
import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { confirm } from '../config/confirm.ts';
import { UserError } from '../config/user-error.ts';
import { type ColumnMap, findColumns, listed } from './columns.ts';
import { editCatalogue } from './edit-catalogue.ts';
import { readOwnerCatalogue, saveCatalogue } from './owner-catalogue.ts';
import { type ImportPlan, planImport } from './plan-import.ts';
import { readTable } from './read-table.ts';

/** Maximum number of added and of changed names shown. Rows that are left out are listed completely. */
const SHOWN_NAMES = 20;

export interface ImportOptions {
  /** Value of `--map`. */
  readonly mapping?: string | undefined;
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
export async function importFile(path: string, options: ImportOptions): Promise<boolean> {
  const { mapping, yes = false, quiet = false } = options;
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== false)
    throw new UserError(`There is no file ${path}.`);
  const target = readOwnerCatalogue();
  const shown = basename(path);
  const table = readTable(readFileSync(path), shown);
  const map = findColumns(table.columns, shown, mapping);
  const plan = planImport(table, map, target);
  const { changes, changed, leftOut } = plan;
  console.log(`${shown}: ${countRows(table.rows.length)}\n${describeColumns(table.columns, map)}\n`);
  console.log(describeImport(plan, quiet));
  if (changes.add.length + changed.length === 0) {
    console.log('There is nothing to write.');
    return false;
  }
  // Before the question, so that what is agreed to can be written.
  const { text, catalogue } = editCatalogue(target.shown, target.text, changes);
  const question = `Write these changes into ${target.shown}?`;
  if (!yes && !(await confirm(question, { verb: 'write', done: 'written' }))) {
    console.log('Nothing was written.');
    return false;
  }
  saveCatalogue(target, text);
  console.log(
    `Wrote ${target.shown}: ${count(catalogue.domains.length)} names, ${count(changes.add.length)} added, ` +
      `${count(changed.length)} changed; ${countRows(leftOut.length)} left out.`,
  );
  return true;
}

function describeColumns(columns: readonly string[], map: ColumnMap): string {
  const used = [...map].map(([field, index]) => `${field} from ${JSON.stringify(columns[index])}`);
  const unused = columns.filter((_, index) => ![...map.values()].includes(index));
  const ignored = unused.length > 0 ? `\nColumns not imported: ${listed(unused)}` : '';
  return `Columns imported: ${used.join(', ')}${ignored}`;
}

/** Lines that show what an import will do. @param quiet with the numbers alone */
export function describeImport(
  { changes, changed, unchanged, leftOut, withoutCurrency }: ImportPlan,
  quiet: boolean,
): string {
  const added = changes.add.map(({ name }) => name);
  return [
    [`Added: ${count(added.length)}`, ...shortened(added)],
    [`Changed: ${count(changed.length)}`, ...shortened(changed)],
    [`Unchanged: ${count(unchanged)}`],
    [`Left out: ${count(leftOut.length)}`, ...leftOut],
    [`Warning, prices without a currency: ${count(withoutCurrency.length)}`, ...withoutCurrency],
  ]
    .slice(0, withoutCurrency.length > 0 ? 5 : 4)
    .map((lines) => (quiet ? lines[0] : lines.join('\n  ')))
    .join('\n');
}

function shortened(lines: readonly string[]): readonly string[] {
  const more = lines.length - SHOWN_NAMES;
  return more > 0 ? [...lines.slice(0, SHOWN_NAMES), `and ${count(more)} more`] : lines;
}

export function count(number: number): string {
  return number.toLocaleString('en-US');
}

function countRows(rows: number): string {
  return rows === 1 ? '1 row' : `${count(rows)} rows`;
}
