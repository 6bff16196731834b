/**
 * Checks that the database returns right results. PGlite has one connection, which a fault can put out of step: from then
 * on each statement succeeds and returns no rows, or the rows of another one. Only a wrong result shows it.
 */
import { randomInt, randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PGlite } from '@electric-sql/pglite';

const INTERVAL_MS = 2_000;
/** Time for one check. */
const TIMEOUT_MS = 5_000;
/** Number of parts into which the timeout is divided. */
const TICKS = 5;

/** @throws an error that says what is wrong, when a statement with random parameters has another result than it should */
export async function assertRightResults(sql: PGlite): Promise<void> {
  // lite begins and ends its transactions within one turn of the event loop: at the start of a turn none is open.
  await nextTurn();
  const [a, b, text] = [randomInt(1_000_000), randomInt(1_000_000), randomUUID()];
  const { rows } = await sql.query<{ sum: number; text: string }>(
    'select $1::integer + $2::integer as sum, $3::text as text',
    [a, b, text],
  );
  const row = rows[0];
  if (rows.length !== 1 || row?.sum !== a + b || row.text !== text) {
    throw new Error('a statement returned a wrong result');
  }
}

/** Sends a text through the database and back: for a check from another process, which knows what it sent. */
export async function echo(sql: PGlite, text: string): Promise<string> {
  await nextTurn();
  const { rows } = await sql.query<{ text: string }>('select $1::text as text', [text]);
  return rows[0]?.text ?? '';
}

export interface SelfCheck {
  /** Runs work that may keep the connection busy for long; no check runs meanwhile. */
  pauseDuring<Result>(work: () => Promise<Result>): Promise<Result>;
  stop(): void;
}

/** Checks regularly, and calls `onWrong` once: a check failed, had a wrong result, or did not end in time. */
export function checkRegularly(
  sql: PGlite,
  onWrong: (reason: string) => void,
  { interval = INTERVAL_MS, timeout = TIMEOUT_MS } = {},
): SelfCheck {
  let paused = 0;
  let running = false;
  const timer = setInterval(async () => {
    if (paused > 0 || running) return;
    running = true;
    try {
      await inTime(assertRightResults(sql), timeout, () => paused > 0);
    } catch (error) {
      clearInterval(timer);
      const { code, message } = error as { code?: string; message: string };
      onWrong(code ?? message);
    }
    running = false;
  }, interval);
  timer.unref();
  return {
    pauseDuring: async (work) => {
      paused += 1;
      try {
        return await work();
      } finally {
        paused -= 1;
      }
    },
    stop: () => clearInterval(timer),
  };
}

/**
 * Rejects when a check does not end in time. Time in which this process was blocked does not count: a timer fires once
 * for it, however long it was.
 * @param mayTakeLonger whether the connection is known to be busy at the moment
 */
function inTime(check: Promise<void>, timeout: number, mayTakeLonger: () => boolean): Promise<void> {
  let ticks = 0;
  return new Promise((resolve, reject) => {
    const timer = setInterval(() => {
      if (!mayTakeLonger()) ticks += 1;
      if (ticks < TICKS) return;
      clearInterval(timer);
      reject(new Error(`a statement took longer than ${timeout} ms`));
    }, timeout / TICKS);
    check.then(resolve, reject).finally(() => clearInterval(timer));
  });
}
