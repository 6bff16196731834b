/** Formats rows as a table. */
import { type Goal, isMet, type Row, ratioOf } from './rows.ts';

const TITLES = ['', 'measured', 'ours', 'peer', 'ratio', 'goal', 'met'];

export function tableOf(rows: readonly Row[]): string {
  const lines = [TITLES, ...rows.map(cellsOf)];
  const widths = TITLES.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const drawn = lines.map((line) =>
    line
      .map((cell, column) =>
        isNumber(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
  drawn.splice(1, 0, widths.map((width) => '─'.repeat(width)).join('  '));
  return [...drawn, ...notesOf(rows)].join('\n');
}

const isNumber = (column: number) => column === 2 || column === 4;

function cellsOf(row: Row): string[] {
  const met = isMet(row);
  const ratio = ratioOf(row);
  return [
    row.area,
    row.what,
    shown(row.ours),
    row.peer ? `${shown(row.peer.value)} ${row.peer.name}` : '–',
    ratio === undefined ? '–' : shown(ratio),
    row.goal ? goalOf(row.goal) : '–',
    met === undefined ? '–' : met ? 'met' : 'NOT MET',
  ];
}

function goalOf({ of, atMost, atLeast }: Goal): string {
  const limit = atMost === undefined ? `≥ ${shown(atLeast ?? 0)}` : `≤ ${shown(atMost)}`;
  return of === 'ratio' ? `ratio ${limit}` : limit;
}

function shown(value: number): string {
  if (Number.isNaN(value)) return 'none';
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString('en-US');
  if (Math.abs(value) >= 100 || Number.isInteger(value)) return String(Math.round(value));
  return value.toFixed(value < 10 ? 2 : 1);
}

function notesOf(rows: readonly Row[]): string[] {
  const noted = rows.filter(({ note }) => note !== undefined);
  return noted.length === 0 ? [] : ['', ...noted.map(({ area, what, note }) => `${area}, ${what}: ${note}`)];
}
