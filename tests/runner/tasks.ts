/**
 * What a run of the tests consists of: one task for each test file, but one for several browser files, one
 * for those of units that may share a process, and one for `check`.
 */
import { globSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { COMPILE_ONCE } from '../../server/embedded/workarounds/compile-once.ts';
import type { QueuedTask } from './run-queue.ts';

export type Kind = 'check' | 'prepare' | 'unit' | 'product' | 'browser' | 'abuse';

export interface Task extends QueuedTask {
  readonly kind: Kind;
  /** Test files, for the command that runs them alone; none for check and prepare. */
  readonly files: readonly string[];
  readonly command: readonly string[];
  readonly env: Record<string, string>;
}

export interface Selection {
  /** `daily`: what `npm test` runs; `rest`: what `npm run test:all` adds; or kinds and files. */
  readonly parts: readonly string[];
  readonly seed: number;
  /** The abuse suite in its full form, which takes an hour. */
  readonly isFull: boolean;
}

export const FILES = {
  unit: '{src,admin-app,process,config,site-builder,server,commands,supabase,worker,tests/runner}/**/*.test.ts',
  product: 'tests/product/*.test.ts',
  abuse: 'tests/abuse/*.test.ts',
  /** Of what visitors and owners do every day. */
  dailyBrowser: 'tests/browser/everyday/*.spec.ts',
  otherBrowser: 'tests/browser/*.spec.ts',
};

/** Processes for the browser tests: each starts a product and a browser, and few large ones would end late. */
const DAILY_BROWSER_TASKS = 2;
const OTHER_BROWSER_TASKS = 4;

/** Limit of one test. One that takes longer says why, with a limit of its own. */
const TEST_TIMEOUT_MS = 60_000;
/** Limit of one test of the abuse suite's full form: 100 kills take six minutes on two free processors. */
const FULL_TEST_TIMEOUT_MS = 1_800_000;
/** Measures in the full form how long an outage lasts on a quiet machine: the others wait for it. */
const TIMED = 'tests/abuse/outage.test.ts';

/**
 * What a test may change, open or wait for in its process, and the hooks of node:test, which count for all files of a process.
 * Such a word in a comment or a title leads to a process of its own, too.
 */
const OF_PROCESS =
  /\b(?:process|globalThis|window|document|mock|Worker|before|after|beforeEach|afterEach)\b|'node:(?!test'|assert\/strict'|path'|url'|util'|crypto'|buffer'|zlib'|stream'|fs'|os')|tests\/support\/|\bimport\(/;

const NODE = [process.execPath, '--disable-warning=ExperimentalWarning'];
const PREPARE = 'built site and booted database';

/** The tasks of a selection, in the order in which they are started: those that take longest first. */
export function tasksOf({ parts, seed, isFull }: Selection): Task[] {
  const has = (...names: string[]) => names.some((name) => parts.includes(name));
  const unit = has('daily', 'unit') ? find('unit') : [];
  const product = has('daily', 'product') ? find('product') : [];
  const abuse = has('rest', 'abuse') ? find('abuse') : [];
  const daily = has('daily', 'browser') ? inGroups(find('dailyBrowser'), DAILY_BROWSER_TASKS) : [];
  const other = has('rest', 'browser') ? inGroups(find('otherBrowser'), OTHER_BROWSER_TASKS) : [];
  const named = parts.filter((part) => /\.(test|spec)\.ts$/.test(part));
  const ofKind = (kind: string) => named.filter((file) => kindOf(file) === kind);
  const browser = [...daily, ...other, ...ofKind('browser').map((file) => [file])];
  const nodeTests = (kind: Kind, files: string[]) =>
    bySize(files).map((file) => nodeTest(kind, [file], seed));
  const together = unit.filter(mayShareProcess);
  const tests = [
    ...(has('rest', 'browser') ? [hostedBrowserTest()] : []),
    ...browser.map(browserTest),
    ...nodeTests('product', [...product, ...ofKind('product')]),
    ...abuseTests([...abuse, ...ofKind('abuse')], seed, isFull),
    ...(together.length > 0 ? [nodeTest('unit', together, seed)] : []),
    ...nodeTests('unit', [...unit.filter((file) => !together.includes(file)), ...ofKind('unit')]),
  ];
  return [
    ...(unit.length > 0 ? [compile()] : []),
    ...(tests.some(({ after }) => after) ? [prepare()] : []),
    ...(has('daily', 'check') ? [check()] : []),
    ...tests,
  ];
}

/** Whether a task may use the run's PostgreSQL server: test files outside of these folders use none. */
export function usesPostgres({ name, files }: Pick<Task, 'name' | 'files'>): boolean {
  return [name, ...files].some((file) => /^(supabase|server|commands|tests\/hosted)\//.test(file));
}

function find(kind: keyof typeof FILES): string[] {
  return globSync(FILES[kind]);
}

function kindOf(file: string): Kind {
  return (
    (['product', 'browser', 'abuse'] as const).find((kind) => file.startsWith(`tests/${kind}/`)) ?? 'unit'
  );
}

function bySize(files: readonly string[]): string[] {
  return files.toSorted((one, other) => statSync(other).size - statSync(one).size);
}

/** Spreads files so that the groups take about equally long, and files that use the same shop or list are in one. */
function inGroups(files: readonly string[], count: number): string[][] {
  const sets = Object.values(Object.groupBy(files, sharedBy)).filter((set) => set !== undefined);
  const groups = Array.from({ length: count }, () => ({ files: [] as string[], size: 0 }));
  for (const set of sets.map(sized).sort((a, b) => b.size - a.size)) {
    const smallest = groups.reduce((least, group) => (group.size < least.size ? group : least));
    smallest.files.push(...set.files);
    smallest.size += set.size;
  }
  return groups.filter((group) => group.files.length > 0).map((group) => group.files);
}

/** What a browser file starts besides the product that all use: a shop, a list of thousands of offers, or nothing. */
function sharedBy(file: string): string {
  const text = readFileSync(file, 'utf8');
  return /from '\.\/(shops\/.+)\.ts'/.exec(text)?.[1] ?? (/\blongList\b/.test(text) ? 'long list' : file);
}

function sized(files: readonly string[]) {
  return { files, size: files.reduce((sum, file) => sum + statSync(file).size, 0) };
}

function check(): Task {
  return { name: 'check', kind: 'check', files: [], command: ['npm', 'run', '--silent', 'check'], env: {} };
}

/** No task waits for it: those of units, which gain most, are the last to start. */
function compile(): Task {
  return {
    name: 'compiled modules',
    kind: 'prepare',
    files: [],
    command: [...NODE, 'tests/runner/compile.ts'],
    env: {},
  };
}

/** What most product, abuse and browser tests start from, once for all of them. */
function prepare(): Task {
  return {
    name: PREPARE,
    kind: 'prepare',
    files: [],
    command: [...NODE, 'tests/support/prepare.ts'],
    env: {},
  };
}

/** Whether nothing in a test file is about the process: the start of one takes longer than most tests of a unit. */
function mayShareProcess(file: string): boolean {
  return !OF_PROCESS.test(readFileSync(file, 'utf8'));
}

/** @param files one, or several for one process */
function nodeTest(kind: Kind, files: readonly string[], seed: number): Task {
  return {
    name: files.length > 1 ? `${files.length} files in one process` : (files[0] ?? ''),
    kind,
    files,
    command: [
      ...NODE,
      ...testOptions(seed, TEST_TIMEOUT_MS),
      ...(kind === 'unit' ? [] : ['--test-force-exit']),
      ...(files.length > 1 ? ['tests/runner/together.ts'] : []),
      ...files,
    ],
    env: { TEST_SEED: String(seed) },
    ...(kind !== 'unit' && { after: [PREPARE] }),
  };
}

/** The attacks that break nothing share products, in one process; each other file has its own. */
function abuseTests(files: readonly string[], seed: number, isFull: boolean): Task[] {
  const shares = (file: string) => readFileSync(file, 'utf8').includes("from './shared-product.ts'");
  const together = files.filter(shares);
  const alone = bySize(files.filter((file) => !shares(file))).map((file) => [file]);
  const after = isFull && files.includes(TIMED) ? [PREPARE, TIMED] : [PREPARE];
  const timeout = isFull ? FULL_TEST_TIMEOUT_MS : TEST_TIMEOUT_MS;
  return [...(together.length > 0 ? [together] : []), ...alone].map((group) => ({
    name: group.join(' '),
    kind: 'abuse',
    files: group,
    command: [
      ...NODE,
      '--test',
      '--test-isolation=none',
      ...testOptions(seed, timeout),
      '--test-force-exit',
      ...group,
    ],
    env: { ABUSE_SHORT: isFull ? '' : '1', ABUSE_SEED: String(seed) },
    after: group[0] === TIMED ? [PREPARE] : after,
  }));
}

function testOptions(seed: number, timeoutMs: number): string[] {
  return [
    // For databases that tests open by themselves, too.
    ...COMPILE_ONCE,
    '--test-reporter=spec',
    `--test-timeout=${timeoutMs}`,
    '--test-randomize',
    `--test-random-seed=${seed}`,
  ];
}

/** Browser files that have their task above, with a stand-in for a hosted project as their backend. */
function hostedBrowserTest(): Task {
  const name = 'tests/hosted/browser.ts';
  return {
    name,
    kind: 'browser',
    files: [],
    command: [...NODE, name],
    env: { CI: '1' },
    after: [PREPARE],
  };
}

function browserTest(files: readonly string[]): Task {
  return {
    name: files.join(' '),
    kind: 'browser',
    files,
    command: [...NODE, resolve('node_modules/@playwright/test/cli.js'), 'test', '--workers=1', ...files],
    env: { CI: '1' },
    after: [PREPARE],
  };
}
