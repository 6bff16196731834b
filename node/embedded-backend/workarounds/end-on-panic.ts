import type { PGlite } from '@electric-sql/pglite';
import { log } from './clean-logs.ts';

/**
 * Where PostgreSQL cannot write its log (no room, a broken disk) it panics: the server ends, and recovers at its next
 * start. PGlite 0.4 lives on instead, and turns in a circle from the next message on. So this process ends at once; it
 * is started again, and again, until there is room.
 */
export function endOnPanic(sql: PGlite): void {
  // Below the queue of statements, and before the message that would end the failed one.
  const execute = sql.execProtocolStream.bind(sql);
  sql.execProtocolStream = (message, options) =>
    execute(message, options).catch((error: { severity?: unknown }) => {
      if (error.severity !== 'PANIC' && error.severity !== 'FATAL') throw error;
      log('error', 'database_panic', { severity: error.severity });
      process.exit(1);
    });
}
