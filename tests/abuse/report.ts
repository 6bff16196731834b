/** The figures of the suite: every test file adds to them, the runner prints the table. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** What a figure must be: `zero`, below a time in the full form (the short one shares its machine), or anything (`info`). */
type Rule = 'info' | 'zero' | { readonly below: number };

/** What is counted or measured, in the table's order. `sum` adds up over the tests, `max` keeps the largest. */
const FIGURES = {
  badInputs: { title: 'bad inputs tried', rule: 'info', over: 'sum' },
  parsed: { title: 'requests compared between two parsers', rule: 'info', over: 'sum' },
  differences: { title: 'requests understood differently', rule: 'zero', over: 'sum' },
  kills: { title: 'faults injected: kill -9', rule: 'info', over: 'sum' },
  terminations: { title: 'faults injected: thread terminated', rule: 'info', over: 'sum' },
  otherFaults: { title: 'faults injected: others', rule: 'info', over: 'sum' },
  outage: { title: 'longest outage after any case, ms', rule: { below: 20_000 }, over: 'max' },
  acknowledged: { title: 'offers acknowledged', rule: 'info', over: 'sum' },
  lost: { title: 'offers lost', rule: 'zero', over: 'sum' },
  doubled: { title: 'offers doubled', rule: 'zero', over: 'sum' },
  rejectedListed: { title: 'offers rejected while their page was served', rule: 'zero', over: 'sum' },
  storedUnlisted: { title: 'offers stored for a name that was not listed', rule: 'zero', over: 'sum' },
  unauthorised: { title: 'unauthorised reads or changes', rule: 'zero', over: 'sum' },
  unnamed: { title: 'messages: offers not named in any message', rule: 'zero', over: 'sum' },
  renamed: { title: 'messages: repeats under another Message-ID', rule: 'zero', over: 'sum' },
  messagesRead: { title: 'messages: unauthorised reads or changes', rule: 'zero', over: 'sum' },
  ownerSignIns: { title: 'owner’s sign-ins under attack', rule: 'info', over: 'sum' },
  ownerLockedOut: { title: 'owner’s sign-ins under attack that failed', rule: 'zero', over: 'sum' },
  serverErrors: { title: 'responses ≥ 500 to bad input', rule: 'zero', over: 'sum' },
  leaks: { title: 'secrets or personal data in logs, responses or dist/', rule: 'zero', over: 'sum' },
  pages: { title: 'pages opened in a browser', rule: 'info', over: 'sum' },
  violations: { title: 'CSP violations and console errors', rule: 'zero', over: 'sum' },
} as const satisfies Record<string, { title: string; rule: Rule; over: 'sum' | 'max' }>;
export type Figure = keyof typeof FIGURES;
export type Figures = Record<Figure, number>;

/** The file that the figures are written to, one JSON object a line; absent when a test file runs by itself. */
const FILE = process.env.ABUSE_REPORT;

/** Adds to a figure. Kept in memory until the process ends, because some are counted thousands of times. */
export function count(figure: Figure, by = 1): void {
  counted.set(figure, (counted.get(figure) ?? 0) + by);
}

/** Notes a measured value of a figure of which the largest counts. */
export function measure(figure: Figure, value: number): void {
  counted.set(figure, Math.max(counted.get(figure) ?? 0, value));
}

const counted = new Map<Figure, number>();

process.on('exit', () => {
  if (FILE !== undefined) appendFileSync(FILE, `${JSON.stringify(Object.fromEntries(counted))}\n`);
});

/** Everything that was counted and measured so far. */
export function readFigures(file: string): Figures {
  const sums = Object.fromEntries(Object.keys(FIGURES).map((figure) => [figure, 0])) as Figures;
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  for (const line of lines.filter((one) => one !== '')) {
    for (const [figure, by] of Object.entries(JSON.parse(line) as Partial<Figures>)) {
      const { over } = FIGURES[figure as Figure];
      sums[figure as Figure] =
        over === 'sum' ? sums[figure as Figure] + by : Math.max(sums[figure as Figure], by);
    }
  }
  return sums;
}

/** The table, with a mark at each figure that is not what it must be. */
export function tableOf(figures: Figures, isShort: boolean): string {
  const names = Object.keys(FIGURES) as Figure[];
  const width = Math.max(...names.map((figure) => FIGURES[figure].title.length));
  return names
    .map((figure) => {
      const value = figures[figure].toLocaleString('en-US');
      return `  ${FIGURES[figure].title.padEnd(width)}  ${value.padStart(7)}  ${markOf(figure, figures, isShort)}`.trimEnd();
    })
    .join('\n');
}

/** Whether every figure is what it must be. */
export function isClean(figures: Figures, isShort: boolean): boolean {
  return (Object.keys(FIGURES) as Figure[]).every((figure) => isRight(figure, figures, isShort));
}

function markOf(figure: Figure, figures: Figures, isShort: boolean): string {
  const rule = ruleOf(figure, isShort);
  if (rule === 'info') return '';
  if (isRight(figure, figures, isShort)) return '✓';
  return rule === 'zero' ? '✗ must be 0' : `✗ must be below ${rule.below.toLocaleString('en-US')}`;
}

function isRight(figure: Figure, figures: Figures, isShort: boolean): boolean {
  const rule = ruleOf(figure, isShort);
  if (rule === 'info') return true;
  return rule === 'zero' ? figures[figure] === 0 : figures[figure] < rule.below;
}

function ruleOf(figure: Figure, isShort: boolean): Rule {
  const rule: Rule = FIGURES[figure].rule;
  return isShort && typeof rule === 'object' ? 'info' : rule;
}
