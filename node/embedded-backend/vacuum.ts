/** What a server's autovacuum and clock do, and PGlite has not: deletes expired rows and gives back their room. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PGlite } from '@electric-sql/pglite';
import { removeExpired } from './sessions.ts';
import { log } from './workarounds/clean-logs.ts';

/** The tables whose rows go: limits and sessions all day, offers and their receipts when a customer is erased. */
const OFFERS = ['public.offers', 'private.offer_receipts'];
const TABLES = [
  'private.rate_limits',
  'private.admin_sessions',
  'auth.sessions',
  'auth.refresh_tokens',
  ...OFFERS,
];

/** How often, in milliseconds. */
const HOURLY = 3_600_000;

/**
 * Rows that were deleted stay in the files until something is written over them, and in the write-ahead log until its
 * segments are deleted. Here the tables' files are written anew without them, and the log goes on in a new segment; the
 * second checkpoint deletes the old ones.
 */
export async function forgetErasedOffers(sql: PGlite): Promise<void> {
  for (const table of OFFERS) await between(sql, `vacuum full ${table}`);
  await between(sql, 'checkpoint');
  await between(sql, 'select pg_switch_wal()');
  await between(sql, 'checkpoint');
}

/**
 * Cleans now and then every hour.
 * @returns ends it, once a cleaning that is under way is over
 */
export function cleanRegularly(sql: PGlite, every = HOURLY): () => Promise<void> {
  let stopped = false;
  let underWay = clean();
  const timer = setInterval(() => {
    underWay = underWay.then(clean);
  }, every);
  timer.unref();

  async function clean(): Promise<void> {
    try {
      await nextTurn();
      await removeExpired(sql);
    } catch (error) {
      // The next one may go well.
      log('warn', 'remove_expired_failed', { code: (error as { code?: string }).code });
    }
    for (const table of TABLES) {
      if (stopped) return;
      try {
        await between(sql, `vacuum ${table}`);
      } catch (error) {
        log('warn', 'vacuum_failed', { table, code: (error as { code?: string }).code });
      }
    }
  }

  return async () => {
    stopped = true;
    clearInterval(timer);
    await underWay;
  };
}

/**
 * Runs a statement that may stand in no transaction, between two requests. Lite begins its transactions without PGlite's
 * knowing, and ends each in the turn of the event loop in which it began: at the start of a turn none is open. That also
 * lets those be served who came during the statement before.
 */
async function between(sql: PGlite, statement: string): Promise<void> {
  await nextTurn();
  await sql.exec(statement);
}
