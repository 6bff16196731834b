/**
 * The embedded backend as the gateway sees it: two processes (the database; the functions in Deno), where they answer,
 * and whether they do. One that dies is started again on the same port; both end with the process that holds this.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { DatabaseOptions } from './database.ts';
import { type Kept, keepAlive } from './keep-alive.ts';
import type { AdministratorNews, FromDatabase } from './messages.ts';
import { SettingError } from './setting-error.ts';

export interface Backend {
  /** Where the data API and auth answer, or undefined while they are down. */
  databaseOrigin(): string | undefined;
  /** Where the functions answer, or undefined while they are down. */
  functionsOrigin(): string | undefined;
  /** Starts the functions anew, after the catalogue changed. */
  restartFunctions(): void;
  readonly administrator: AdministratorNews;
  /** For the owner's tools on this machine. */
  readonly control: { origin: string; secretKey: string };
  stop(): Promise<void>;
}

export interface BackendOptions extends Omit<DatabaseOptions, 'port'> {
  /** Environment of the functions: settings of the bot check and of the rate limits. */
  functionsEnv: Record<string, string>;
  /** Takes a line of a process's log. */
  onLog(line: string): void;
}

/** @throws SettingError with the database's sentence when it will not start */
export async function startBackend(options: BackendOptions): Promise<Backend> {
  const database = await startDatabase(options);
  try {
    const functions = startFunctions(options, database);
    const [administrator] = await Promise.all([database.ready, functions.up]);
    return {
      databaseOrigin: () => (database.kept.isUp() ? database.origin : undefined),
      functionsOrigin: () => functions.origin(),
      restartFunctions: () => functions.kept.restart(),
      administrator,
      control: { origin: database.origin, secretKey: database.secretKey },
      stop: async () => {
        await functions.kept.stop();
        await database.kept.stop();
      },
    };
  } catch (error) {
    await database.kept.stop();
    throw error;
  }
}

interface RunningDatabase {
  origin: string;
  secretKey: string;
  ready: Promise<AdministratorNews>;
  kept: Kept;
}

async function startDatabase(options: BackendOptions): Promise<RunningDatabase> {
  const { functionsEnv: _, onLog, ...rest } = options;
  let port = 0;
  let listening: (address: { port: number; secretKey: string }) => void = () => {};
  let ready: (news: AdministratorNews) => void = () => {};
  let failed: (error: Error) => void = () => {};
  const whenListening = new Promise<{ port: number; secretKey: string }>((resolve, reject) => {
    listening = resolve;
    failed = reject;
  });
  const whenReady = new Promise<AdministratorNews>((resolve, reject) => {
    ready = resolve;
    const first = failed;
    failed = (error) => {
      first(error);
      reject(error);
    };
  });
  whenReady.catch(() => {});

  const kept = keepAlive('database', onLog, (up) => {
    const databaseOptions: DatabaseOptions = { ...rest, port };
    const child = spawn(
      process.execPath,
      [
        '--disable-warning=ExperimentalWarning',
        join(import.meta.dirname, 'database.ts'),
        JSON.stringify(databaseOptions),
      ],
      {
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
        env: { PATH: process.env.PATH, LITE_TELEMETRY: '0', DO_NOT_TRACK: '1' },
      },
    );
    child.on('message', (message: FromDatabase) => {
      if (message.type === 'listening') {
        port = message.port;
        listening(message);
      } else if (message.type === 'ready') {
        up();
        ready(message.administrator);
      } else {
        onLog(
          JSON.stringify({
            level: 'error',
            source: 'database',
            event: 'not_started',
            reason: message.message,
          }),
        );
        failed(new SettingError(message.message));
      }
    });
    child.on('exit', () => failed(new SettingError('The database ended before it was ready.')));
    forwardLines(child, onLog);
    return { child, askToStop: () => void (child.connected && child.send({ type: 'stop' })) };
  });

  try {
    const address = await whenListening;
    return {
      origin: `http://127.0.0.1:${address.port}`,
      secretKey: address.secretKey,
      ready: whenReady,
      kept,
    };
  } catch (error) {
    await kept.stop();
    throw error;
  }
}

function startFunctions(options: BackendOptions, database: RunningDatabase) {
  let port: number | undefined;
  let whenUp: () => void = () => {};
  const up = new Promise<void>((resolve) => {
    whenUp = resolve;
  });
  const env: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    DENO_DIR: join(process.cwd(), 'node_modules/.cache/deno'),
    DENO_NO_UPDATE_CHECK: '1',
    NO_COLOR: '1',
    SUPABASE_URL: database.origin,
    SUPABASE_PUBLISHABLE_KEY: options.publishableKey,
    SUPABASE_SECRET_KEY: database.secretKey,
    ...options.functionsEnv,
  };
  const kept = keepAlive('functions', options.onLog, (isUp) => {
    const child = spawn(denoBinary(), denoArguments(env, port), {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...env, FUNCTIONS_PORT: String(port ?? 0) },
    });
    forwardLines(child, (line) => {
      const heard = /^\{"event":"listening","port":(\d+)\}$/.exec(line);
      if (!heard) return options.onLog(line);
      port = Number(heard[1]);
      isUp();
      whenUp();
    });
    // Its standard input ends with this process, however that ends, and so does it.
    return { child, askToStop: () => void child.stdin?.end() };
  });
  return { up, kept, origin: () => (kept.isUp() ? `http://127.0.0.1:${port}` : undefined) };
}

function denoBinary(): string {
  return createRequire(import.meta.url)
    .resolve('deno/bin.cjs')
    .replace(/bin\.cjs$/, process.platform === 'win32' ? 'deno.exe' : 'deno');
}

/** The functions reach the database, siteverify, and nothing else; they read their own code, and write nothing. */
function denoArguments(env: Record<string, string>, port: number | undefined): string[] {
  const verifyUrl = new URL(env.TURNSTILE_VERIFY_URL || 'https://challenges.cloudflare.com');
  const verifyHost = verifyUrl.port
    ? verifyUrl.host
    : `${verifyUrl.hostname}:${verifyUrl.protocol === 'http:' ? 80 : 443}`;
  const hosts = [`127.0.0.1:${port ?? 0}`, new URL(env.SUPABASE_URL ?? '').host, verifyHost];
  return [
    'run',
    '--quiet',
    '--no-prompt',
    '--no-remote',
    '--node-modules-dir=manual',
    '--no-lock',
    `--allow-net=${hosts.join(',')}`,
    '--allow-env',
    `--allow-read=${process.cwd()}`,
    join(import.meta.dirname, 'functions.ts'),
  ];
}

function forwardLines(child: ChildProcess, onLine: (line: string) => void): void {
  for (const stream of [child.stdout, child.stderr]) {
    if (stream) createInterface({ input: stream }).on('line', onLine);
  }
}
