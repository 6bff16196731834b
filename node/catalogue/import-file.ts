/** `import FILE.csv`: adds and changes entries from a CSV file. */
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { UserError } from '../config/user-error.ts';
import { type ColumnMap, findColumns, listed } from './columns.ts';
import { decodeText } from './decode-text.ts';
import { count, describeImport } from './describe-import.ts';
import { editCatalogue } from './edit-catalogue.ts';
import { howToWriteDefaults } from './missing-defaults.ts';
import { readOwnerCatalogue, saveCatalogue } from './owner-catalogue.ts';
import { planImport } from './plan-import.ts';
import { readTable } from './read-table.ts';

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
export async function importFile(
  path: string,
  { mapping, yes, quiet = false }: ImportOptions,
): Promise<boolean> {
  const target = readOwnerCatalogue();
  const shown = basename(path);
  const table = readTable(decodeText(readBytes(path), shown), shown);
  const { map, registrar } = findColumns(table, shown, mapping);
  const rows = table.rows.length;
  const plan = planImport(table, map, target, (checked) => {
    showProgress(`\rChecked ${count(checked)} of ${countRows(rows)} …`);
  });
  showProgress('\r\u001B[K');
  if (rows === 0) throw new UserError(`${shown} has no row below its first line. Nothing was written.`);
  if (plan.missing.length > 0) {
    throw new UserError(`Nothing was written. ${howToWriteDefaults(target.shown, plan.missing)}`);
  }
  console.log(`${shown}${registrar ? ` (${registrar})` : ''}: ${countRows(rows)}`);
  console.log(`${describeColumns(table.columns, map)}\n\n${describeImport(plan, { quiet })}`);
  const { changes, changed, bad } = plan;
  if (changes.add.length === 0 && changes.set.size === 0) {
    console.log('There is nothing to write.');
    return false;
  }
  // Before the question, so that what is agreed to can be written.
  const { text, catalogue } = editCatalogue(target.shown, target.text, changes);
  if (!yes && !(await isAgreed(target.shown))) {
    console.log('Nothing was written.');
    return false;
  }
  saveCatalogue(target, `import ${shown}`, text);
  console.log(
    `Wrote ${target.shown}: ${count(catalogue.domains.length)} names, ${count(changes.add.length)} added, ` +
      `${count(changed.size)} changed; ${countRows(bad.length)} left out.`,
  );
  return true;
}

function describeColumns(columns: readonly string[], map: ColumnMap): string {
  const used = [...map].map(([field, index]) => `${field} from ${JSON.stringify(columns[index])}`);
  const unused = columns.filter((_, index) => ![...map.values()].includes(index));
  const ignored = unused.length > 0 ? `\nColumns not imported: ${listed(unused)}` : '';
  return `Columns imported: ${used.join(', ')}${ignored}`;
}

async function isAgreed(shown: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw new UserError(
      'Nothing was written, because there is no terminal to ask on. To write without a question, add --yes.',
    );
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const reply = await terminal.question(`\nWrite these changes into ${shown}? [y/N] `);
    return /^y(?:es)?$/i.test(reply.trim());
  } finally {
    terminal.close();
  }
}

function readBytes(path: string): Buffer {
  if (!existsSync(path)) throw new UserError(`There is no file ${path}.`);
  try {
    return readFileSync(path);
  } catch (error) {
    throw new UserError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

function showProgress(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(line);
}

function countRows(rows: number): string {
  return rows === 1 ? '1 row' : `${count(rows)} rows`;
}
