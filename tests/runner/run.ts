/**
 * Runs the tests in one queue, and prints what failed at the end, with the command that runs it alone. What it runs stands
 * in tasks.ts: `npm test` runs `daily`, `npm run test:all` also `rest`; kinds and files can be named
 * (`npm test -- unit`, `npm test -- tests/product/publish.test.ts`).
 */
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { readOptions, wrongValue } from '../../process/read-options.ts';
import { reportAndExit } from '../../process/report-and-exit.ts';
import { startSharedPostgres } from '../../supabase/tests/postgres.ts';
import '../support/base-environment.ts';
import { isClean, readFigures, tableOf } from '../abuse/report.ts';
import { installPostgrest, NO_POSTGREST } from '../support/postgrest.ts';
import { runQueue } from './run-queue.ts';
import { type Kind, type Selection, type Task, tasksOf, usesPostgres } from './tasks.ts';

interface Result {
  readonly task: Task;
  readonly hasPassed: boolean;
  readonly output: string;
  readonly processorSeconds: number;
}

/** Limits of a task, for one that never ends. */
const TASK_TIMEOUT_MS = 1_800_000;
const FULL_TASK_TIMEOUT_MS = 7_200_000;
/** Free memory from which temporary folders lie in it: databases open three times faster there. */
const MIN_MEMORY_BYTES = 4e9;
const MEMORY = '/dev/shm';
/** Lines of a failed file's output that are printed, if it has no list of what failed. */
const MAX_LINES = 200;
const LARGEST_SEED = 2 ** 31 - 1;

const { parts, seed, isFull } = readCommand();
/** As many as processors for browsers and attacks, which hardly wait; one more for the others. */
const lanes = availableParallelism() + (parts.includes('rest') ? 0 : 1);
const taskTimeoutMs = isFull ? FULL_TASK_TIMEOUT_MS : TASK_TIMEOUT_MS;
const started = performance.now();
const temporary = mkdtempSync(join(isMemoryFree() ? MEMORY : tmpdir(), 'tests-'));
// PostgreSQL's user passes through it.
chmodSync(temporary, 0o711);
process.env.TMPDIR = temporary;
const figuresFile = join(temporary, 'abuse.jsonl');
const results: Result[] = [];
const children = new Set<number>();
let reaped = processorSecondsOfChildren();
let stopPostgres = () => {};

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
process.once('exit', () => {
  children.forEach(endGroup);
  stopPostgres();
  rmSync(temporary, { recursive: true, force: true });
});

console.log(`Tests in ${lanes} processes, in an order by the seed ${seed} (--seed ${seed} repeats it).`);
const tasks = tasksOf({ parts, seed, isFull });
if (tasks.some(usesPostgres)) {
  const { env, stop } = await startSharedPostgres();
  stopPostgres = stop;
  Object.assign(process.env, env);
  // Once, and not in each file that wants it. Where it fails, those files report why.
  if (!NO_POSTGREST) await installPostgrest().catch(() => {});
}
await runQueue(tasks, run, lanes);
const failed = results.filter(({ hasPassed }) => !hasPassed);
for (const { task, output } of failed) {
  console.log(
    `\n${styleText('red', `✖ ${task.name}`)}\n\n${essenceOf(output)}\n\nAlone: ${commandFor(task, output)}`,
  );
}
const isAbuseClean = printFigures();
printSummary();
process.exitCode = failed.length === 0 && isAbuseClean ? 0 : 1;

function readCommand(): Selection {
  try {
    const usage =
      'Name parts (daily, rest, check, unit, product, browser, abuse) or test files, a seed with --seed, and --full for ' +
      'the full abuse suite, like this: npm test -- unit --seed 7';
    const { values, positionals } = readOptions(
      {
        options: { seed: { type: 'string' }, full: { type: 'boolean', default: false } },
        allowPositionals: true,
      },
      usage,
    );
    const known = ['daily', 'rest', 'check', 'unit', 'product', 'browser', 'abuse'];
    const isKnown = (part: string) =>
      known.includes(part) || (/\.(test|spec)\.ts$/.test(part) && existsSync(part));
    const wrong = positionals.find((part) => !isKnown(part));
    if (wrong !== undefined) throw wrongValue('The part', wrong, usage);
    const seed = values.seed === undefined ? Math.floor(Math.random() * LARGEST_SEED) : Number(values.seed);
    if (!Number.isInteger(seed) || seed < 0 || seed > LARGEST_SEED)
      throw wrongValue('--seed', values.seed, usage);
    return { parts: positionals.length > 0 ? positionals : ['daily'], seed, isFull: values.full };
  } catch (error) {
    reportAndExit(error);
  }
}

