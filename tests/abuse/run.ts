/**
 * Runs the abuse suite and prints its table: `node tests/abuse/run.ts`, or with `--short` what `npm test` runs.
 * Ends with 1 where a test failed or a figure that must be zero is not.
 */
import { spawn } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { readOptions } from '../../node/config/read-options.ts';
import { reportAndExit } from '../../node/config/report-and-exit.ts';
import { UserError } from '../../node/config/user-error.ts';
import buildOnce from '../support/build-once.ts';
import { isClean, readFigures, tableOf } from './report.ts';
import { SEED } from './seeded-random.ts';
import { tasksOf } from './tasks.ts';

/** Longest time for one test, so that a product that hangs fails it: 100 kills take six minutes on two free processors. */
const FULL_TIMEOUT_MS = 1_800_000;
const SHORT_TIMEOUT_MS = 60_000;
const TASKS_AT_ONCE = 3;

/** Measures how long an outage lasts on a quiet machine. */
const TIMED = 'tests/abuse/outage.test.ts';

const { values, files } = readCommand();
const started = performance.now();
const folder = mkdtempSync(join(tmpdir(), 'abuse-'));
const report = join(folder, 'figures.jsonl');

const results: { code: number | null; failed: string }[] = [];

buildOnce();

try {
  const isAlone = ([file]: string[]) => !values.short && file === TIMED;
  const tasks = tasksOf(files);
  await runTasks(tasks.filter(isAlone));
  await runTasks(tasks.filter((task) => !isAlone(task)));
  const figures = readFigures(report);
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(
    `\nAbuse suite${values.short ? ', short form' : ''}, ${seconds} s, ABUSE_SEED=${SEED}\n\n${tableOf(figures, values.short)}\n`,
  );
  for (const { failed } of results) process.stdout.write(failed);
  process.exitCode = results.every(({ code }) => code === 0) && isClean(figures, values.short) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function readCommand() {
  try {
    const { values } = readOptions(
      { options: { short: { type: 'boolean', default: false }, only: { type: 'string', default: '*' } } },
      'Possible are --short, and --only with a part’s name, like this: npm run test:abuse -- --only http',
    );
    const files = globSync(`tests/abuse/${values.only}.test.ts`).sort();
    if (files.length === 0) throw new UserError(`There is no tests/abuse/${values.only}.test.ts.`);
    return { values, files };
  } catch (error) {
    reportAndExit(error);
  }
}

/** Runs tasks, heavy ones first, more of them than processors, because most of the time is waiting. */
async function runTasks(tasks: string[][]): Promise<void> {
  const waiting = [...tasks];
  const runAll = async () => {
    for (let task = waiting.shift(); task; task = waiting.shift()) await runTask(task);
  };
  await Promise.all(Array.from({ length: TASKS_AT_ONCE }, runAll));
}

/** Runs files in one process, and prints its output at its end. */
async function runTask(files: string[]): Promise<void> {
  const failed = join(folder, `failed-${basename(files[0] ?? '')}.txt`);
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      ...['--test', '--test-isolation=none'],
      `--test-timeout=${values.short ? SHORT_TIMEOUT_MS : FULL_TIMEOUT_MS}`,
      ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
      ...['--test-reporter=./tests/support/failed-tests.ts', `--test-reporter-destination=${failed}`],
      ...files,
    ],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        ABUSE_REPORT: report,
        ABUSE_SHORT: values.short ? '1' : '',
        ABUSE_SEED: String(SEED),
      },
    },
  );
  const exited = new Promise<number | null>((done, fail) => child.once('close', done).once('error', fail));
  const output = await text(child.stdout);
  results.push({ code: await exited, failed: readFileSync(failed, 'utf8') });
  process.stdout.write(output);
}
