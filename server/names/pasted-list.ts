/** A pasted list of names with their prices, one `name price` a line. */
import { createHash } from 'node:crypto';
import { namesOfHost } from '#contract/hosts.ts';
import { MAX_NAME_CHANGES, type NamesPlan } from '#contract/names.ts';
import type { FieldValues } from '../catalogue-edits/changes.ts';
import { readDomainName } from '../catalogue-edits/domain-name.ts';
import { planImport, type RowNote } from '../catalogue-edits/plan-import.ts';
import { WARNINGS } from '../catalogue-edits/read-row.ts';
import { type Edits, foundValues, type Target } from './name-fields.ts';
import { NamesRejected } from './name-rejection.ts';

/** A name, and behind white space or a separator the price; separators around both are those of a table. */
const LINE = /^[\s,;|]*([^\s,;|]+)[\s,;|]*(.*?)[\s,;|]*$/;
const COLUMNS = ['name', 'price'] as const;
/** A word for a minimum. It is for the owner alone, where a price that cannot be read is shown as it is written. */
const MINIMUM = /\b(?:min|minim(?:um|al)|mindest\w*|floor)\b/i;
const MINIMUM_REASON =
  'has a minimum beside its price, which the page would show: leave it out, and set it in the name’s row';
const CELL_OF_CURRENCY = /\s*[\t;|]\s*(?=(?:\p{Sc}|[a-z]{3})$)/iu;
const MORE_CELLS = /[\t;|]/;
const MORE_CELLS_REASON =
  'has more than a name and a price, which the page would show: paste the columns of these two alone';
const STATE_REASON = 'has a state in place of a price: set the state in the table';
const ADMIN_HOST_REASON =
  'is the host of the dashboard (ADMIN_HOST): its buyer would get what browsers have stored for it';

/**
 * What a list would do, as an import of a file with these two columns.
 * @throws NamesRejected where it is too long
 */
export function planList(
  text: string,
  target: Target,
  adminHost: string | undefined,
): { readonly plan: NamesPlan; readonly edits: Edits } {
  const lines = text.split(/\r\n?|\n/).map((line) => line.trim());
  const rows = lines.flatMap((line, index) => {
    const [, ...cells] = LINE.exec(line) ?? [];
    return cells.length > 0 ? [{ line: index + 1, cells: cells.map(readCell) }] : [];
  });
  if (rows.length > MAX_NAME_CHANGES)
    throw new NamesRejected('too_many_lines', { values: { most: String(MAX_NAME_CHANGES) } });
  const map = new Map(COLUMNS.map((field, index) => [field, index]));
  const planned = planImport({ columns: COLUMNS, headLine: 0, rows }, map, target);
  const adminNames = adminHost === undefined ? [] : namesOfHost(adminHost);
  const whyNot = (name: string, values: FieldValues, price: string) => {
    if (adminNames.includes(name)) return ADMIN_HOST_REASON;
    if (values.state !== undefined) return STATE_REASON;
    if (MINIMUM.test(price)) return MINIMUM_REASON;
    return MORE_CELLS.test(price) ? MORE_CELLS_REASON : undefined;
  };
  const given = new Map<string, FieldValues>([
    ...planned.changes.add.map(({ name, ...values }): [string, FieldValues] => [name, values]),
    ...planned.changes.set,
  ]);
  const rejected = rows.flatMap(({ line, cells: [cell = '', price = ''] }) => {
    const read = readDomainName(cell);
    const name = 'name' in read ? read.name : '';
    const text = whyNot(name, given.get(name) ?? {}, price);
    if (text === undefined || !given.delete(name)) return [];
    return [{ line, name, text }];
  });
  const rejectedLines = new Set(rejected.map(({ line }) => line));
  const add = planned.changes.add.filter(({ name }) => given.has(name));
  const set = new Map([...planned.changes.set].filter(([name]) => given.has(name)));
  const added = add.map(({ name, price = null }) => ({ name, price }));
  const fields = [...set.keys()].map((name) => ({ name, field: 'price' }));
  const before = foundValues(fields, target);
  const changed = fields.map(({ name }, index) => ({
    name,
    from: before[index] ?? null,
    to: set.get(name)?.price ?? '',
  }));
  const reasonOf = ({ line, text: reason }: RowNote) => ({
    line,
    text: lines[line - 1] ?? '',
    reason: reason.replace(/^column "(?:name|price)" /, ''),
  });
  const plan = {
    id: createHash('sha256')
      .update(JSON.stringify([added, changed]))
      .digest('hex')
      .slice(0, 32),
    added,
    changed,
    unchanged: [...planned.unchanged],
    left_out: [...planned.leftOut, ...rejected].map(reasonOf).toSorted((a, b) => a.line - b.line),
    warnings: Object.entries(planned.warnings).flatMap(([about, notes]) =>
      notes
        .filter(({ line }) => !rejectedLines.has(line))
        .map(({ line }) => ({
          line,
          text: lines[line - 1] ?? '',
          warning: WARNINGS[about as keyof typeof WARNINGS],
        })),
    ),
  };
  return { plan, edits: { add, set } };
}

/** Without its quotes, and an amount beside its currency. */
function readCell(cell: string): string {
  return cell
    .replace(/^"(.*)"$/, '$1')
    .replace(CELL_OF_CURRENCY, ' ')
    .trim();
}
