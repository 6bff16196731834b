import type { PGlite } from '@electric-sql/pglite';

/**
 * Lets every statement after a panic of PostgreSQL fail at once. It panics when it cannot write its log (a full or broken
 * disk). A server ends then, and recovers at its next start; PGlite 0.4.6 goes on, and from the next message on, which it
 * sends itself, loops without an end. It cannot be closed either. Waits for https://github.com/electric-sql/pglite/issues/1058;
 * dependency-faults.test.ts fails where it is not needed any more.
 * @param sql before its first statement
 * @param onPanic called once
 * @returns whether it has panicked
 */
export function failAfterPanic(sql: PGlite, onPanic = (_severity: string) => {}): () => boolean {
  let hasPanicked = false;
  // Below PGlite's queue of statements, and before the message that would end the failed one.
  const execute = sql.execProtocolStream.bind(sql);
  sql.execProtocolStream = (message, options) =>
    execute(message, options).catch((error) => {
      if (error.severity === 'PANIC' || error.severity === 'FATAL') {
        hasPanicked = true;
        sql.execProtocolStream = () => Promise.reject(error);
        onPanic(error.severity);
      }
      throw error;
    });
  return () => hasPanicked;
}
