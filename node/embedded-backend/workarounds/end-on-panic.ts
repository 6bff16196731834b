import type { PGlite } from '@electric-sql/pglite';
import { log } from './clean-logs.ts';

/**
 * Ends this process when PostgreSQL panics, because it cannot write its log (a full or broken disk). A server ends then,
 * and recovers at its next start; PGlite 0.4.5 goes on, and from the next message on loops without an end
 * (https://github.com/electric-sql/pglite/issues/1058). The process is started again until the disk has room.
 */
export function endOnPanic(sql: PGlite): void {
  // Below PGlite's queue of statements, and before the message that would end the failed one.
  const execute = sql.execProtocolStream.bind(sql);
  sql.execProtocolStream = (message, options) =>
    execute(message, options).catch((error: { severity?: unknown }) => {
      if (error.severity !== 'PANIC' && error.severity !== 'FATAL') throw error;
      log('error', 'database_panic', { severity: error.severity });
      process.exit(1);
    });
}
