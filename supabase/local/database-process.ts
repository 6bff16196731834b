/** The database's process, from outside: started, started again on the same port, and asked to end. */

import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { forwardLines } from './forward-lines.ts';
import { type Kept, keepAlive } from './keep-alive.ts';
import type { DatabaseOptions, FromDatabase, ToDatabase } from './messages.ts';
import { SettingError } from './setting-error.ts';

export interface RunningDatabase {
  readonly origin: string;
  readonly secretKey: string;
  /** Settles when everything is answered for the first time. */
  readonly ready: Promise<void>;
  readonly kept: Kept;
}

/**
 * Settles as soon as the port is known; `ready` follows.
 * @throws SettingError with the process's own sentence when it will not start
 */
export async function startDatabase(
  options: Omit<DatabaseOptions, 'port'>,
  onLog: (line: string) => void,
): Promise<RunningDatabase> {
  const listening = Promise.withResolvers<{ port: number; secretKey: string }>();
  const ready = Promise.withResolvers<void>();
  const fail = (message: string) => {
    listening.reject(new SettingError(message));
    ready.reject(new SettingError(message));
  };
  ready.promise.catch(() => {});
  let port = 0;

  const kept = keepAlive('database', onLog, (up) => {
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'database.ts')],
      {
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
        env: { PATH: process.env.PATH, LITE_TELEMETRY: '0', DO_NOT_TRACK: '1' },
      },
    );
    child.on('message', (message: FromDatabase) => {
      switch (message.type) {
        case 'listening':
          port = message.port;
          return listening.resolve(message);
        case 'ready':
          up();
          return ready.resolve();
        case 'failed':
          if (kept.everUp())
            onLog(JSON.stringify({ source: 'database', event: 'failed', reason: message.message }));
          return fail(message.message);
      }
    });
    child.on('exit', () => fail('The database ended before it was ready.'));
    child.on('error', ({ message }) => fail(`The database could not be started (${message}).`));
    forwardLines(child, onLog);
    // By message and not as arguments, which every user of the machine could read.
    tell(child, { type: 'open', options: { ...options, port } });
    return { child, askToStop: () => tell(child, { type: 'stop' }) };
  });

  try {
    const { port: open, secretKey } = await listening.promise;
    return { origin: `http://127.0.0.1:${open}`, secretKey, ready: ready.promise, kept };
  } catch (error) {
    await kept.stop();
    throw error;
  }
}

/** A process that is just ending takes no message, and needs none. */
function tell(child: ChildProcess, message: ToDatabase): void {
  if (child.connected) child.send(message, () => {});
}
