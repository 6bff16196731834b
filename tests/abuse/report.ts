/** The figures of the suite: every test file adds to them, the runner prints the table. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** What is counted, in the table's order; `zero` marks what must not happen at all. */
export const FIGURES = {
  badInputs: { title: 'bad inputs tried', zero: false },
  kills: { title: 'faults injected: kill -9', zero: false },
  otherFaults: { title: 'faults injected: others', zero: false },
  acknowledged: { title: 'offers acknowledged', zero: false },
  lost: { title: 'offers lost', zero: true },
  doubled: { title: 'offers doubled', zero: true },
  unauthorised: { title: 'unauthorised reads or changes', zero: true },
  serverErrors: { title: 'answers ≥ 500 on bad input', zero: true },
  leaks: { title: 'secrets or personal data in logs, answers or dist/', zero: true },
  pages: { title: 'pages opened in a browser', zero: false },
  violations: { title: 'CSP violations and console errors', zero: true },
} as const;
export type Figure = keyof typeof FIGURES;
export type Figures = Record<Figure, number>;

/** The file that the figures are written to, one JSON object a line; absent when a test file runs by itself. */
const FILE = process.env.ABUSE_REPORT;

/** Adds to a figure. Kept in memory until the process ends, because some are counted thousands of times. */
export function count(figure: Figure, by = 1): void {
  counted.set(figure, (counted.get(figure) ?? 0) + by);
}
const counted = new Map<Figure, number>();

process.on('exit', () => {
  if (FILE !== undefined) appendFileSync(FILE, `${JSON.stringify(Object.fromEntries(counted))}\n`);
});

/** The sums of all that was counted so far. */
export function readFigures(file: string): Figures {
  const sums = Object.fromEntries(Object.keys(FIGURES).map((figure) => [figure, 0])) as Figures;
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  for (const line of lines.filter((one) => one !== '')) {
    for (const [figure, by] of Object.entries(JSON.parse(line) as Partial<Figures>)) {
      sums[figure as Figure] += by;
    }
  }
  return sums;
}

/** The table, with a mark at each figure that must be zero and is not. */
export function tableOf(figures: Figures): string {
  const rows = Object.entries(FIGURES).map(([figure, { title, zero }]) => {
    const value = figures[figure as Figure];
    return {
      title,
      value: value.toLocaleString('en-US'),
      note: zero ? (value === 0 ? '✓' : '✗ must be 0') : '',
    };
  });
  const width = Math.max(...rows.map(({ title }) => title.length));
  return rows
    .map(({ title, value, note }) => `  ${title.padEnd(width)}  ${value.padStart(7)}  ${note}`.trimEnd())
    .join('\n');
}

/** Whether everything that must be zero is. */
export function isClean(figures: Figures): boolean {
  return Object.entries(FIGURES).every(([figure, { zero }]) => !zero || figures[figure as Figure] === 0);
}
