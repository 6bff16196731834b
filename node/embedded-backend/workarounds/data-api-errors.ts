/**
 * @supabase/lite 0.10 answers 500 to a question that it cannot read and to a value that a check refuses. Hosted, both
 * are the asker's mistake, 400; and a 500 should mean that something is wrong here.
 */
import type { PgliteConnection } from '@supabase/lite/pglite';

export function blameTheQuestion(connection: PgliteConnection): void {
  // lite's own place for this: what it returns decides the status, by its SQLSTATE.
  connection.normalizeDbError = (error) => {
    if (!(error instanceof Error)) return error;
    const { code } = error as { code?: unknown };
    if (code === CHECK_VIOLATION) return refused(error.message);
    const unread = code === undefined && THROWN_WHILE_READING.has(error.constructor);
    return unread && !connection.driver.closed ? refused(sentenceOf(error)) : error;
  };
}

const CHECK_VIOLATION = '23514';

/** What JavaScript throws at input nobody thought of; exactly these, since lite's own kinds have their own statuses. */
const THROWN_WHILE_READING = new Set<unknown>([Error, TypeError, RangeError, SyntaxError, URIError]);

/** `PT` and a status is PostgREST's way to choose the status of an answer. */
function refused(message: string): Error {
  return Object.assign(new Error(message), { code: 'PT400' });
}

/** Only a plain error was meant for a reader. */
function sentenceOf(error: Error): string {
  return error.constructor === Error ? error.message : 'This question cannot be read.';
}
