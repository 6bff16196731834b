import type { PGlite } from '@electric-sql/pglite';

/** The only row of a statement's result. @throws when there is none, as while PGlite is out of step (self-check.ts) */
export async function readRow<Row>(sql: PGlite, statement: string, parameters: unknown[] = []): Promise<Row> {
  const { rows } = await sql.query<Row>(statement, parameters);
  if (rows[0] === undefined) throw new Error('the database returned no row');
  return rows[0];
}
