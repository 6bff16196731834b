/** Starts and supervises the database process, always on the same port. */

import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { UserError } from '../config/user-error.ts';
import { forwardLines } from './forward-lines.ts';
import type { DatabaseOptions, FromDatabase, ToDatabase } from './ipc-messages.ts';
import { type Supervised, supervise } from './supervise.ts';

export interface RunningDatabase {
  readonly origin: string;
  readonly secretKey: string;
  /** Signs access tokens (HS256). */
  readonly tokenSecret: string;
  /** Authenticates the gateway; new for each start. */
  readonly gatewayKey: string;
  /** Resolves when the database serves requests for the first time. */
  readonly ready: Promise<void>;
  readonly process: Supervised;
}

/**
 * Resolves as soon as the port is known; `ready` follows.
 * @throws UserError with the process's own message when it does not start
 */
export async function startDatabase(
  options: Omit<DatabaseOptions, 'port' | 'gatewayKey'>,
  onLog: (line: string) => void,
  program = join(import.meta.dirname, 'database.ts'),
): Promise<RunningDatabase> {
  const gatewayKey = randomBytes(32).toString('base64url');
  const listening = Promise.withResolvers<void>();
  const ready = Promise.withResolvers<void>();
  const fail = (message: string) => {
    listening.reject(new UserError(message));
    ready.reject(new UserError(message));
  };
  ready.promise.catch(() => {});
  let port = 0;
  let secretKey = '';
  let tokenSecret = '';
  let isBusy = false;
  const probe = {
    check: (signal: AbortSignal) => checkDatabase(`http://127.0.0.1:${port}`, secretKey, signal),
    isBusy: () => isBusy,
  };

  const start = (up: () => void) => {
    isBusy = false;
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: { PATH: process.env.PATH, LITE_TELEMETRY: '0', DO_NOT_TRACK: '1' },
    });
    child.on('message', (message: FromDatabase) => {
      switch (message.type) {
        case 'listening':
          ({ port, secretKey, tokenSecret } = message);
          return listening.resolve();
        case 'ready':
          up();
          return ready.resolve();
        case 'busy':
        case 'idle':
          isBusy = message.type === 'busy';
          return;
        case 'failed':
          if (supervised.everUp())
            onLog(JSON.stringify({ source: 'database', event: 'failed', reason: message.message }));
          return fail(message.message);
      }
    });
    child.on('exit', () => fail('The database ended before it was ready.'));
    child.on('error', ({ message }) => fail(`The database could not be started (${message}).`));
    forwardLines(child, onLog);
    // By message and not as arguments, which every user of the machine could read.
    send(child, { type: 'open', options: { ...options, port, gatewayKey } });
    return { child, requestStop: () => send(child, { type: 'stop' }) };
  };
  const supervised = supervise('database', onLog, start, probe);

  try {
    await listening.promise;
    const origin = `http://127.0.0.1:${port}`;
    return { origin, secretKey, tokenSecret, gatewayKey, ready: ready.promise, process: supervised };
  } catch (error) {
    await supervised.stop();
    throw error;
  }
}

/** @throws when the database does not return a text as it was sent */
async function checkDatabase(origin: string, secretKey: string, signal: AbortSignal): Promise<void> {
  const text = randomUUID();
  const response = await fetch(`${origin}/control/check?text=${text}`, {
    headers: { apikey: secretKey },
    signal,
  });
  if ((await response.text()) !== text) throw new Error('it returned a wrong result');
}

/** Sends a message, unless the process is ending. */
function send(child: ChildProcess, message: ToDatabase): void {
  if (child.connected) child.send(message, () => {});
}
