import type { PGlite } from '@electric-sql/pglite';
import { log } from './clean-logs.ts';

/**
 * Lets every statement after a panic fail at once. For commands, which report the error and end: PGlite would send the
 * next message itself, and loop.
 * @param sql before its first statement
 * @returns whether it has panicked, after which it cannot be closed
 */
export function failAfterPanic(sql: PGlite): () => boolean {
  let panic: unknown;
  const execute = sql.execProtocolStream.bind(sql);
  sql.execProtocolStream = async (message, options) => {
    if (panic !== undefined) throw panic;
    try {
      return await execute(message, options);
    } catch (error) {
      if (isPanic(error)) panic = error;
      throw error;
    }
  };
  return () => panic !== undefined;
}

/**
 * Ends this process when PostgreSQL panics, because it cannot write its log (a full or broken disk). A server ends then,
 * and recovers at its next start; PGlite 0.4.5 goes on, and from the next message on loops without an end
 * (https://github.com/electric-sql/pglite/issues/1058). The process is started again until the disk has room.
 */
export function endOnPanic(sql: PGlite): void {
  // Below PGlite's queue of statements, and before the message that would end the failed one.
  const execute = sql.execProtocolStream.bind(sql);
  sql.execProtocolStream = (message, options) =>
    execute(message, options).catch((error: unknown) => {
      if (!isPanic(error)) throw error;
      log('error', 'database_panic', { severity: error.severity });
      process.exit(1);
    });
}

function isPanic(error: unknown): error is { severity: string } {
  const { severity } = error as { severity?: unknown };
  return severity === 'PANIC' || severity === 'FATAL';
}
