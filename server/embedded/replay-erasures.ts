/** Repeats noted erasures in a database that is older than they are. */
import type { PGlite } from '@electric-sql/pglite';
import { purgeDeletedRows } from './clean-copy.ts';
import { type Erasure, lastErasure } from './erasures.ts';
import { readRow } from './read-row.ts';

/**
 * Erases each customer whose first offer is older than the customer's erasure. Those who came back later stay, because a
 * database that is younger than the erasure holds no offer from before it.
 * @param place the database's files, from which the offers are removed too
 * @returns the number of deleted offers
 */
export async function replayErasures(
  sql: PGlite,
  erasures: readonly Erasure[],
  place: string,
): Promise<number> {
  const { rows } = await sql.query<{ email: string; since: number }>(
    `select lower(customer_email) as email, floor(extract(epoch from min(created_at)) * 1000)::float8 as since
     from public.offers group by 1`,
  );
  let deleted = 0;
  for (const { email } of rows.filter(({ email, since }) => since <= lastErasure(erasures, email))) {
    const statement = 'select public.erase_customer($1) as erased';
    deleted += (await readRow<{ erased: number }>(sql, statement, [email])).erased;
  }
  if (deleted > 0) await purgeDeletedRows(sql, place);
  return deleted;
}
