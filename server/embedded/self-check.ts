/**
 * Checks that the database returns right results. PGlite has one connection, which a fault can put out of step: from then
 * on each statement succeeds and returns no rows, or the rows of another one. Only a wrong result shows it.
 */
import { randomInt, randomUUID } from 'node:crypto';
import type { PGlite } from '@electric-sql/pglite';

/** @throws an error that says what is wrong, when a statement with random parameters has another result than it should */
export async function assertRightResults(sql: PGlite): Promise<void> {
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
