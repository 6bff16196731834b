/** Ends sessions of the embedded backend: an ended session cannot be renewed. */
import { createHash } from 'node:crypto';
import type { PGlite, Transaction } from '@electric-sql/pglite';

/** Incremented when an update must end the sessions that there are. */
const VERSION = 2;

/** Ends the sessions of some users. @param users their ids; absent: all users */
export async function endSessions(sql: PGlite | Transaction, users?: string[]): Promise<void> {
  for (const table of ['auth.sessions', 'private.admin_sessions']) {
    await sql.query(`delete from ${table} where $1::uuid[] is null or user_id = any($1::uuid[])`, [
      users ?? null,
    ]);
  }
}

/**
 * Deletes what has expired: rate limits, administrators' sessions, and the sessions of auth that go with those. A
 * session younger than a minute may be one that admin-auth is about to open.
 */
export async function removeExpired(sql: PGlite): Promise<void> {
  await sql.transaction(async (tx) => {
    await tx.query('select public.remove_expired()');
    await tx.query(
      `delete from auth.sessions s where s.created_at < now() - interval '1 minute'
         and not exists (select 1 from private.admin_sessions a where a.session_id = s.id::text)`,
    );
  });
}

/**
 * Ends every session that was opened under other keys. New keys alone end access tokens only: a refresh token is a row,
 * signed by nothing. The database remembers which keys it was opened with, so that a process that was killed after it
 * had made new ones changes nothing.
 */
export async function endSessionsOfOtherKeys(sql: PGlite, jwtSecret: string): Promise<void> {
  const fingerprint = createHash('sha256').update(`${VERSION}\n${jwtSecret}`).digest('hex');
  await sql.transaction(async (tx) => {
    await tx.exec(
      'create schema if not exists embedded; create table if not exists embedded.opened_with (fingerprint text not null)',
    );
    const { rows } = await tx.query<{ fingerprint: string }>('select fingerprint from embedded.opened_with');
    if (rows[0]?.fingerprint === fingerprint) return;
    await endSessions(tx);
    await tx.query('delete from embedded.opened_with');
    await tx.query('insert into embedded.opened_with values ($1)', [fingerprint]);
  });
}