function isMemoryFree(): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= MIN_MEMORY_BYTES;
}

/** Runs a task to its end, and notes its result. */
function run(task: Task): Promise<void> {
  const [command = '', ...args] = task.command;
  // A group of its own, so that what it started can be ended with it.
  const child = spawn(command, args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ABUSE_REPORT: figuresFile, ...task.env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const { pid } = child;
  if (pid !== undefined) children.add(pid);
  const since = performance.now();
  const timer = setTimeout(() => {
    output += `\nNot ended within ${taskTimeoutMs / 60_000} minutes.`;
    if (pid !== undefined) endGroup(pid);
  }, taskTimeoutMs);
  return new Promise((done) => {
    const end = (hasPassed: boolean) => {
      clearTimeout(timer);
      if (pid !== undefined) {
        children.delete(pid);
        // What a test left running.
        endGroup(pid);
      }
      const now = processorSecondsOfChildren();
      const result = { task, hasPassed, output, processorSeconds: now - reaped };
      reaped = now;
      results.push(result);
      const mark = hasPassed ? styleText('green', '✔') : styleText('red', '✖');
      const seconds = ((performance.now() - since) / 1000).toFixed(1);
      console.log(`${mark} ${task.name}  ${seconds} s (processor: ${result.processorSeconds.toFixed(1)} s)`);
      done();
    };
    child.once('error', (error) => {
      output += `\n${error}`;
      end(false);
    });
    child.once('close', (code) => end(code === 0));
  });
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** Processor time of all children that have ended, and of theirs; 0 where the system does not say (other than Linux). */
function processorSecondsOfChildren(): number {
  if (!existsSync('/proc/self/stat')) return 0;
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
  const TICKS_PER_SECOND = 100;
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
}

/** The part of a failed file's output that says what failed. */
function essenceOf(output: string): string {
  const list = output.lastIndexOf('✖ failing tests:');
  return list < 0 ? output.trimEnd().split('\n').slice(-MAX_LINES).join('\n') : output.slice(list).trimEnd();
}

function commandFor({ kind, files, command }: Task, output: string): string {
  if (files.length === 0) return kind === 'check' ? 'npm run check' : `node ${command.at(-1)}`;
  const named = files.filter((file) => output.includes(`test at ${file}:`));
  return `npm test -- ${(named.length > 0 ? named : files).join(' ')} --seed ${seed}`;
}

/** Prints the table of the abuse suite, if it ran. Returns whether each figure is what it must be. */
function printFigures(): boolean {
  if (!existsSync(figuresFile) || !results.some(({ task }) => task.kind === 'abuse')) return true;
  const figures = readFigures(figuresFile);
  console.log(`\nAbuse suite, ${isFull ? 'full' : 'short'} form\n\n${tableOf(figures, !isFull)}`);
  return isClean(figures, !isFull);
}

function printSummary(): void {
  const kinds = [...new Set(results.map(({ task }) => task.kind))];
  console.log('\nkind     tasks  tests  skipped  processor seconds');
  for (const kind of kinds) {
    const own = results.filter(({ task }) => task.kind === kind);
    const sum = (figureOf: (result: Result) => number) => own.reduce((all, one) => all + figureOf(one), 0);
    console.log(
      [
        kind.padEnd(8),
        String(own.length).padStart(5),
        String(sum(({ output }) => numberIn(output, kind, 'tests', 'passed'))).padStart(6),
        String(sum(({ output }) => numberIn(output, kind, 'skipped', 'skipped'))).padStart(8),
        sum(({ processorSeconds }) => processorSeconds)
          .toFixed(0)
          .padStart(18),
      ].join(' '),
    );
  }
  const seconds = Math.round((performance.now() - started) / 1000);
  const count = failed.length === 0 ? 'All passed' : `${failed.length} of ${results.length} failed`;
  console.log(`\n${count}, ${seconds} s. Seed ${seed}.`);
}

/** A count of node:test's or Playwright's summary. */
function numberIn(output: string, kind: Kind, ofNode: string, ofPlaywright: string): number {
  const pattern = kind === 'browser' ? `^ *(\\d+) ${ofPlaywright}` : `^ℹ ${ofNode} (\\d+)`;
  return Number(new RegExp(pattern, 'm').exec(output)?.[1] ?? 0);
}
