/** Starts and supervises the database process, always on the same port. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { UserError } from '../config/user-error.ts';
import { forwardLines } from './forward-lines.ts';
import type { DatabaseOptions, FromDatabase, ToDatabase } from './ipc-messages.ts';
import { supervise } from './supervise.ts';

/**
 * Resolves as soon as the port is known; `ready` follows.
 * @throws UserError with the process's own message when it does not start
 */
export async function startDatabase(
  options: Omit<DatabaseOptions, 'port' | 'gatewayKey'>,
  onLog: (line: string) => void,
  program = join(import.meta.dirname, 'database.ts'),
) {
  /** Authenticates the gateway; new for each start. */
  const gatewayKey = randomBytes(32).toString('base64url');
  const listening = Promise.withResolvers<void>();
  /** Resolves when the database serves requests for the first time. */
  const ready = Promise.withResolvers<void>();
  const fail = (message: string) => {
    listening.reject(new UserError(message));
    ready.reject(new UserError(message));
  };
  ready.promise.catch(() => {});
  let port = 0;
  let secretKey = '';
  /** Signs access tokens (HS256). */
  let tokenSecret = '';
  let isBusy = false;
  /** Why the last start failed. */
  let failure: string | undefined;
  const probe = {
    check: (signal: AbortSignal) => checkDatabase(`http://127.0.0.1:${port}`, secretKey, signal),
    isBusy: () => isBusy,
  };

  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const start = (up: () => void) => {
    isBusy = false;
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: { PATH, NODE_COMPILE_CACHE, LITE_TELEMETRY: '0', DO_NOT_TRACK: '1' },
    });
    child.on('message', (message: FromDatabase) => {
      switch (message.type) {
        case 'listening':
          ({ port, secretKey, tokenSecret } = message);
          return listening.resolve();
        case 'ready':
          failure = undefined;
          up();
          return ready.resolve();
        case 'work':
          isBusy = message.isBusy;
          return;
        case 'failed':
          failure = message.message;
          if (supervised.everUp())
            onLog(JSON.stringify({ source: 'database', event: 'failed', reason: message.message }));
          return fail(message.message);
      }
    });
    child.on('exit', () => fail('The database ended before it was ready.'));
    child.on('error', ({ message }) => fail(`The database could not be started (${message}).`));
    forwardLines(child, onLog);
    // By message and not as arguments, which every user of the machine could read.
    send(child, { ...options, port, gatewayKey });
    return { child, requestStop: () => send(child, 'stop') };
  };
  const supervised = supervise('database', onLog, start, probe);

  try {
    await listening.promise;
    const origin = `http://127.0.0.1:${port}`;
    return {
      ...{ origin, secretKey, tokenSecret, gatewayKey, ready: ready.promise, process: supervised },
      /** True, or a message why it does not work. */
      health: async () => failure ?? (await supervised.health()),
    };
  } catch (error) {
    await supervised.stop();
    throw error;
  }
}

/** Lets the database check its results: it ends when one is wrong (self-check.ts). @throws unless all are right */
async function checkDatabase(origin: string, secretKey: string, signal: AbortSignal): Promise<void> {
  const { status, body } = await fetch(`${origin}/control/check`, { headers: { apikey: secretKey }, signal });
  await body?.cancel();
  if (status !== 204) throw new Error(`it responded with ${status}`);
}

/** Sends a message, unless the process is ending. */
function send(child: ChildProcess, message: ToDatabase): void {
  if (child.connected) child.send(message, () => {});
}
