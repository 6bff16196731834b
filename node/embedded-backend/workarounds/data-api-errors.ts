/**
 * Turns 500 into 400 where the request is at fault. @supabase/lite 0.10 sends 500 for a query that it cannot read and for
 * a value that a check rejects; a hosted project sends 400, and 500 should mean a fault of the server. Not reported yet;
 * the report is docs/upstream/supabase-lite-0.10.md.
 */
import type { PgliteConnection } from '@supabase/lite/pglite';

export function rejectBadQueries(connection: PgliteConnection): void {
  // A hook of lite: the SQLSTATE of the returned error decides the status.
  connection.normalizeDbError = (error) => {
    if (!(error instanceof Error)) return error;
    const { code } = error as { code?: unknown };
    if (code === CHECK_VIOLATION) return rejection(error.message);
    const isUnreadable = code === undefined && BUILT_IN_ERRORS.has(error.constructor);
    return isUnreadable && !connection.driver.closed ? rejection(messageOf(error)) : error;
  };
}

const CHECK_VIOLATION = '23514';

/** Built-in error classes; exactly these, since lite's own errors carry a status. */
const BUILT_IN_ERRORS = new Set<unknown>([Error, TypeError, RangeError, SyntaxError, URIError]);

/** `PT` and a status is PostgREST's way to choose the status of a response. */
function rejection(message: string): Error {
  return Object.assign(new Error(message), { code: 'PT400' });
}

/** Hides the messages of built-in subclasses, which name internals. */
function messageOf(error: Error): string {
  return error.constructor === Error ? error.message : 'The request could not be read.';
}
