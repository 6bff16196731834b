import type { FieldValue } from './changes.ts';
import type { ChangedField, ImportPlan } from './plan-import.ts';
import { FOR_SALE } from './read-row.ts';

/** Maximum number of added and of changed names shown. Rows that are left out are listed completely. */
const SHOWN_NAMES = 20;

/** Maximum length of a value shown. */
const SHOWN_LENGTH = 60;

/**
 * Lines that show what an import will do.
 * @param quiet with the numbers alone
 */
export function describeImport(
  { changes, changed, unchanged, bad, withoutCurrency }: ImportPlan,
  { quiet = false } = {},
): string {
  const parts: [title: string, number: number, lines: string[]][] = [
    ['Added', changes.add.length, shortened(changes.add.map(({ name }) => name))],
    ['Changed', changed.size, shortened([...changed].map(describeChange))],
    ['Unchanged', unchanged, []],
    [
      'Left out',
      bad.length,
      bad.map(({ line, name, reason }) => `line ${line}${name && ` (${name})`}: ${reason}`),
    ],
  ];
  if (withoutCurrency.length > 0) {
    const lines = withoutCurrency.map(
      ({ line, name, price }) => `line ${line} (${name}): ${JSON.stringify(price)}`,
    );
    parts.push(['Warning, prices without a currency', lines.length, lines]);
  }
  return parts
    .flatMap(([title, number, lines]) => [
      `${title}: ${count(number)}`,
      ...(quiet ? [] : lines.map((line) => `  ${line}`)),
    ])
    .join('\n');
}

export function count(number: number): string {
  return number.toLocaleString('en-US');
}

function shortened(lines: string[]): string[] {
  const more = lines.length - SHOWN_NAMES;
  return lines.slice(0, SHOWN_NAMES).concat(more > 0 ? `and ${count(more)} more` : []);
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
