import type { PGlite } from '@electric-sql/pglite';
import { log } from './clean-logs.ts';

/**
 * Ends this process when PostgreSQL panics, because it cannot write its log (a full or broken disk). A server ends then,
 * and recovers at its next start; PGlite 0.4.5 goes on, and from the next message on loops without an end
 * (https://github.com/electric-sql/pglite/issues/1058). The process is started again until the disk has room.
 */
export function endOnPanic(sql: PGlite): void {
  onPanic(sql, ({ severity }) => {
    log('error', 'database_panic', { severity });
    process.exit(1);
  });
}

/**
 * Lets every statement after a panic fail at once. For commands, which report the error and end: PGlite would send the
 * next message itself, and loop.
 * @param sql before its first statement
 * @returns whether it has panicked, after which it cannot be closed
 */
export function failAfterPanic(sql: PGlite): () => boolean {
  let hasPanicked = false;
  onPanic(sql, (panic) => {
    hasPanicked = true;
    sql.execProtocolStream = () => Promise.reject(panic);
  });
  return () => hasPanicked;
}

/** Below PGlite's queue of statements, and before the message that would end the failed one. */
function onPanic(sql: PGlite, act: (panic: { severity: string }) => void): void {
  const execute = sql.execProtocolStream.bind(sql);
  sql.execProtocolStream = (message, options) =>
    execute(message, options).catch((error) => {
      if (error.severity === 'PANIC' || error.severity === 'FATAL') act(error);
      throw error;
    });
}
