import type { PGlite } from '@electric-sql/pglite';
import { log } from './clean-logs.ts';

/**
 * Where PostgreSQL cannot write its log (no room, a broken disk) it panics: the server ends, and recovers at its next
 * start. PGlite lives on instead, and turns in a circle from the next statement on. So this process ends; it is started
 * again, and again, until there is room.
 */
export function endOnPanic(sql: PGlite): void {
  // Below the queue of statements, so that the next one does not begin before the error is seen.
  const execute = sql.execProtocol.bind(sql);
  sql.execProtocol = async (message, options) => {
    try {
      return await execute(message, options);
    } catch (error) {
      const { severity } = error as { severity?: unknown };
      if (severity === 'PANIC' || severity === 'FATAL') {
        log('error', 'database_panic', { severity });
        process.exit(1);
      }
      throw error;
    }
  };
}
