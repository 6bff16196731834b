/** Deletes expired rows and frees their space, as the autovacuum of a server does, which PGlite lacks. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PGlite } from '@electric-sql/pglite';
import { log } from './log.ts';
import { removeExpired } from './sessions.ts';

/** Tables with old rows: limits, sessions and numbers of visits all the time, offers and what belongs to them after an erasure. */
const TABLES = [
  'private.rate_limits',
  'private.admin_sessions',
  'auth.sessions',
  'auth.refresh_tokens',
  'private.message_state',
  'public.offers',
  'private.offer_messages',
  'private.idempotency_keys',
  'private.messages',
  'private.name_numbers',
];

/** Samples the offers, so that the planner knows a rare search term from a frequent one. */
const SAMPLE_OFFERS = 'analyze public.offers';

const INTERVAL_MS = 3_600_000;

/**
 * Cleans at once and then every hour.
 * @returns stops it, and resolves when a running cleaning has ended
 */
export function cleanRegularly(sql: PGlite, intervalMs = INTERVAL_MS): () => Promise<void> {
  let stopped = false;
  let underWay = clean();
  const timer = setInterval(() => {
    underWay = underWay.then(clean);
  }, intervalMs);
  timer.unref();

  async function clean(): Promise<void> {
    try {
      await removeExpired(sql);
    } catch (error) {
      // The next run may succeed.
      log('warn', 'remove_expired_failed', { code: (error as { code?: string }).code });
    }
    for (const statement of [...TABLES.map((table) => `vacuum ${table}`), SAMPLE_OFFERS]) {
      if (stopped) return;
      try {
        await between(sql, statement);
      } catch (error) {
        log('warn', 'vacuum_failed', { statement, code: (error as { code?: string }).code });
      }
    }
  }

  return async () => {
    stopped = true;
    clearInterval(timer);
    await underWay;
  };
}

/** Runs a statement after the requests that came during the previous one. */
async function between(sql: PGlite, statement: string): Promise<void> {
  await nextTurn();
  await sql.exec(statement);
}
