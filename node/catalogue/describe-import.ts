import type { FieldValue } from './changes.ts';
import type { ChangedField, ImportPlan } from './plan-import.ts';
import { FOR_SALE } from './read-row.ts';

/** Maximum number of added and of changed names shown. Rows that are left out are listed completely. */
const SHOWN_NAMES = 20;

/** Maximum length of a value shown. */
const SHOWN_LENGTH = 60;

/** Lines that show what an import will do. */
export function describeImport({ changes, changed, unchanged, bad }: ImportPlan): string {
  const added = changes.add.map(({ name }) => name);
  return [
    ...section('Added', added),
    ...section('Changed', [...changed].map(describeChange)),
    `Unchanged: ${count(unchanged)}`,
    `Left out: ${count(bad.length)}`,
    ...bad.map(({ line, name, reason }) => `  line ${line}${name && ` (${name})`}: ${reason}`),
  ].join('\n');
}

export function count(number: number): string {
  return number.toLocaleString('en-US');
}

function section(title: string, lines: string[]): string[] {
  const more = lines.length - SHOWN_NAMES;
  const shown = lines.slice(0, SHOWN_NAMES).concat(more > 0 ? `and ${count(more)} more` : []);
  return [`${title}: ${count(lines.length)}`, ...shown.map((line) => `  ${line}`)];
}

function describeChange([name, fields]: [string, readonly ChangedField[]]): string {
  const parts = fields.map(
    ({ field, from, to }) => `${field} ${shownValue(field, from)} → ${shownValue(field, to)}`,
  );
  return `${name}: ${parts.join(', ')}`;
}

function shownValue(field: string, value: FieldValue | undefined): string {
  if (value === undefined) return field === 'state' ? FOR_SALE : 'none';
  if (typeof value !== 'string') return JSON.stringify(value);
  return JSON.stringify(value.length > SHOWN_LENGTH ? `${value.slice(0, SHOWN_LENGTH)}…` : value);
}
