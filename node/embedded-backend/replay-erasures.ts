/** Repeats noted erasures in a database that is older than they are. */
import type { PGlite } from '@electric-sql/pglite';
import { forgetDeletedRows } from './clean-copy.ts';
import { type Erasures, lastErasure, latestErasure } from './erasures.ts';
import { readRow } from './read-row.ts';
import { DELETE_SAMPLES } from './vacuum.ts';

/** Emails hashed at a time: as many as Node has threads. More would keep the process from ending while they wait. */
const AT_ONCE = 4;

interface Customer {
  readonly email: string;
  /** Time of the first offer, in milliseconds. */
  readonly since: number;
}

/**
 * Erases each customer whose first offer is older than the customer's erasure. Those who came back later stay, because a
 * database that is younger than the erasure holds no offer from before it.
 * @param place the database's files, from which the offers are removed too
 * @param onStart receives the number of customers to compare, each of which takes about 70 ms of processor time
 * @returns the number of deleted offers
 */
export async function replayErasures(
  sql: PGlite,
  erasures: Erasures,
  place: string,
  onStart: (customers: number) => void = () => {},
): Promise<number> {
  const latest = latestErasure(erasures);
  const customers = (await readCustomers(sql)).filter(({ since }) => since <= latest);
  if (customers.length > 0) onStart(customers.length);
  let deleted = 0;
  for (const { email } of await findErased(customers, erasures)) {
    const statement = 'select public.erase_customer($1) as erased';
    deleted += (await readRow<{ erased: number }>(sql, statement, [email])).erased;
  }
  if (deleted > 0) {
    await sql.exec(DELETE_SAMPLES);
    await forgetDeletedRows(sql, place);
  }
  return deleted;
}

async function readCustomers(sql: PGlite): Promise<Customer[]> {
  const { rows } = await sql.query<Customer>(
    `select lower(customer_email) as email, floor(extract(epoch from min(created_at)) * 1000)::float8 as since
     from public.offers group by 1`,
  );
  return rows;
}

async function findErased(customers: readonly Customer[], erasures: Erasures): Promise<Customer[]> {
  const found: Customer[] = [];
  const waiting = customers.values();
  const compare = async () => {
    for (const customer of waiting) {
      const at = await lastErasure(erasures, customer.email);
      if (at !== undefined && customer.since <= at) found.push(customer);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, compare));
  return found;
}
