/** Starts and supervises the functions' process: Deno with the rights it needs and no others. */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { hostsOfMessages, readMessageSettings } from '#contract/message-settings.ts';
import { SETTINGS } from '#contract/settings.ts';
import { UserError } from '../config/user-error.ts';
import { forwardLines } from './forward-lines.ts';
import { supervise } from './supervise.ts';

export interface FunctionsOptions {
  publishableKey: string;
  /** Settings of the bot check and of the rate limits. */
  functionsEnv: Record<string, string>;
  /** Receives each line of the process's log. */
  onLog(line: string): void;
}

export function startFunctions(
  options: FunctionsOptions,
  database: { origin: string; secretKey: string },
  deno = denoBinary(),
) {
  let port: number | undefined;
  const up = Promise.withResolvers<void>();
  up.promise.catch(() => {});
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
  const start = (isUp: () => void) => {
    const child = spawn(deno, denoArguments(env, port), {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...env, FUNCTIONS_PORT: String(port ?? 0) },
    });
    // Only the first start can fail this way; later ones find `up` settled.
    const fail = (reason: string) => up.reject(new UserError(`Edge functions failed to start: ${reason}.`));
    child.once('exit', (code, signal) => fail(`Deno ended with ${code ?? signal} (see the log above)`));
    child.once('error', ({ message }) => fail(`${message}. Run npm ci and try again`));
    forwardLines(child, (line) => {
      const listening = /^\{"event":"listening","port":(\d+)\}$/.exec(line);
      if (!listening) return options.onLog(line);
      port = Number(listening[1]);
      isUp();
      up.resolve();
    });
    // The child ends when its standard input does, and so with this process, however that ends.
    return { child, requestStop: () => void child.stdin?.end() };
  };
  const probe = {
    check: async (signal: AbortSignal) => {
      const response = await fetch(`http://127.0.0.1:${port}/health`, { signal });
      if ((await response.text()) !== 'ok') throw new Error(`it responded with ${response.status}`);
    },
  };
  const supervised = supervise('functions', options.onLog, start, probe);
  return {
    /** Resolves when the functions listen for the first time. */
    up: up.promise,
    process: supervised,
    origin: () => (supervised.isUp() ? `http://127.0.0.1:${port}` : undefined),
  };
}

/** The hosts with ports that messages are sent to. */
export function messageHosts(env: Record<string, string>): string[] {
  return hostsOfMessages(readMessageSettings(env).settings);
}

export function denoBinary(): string {
  return createRequire(import.meta.url)
    .resolve('deno/bin.cjs')
    .replace(/bin\.cjs$/, process.platform === 'win32' ? 'deno.exe' : 'deno');
}

/**
 * The functions reach the database, siteverify, and the servers that messages are sent to. They read and write no file.
 */
export function denoArguments(
  env: Record<string, string>,
  port: number | undefined,
  program = join(import.meta.dirname, 'functions.ts'),
): string[] {
  const verify = new URL(env.TURNSTILE_VERIFY_URL || SETTINGS.TURNSTILE_VERIFY_URL.default);
  const hosts = [
    `127.0.0.1:${port ?? 0}`,
    new URL(env.SUPABASE_URL ?? '').host,
    `${verify.hostname}:${verify.port || (verify.protocol === 'http:' ? 80 : 443)}`,
    ...messageHosts(env),
  ];
  return [
    'run',
    '--quiet',
    '--no-prompt',
    '--no-remote',
    '--node-modules-dir=manual',
    '--no-lock',
    `--allow-net=${hosts.join(',')}`,
    '--allow-env',
    program,
  ];
}
