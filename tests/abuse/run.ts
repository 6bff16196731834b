/**
 * Runs the abuse suite and prints its table: `node tests/abuse/run.ts`, or with `--short` what `npm test` runs.
 * Ends with 1 where a test failed or a figure that must be zero is not.
 */
import { spawn } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOptions } from '../../node/config/read-options.ts';
import { reportAndExit } from '../../node/config/report-and-exit.ts';
import buildOnce from '../support/build-once.ts';
import { isClean, readFigures, tableOf } from './report.ts';
import { SEED } from './seeded-random.ts';

/** Longest time for one test file, so that a product that hangs fails its test. */
const TEST_TIMEOUT_MS = 900_000;

const { values } = readCommand();
const started = performance.now();
const folder = mkdtempSync(join(tmpdir(), 'abuse-'));
const report = join(folder, 'figures.jsonl');
/** Which tests failed, to be printed below the table. */
const failed = join(folder, 'failed.txt');

const removeBooted = buildOnce();

try {
  const code = await runTests();
  const figures = readFigures(report);
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(
    `\nAbuse suite${values.short ? ', short form' : ''}, ${seconds} s, ABUSE_SEED=${SEED}\n\n${tableOf(figures, values.short)}\n`,
  );
  process.stdout.write(readFileSync(failed));
  process.exitCode = code === 0 && isClean(figures, values.short) ? 0 : 1;
} finally {
  removeBooted();
  rmSync(folder, { recursive: true, force: true });
}

function readCommand() {
  try {
    return readOptions(
      { options: { short: { type: 'boolean', default: false }, only: { type: 'string', default: '*' } } },
      'Possible are --short, and --only with a part’s name, like this: npm run test:abuse -- --only http',
    );
  } catch (error) {
    reportAndExit(error);
  }
}

function runTests(): Promise<number | null> {
  const files = globSync(`tests/abuse/${values.only}.test.ts`).sort();
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      '--test',
      // More than processors, because most of the time is waiting.
      '--test-concurrency=3',
      `--test-timeout=${TEST_TIMEOUT_MS}`,
      ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
      ...['--test-reporter=./tests/support/failed-tests.ts', `--test-reporter-destination=${failed}`],
      ...files,
    ],
    {
      stdio: 'inherit',
      env: {
        ...process.env,
        ABUSE_REPORT: report,
        ABUSE_SHORT: values.short ? '1' : '',
        ABUSE_SEED: String(SEED),
      },
    },
  );
  return new Promise((done, fail) => child.once('exit', done).once('error', fail));
}
