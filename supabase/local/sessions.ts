/** Ending sessions of the embedded backend: an ended one cannot be renewed. */
import { createHash } from 'node:crypto';
import type { PGlite, Transaction } from '@electric-sql/pglite';

/** @param users whose; absent: everybody's */
export async function endSessions(sql: PGlite | Transaction, users?: string[]): Promise<void> {
  for (const table of ['auth.refresh_tokens', 'auth.sessions']) {
    await sql.query(`delete from ${table} where $1::uuid[] is null or user_id = any($1::uuid[])`, [
      users ?? null,
    ]);
  }
}

/**
 * Ends every session that was opened under other keys. New keys alone end access tokens only: a refresh token is a row,
 * signed by nothing. The database remembers which keys it was opened with, so that a process that was killed after it
 * had made new ones changes nothing.
 */
export async function endSessionsOfOtherKeys(sql: PGlite, jwtSecret: string): Promise<void> {
  const fingerprint = createHash('sha256').update(jwtSecret).digest('hex');
  await sql.transaction(async (tx) => {
    await tx.exec('create table if not exists embedded.opened_with (fingerprint text not null)');
    const { rows } = await tx.query<{ fingerprint: string }>('select fingerprint from embedded.opened_with');
    if (rows[0]?.fingerprint === fingerprint) return;
    await endSessions(tx);
    await tx.query('delete from embedded.opened_with');
    await tx.query('insert into embedded.opened_with values ($1)', [fingerprint]);
  });
}
