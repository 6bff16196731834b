/** Starts the whole product as `npm start` does, for tests: on a free port, with a data folder of its own. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { Console } from 'node:console';
import { cpSync, existsSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { Writable } from 'node:stream';
import { readSettings } from '../../config/settings.ts';
import * as product from '../../server/start/start-product.ts';
import { BASE_ENV } from './base-environment.ts';
import { newDataFolder } from './booted-data-folder.ts';
import { BREAKABLE } from './break-thread.ts';
import { watchChild } from './watch-child.ts';

export const ADMIN = { email: 'owner@example.com', password: 'correct horse battery' };
export const PUBLIC_KEY = 'sb_publishable_embedded';

export interface Product {
  readonly port: number;
  /** http://localhost:PORT */
  readonly origin: string;
  readonly dataDir: string;
  /** Origin of the functions and the data API, where it is another one: see tests/hosted/browser.ts. */
  readonly api?: string;
  /** Everything it has written so far. */
  log(): string;
  /** Ends it as SIGTERM does. */
  stop(): Promise<unknown>;
}

export interface ProductProcess extends Product {
  readonly process: ChildProcess;
  /** SIGTERM, and the exit code. */
  stop(): Promise<number | null>;
}

export interface ProductOptions {
  env?: Record<string, string>;
  /** Absent: a folder without offers and administrators, removed by `stop`. */
  dataDir?: string;
  /** The project's folder; absent: this one. See `copyOfProject`. */
  project?: string;
}

interface InProcessOptions extends ProductOptions {
  /** The folder of a site that is served as it is, whatever the settings are; absent: that of the project. */
  site?: string | undefined;
}

export interface ProcessOptions extends ProductOptions {
  /** Options of `npm start`. */
  options?: string[];
  /** What is run instead of `npm start`. */
  program?: string;
  /** A program with options that starts it and becomes its process. */
  under?: readonly string[];
  /** Lets `breakThread` break the backend's thread. */
  isBreakable?: boolean;
}

/** How long a start may take, first boot and build included, in milliseconds. */
const START_TIMEOUT_MS = 120_000;

/** Starts it in this process. Of another project it serves the site alone, which a process builds there if needed. */
export async function startProduct({
  env = {},
  dataDir,
  project,
  site = project && join(project, 'dist'),
}: InProcessOptions = {}): Promise<Product> {
  const folder = dataDir ?? newDataFolder();
  if (project !== undefined) await build(project, env);
  let log = '';
  const output = new Writable({
    write: (text, _, done) => {
      log += text;
      done();
    },
  });
  const { port, origin, close } = await product.startProduct({
    settings: readSettings(settingsOf(folder, env)),
    site,
    console: new Console(output),
  });
  return {
    port,
    origin,
    dataDir: folder,
    log: () => log,
    stop: async () => {
      await close();
      if (dataDir === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts it as a process, where that is the subject of a test. */
export async function startProductProcess({
  env = {},
  dataDir,
  project = '.',
  options = [],
  program = 'commands/start.ts',
  under = [],
  isBreakable = false,
}: ProcessOptions = {}): Promise<ProductProcess> {
  const folder = dataDir ?? newDataFolder();
  const node = [resolve('node_modules/.bin/node'), '--disable-warning=ExperimentalWarning'];
  const imports = isBreakable ? BREAKABLE : [];
  const [command = '', ...args] = [...under, ...node, ...imports, program, ...options];
  const child = spawn(command, args, {
    cwd: project,
    stdio: ['ignore', 'pipe', 'pipe', ...(isBreakable ? (['ipc'] as const) : [])],
    env: { ...BASE_ENV, ...settingsOf(folder, env) },
  });
  const { log, exited } = watchChild(child);
  const port = await portOf(child, log);
  return {
    port,
    origin: `http://localhost:${port}`,
    dataDir: folder,
    process: child,
    log,
    stop: async () => {
      child.kill('SIGTERM');
      const code = await exited;
      if (dataDir === undefined) rmSync(folder, { recursive: true, force: true });
      return code;
    },
  };
}

function settingsOf(dataDir: string, env: Record<string, string>): Record<string, string> {
  return {
    PORT: '0',
    DATA_DIR: dataDir,
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    // Rejected where a proxy is in front.
    ...(env.TRUSTED_PROXIES === undefined && { RATE_LIMIT_SCALE: '1000' }),
    ...env,
  };
}

async function build(project: string, env: Record<string, string>): Promise<void> {
  const program = ['--disable-warning=ExperimentalWarning', 'commands/build-if-needed.ts'];
  const child = spawn(resolve('node_modules/.bin/node'), program, {
    cwd: project,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...BASE_ENV, ...env },
  });
  const { log, exited } = watchChild(child);
  const code = await exited;
  if (code !== 0) throw new Error(`the build ended with ${code}:\n${log()}`);
}

function portOf(child: ChildProcess, log: () => string): Promise<number> {
  return new Promise((done, fail) => {
    const timer = setTimeout(() => fail(new Error(`not ready in time:\n${log()}`)), START_TIMEOUT_MS);
    const check = () => {
      const ready = /^Ready: http:\/\/\S+:(\d+)$/m.exec(log());
      if (!ready) return;
      clearTimeout(timer);
      done(Number(ready[1]));
    };
    child.stdout?.on('data', check);
    child.once('exit', (code) => {
      clearTimeout(timer);
      fail(new Error(`ended with ${code} before it was ready:\n${log()}`));
    });
  });
}

/** What a build reads; another catalogue or other settings are built beside the original. */
const PROJECT_FILES = [
  'package.json',
  'package-lock.json',
  'astro.config.mjs',
  'cli.mjs',
  'tsconfig.json',
  'src',
  'admin-app',
  'process',
  'config',
  'site-builder',
  'server',
  'commands',
  'supabase',
  'public',
];

/**
 * A copy of the project with the same packages, so that a build of other things leaves this one alone.
 * @param name of its folder; absent: any
 */
export function copyOfProject(name = ''): { folder: string; remove(): void } {
  const place = mkdtempSync(join(tmpdir(), 'project-'));
  const folder = join(place, name);
  for (const file of PROJECT_FILES.filter((one) => existsSync(one))) {
    // With its times: a lock file newer than the packages would have them installed again.
    cpSync(file, join(folder, file), { recursive: true, preserveTimestamps: true });
  }
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  return { folder, remove: () => rmSync(place, { recursive: true, force: true }) };
}

/**
 * The same with this project's build, of the sample: a build of something else links its compressed scripts and its pictures
 * from there.
 */
export function copyOfBuiltProject(): ReturnType<typeof copyOfProject> {
  // Where a file is run without the runner.
  if (!existsSync('dist'))
    execFileSync(resolve('node_modules/.bin/node'), ['commands/build-if-needed.ts'], { env: BASE_ENV });
  const copy = copyOfProject();
  const live = realpathSync('dist');
  for (const [from, to] of [
    [live, `.builds/${basename(live)}`],
    ['.builds/share', '.builds/share'],
  ] as const) {
    cpSync(from, join(copy.folder, to), { recursive: true });
  }
  symlinkSync(basename(live), join(copy.folder, '.builds/live'));
  symlinkSync('.builds/live', join(copy.folder, 'dist'));
  return copy;
}
