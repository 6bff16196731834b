/** Compares all rows of a database before and after an update. */
import assert from 'node:assert/strict';
import type { PGlite } from '@electric-sql/pglite';

/** By table. */
export type Rows = Readonly<Record<string, Record<string, unknown>[]>>;

/** Every row of every table, and the last number of each sequence. */
export async function readAllRows(sql: PGlite): Promise<Rows> {
  const { rows: tables } = await sql.query<{ name: string }>(
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'private', 'auth')",
  );
  const read = async (name: string) => {
    const { rows } = await sql.query<{ row: Record<string, unknown> }>(
      `select to_jsonb(t) as row from ${name} t order by to_jsonb(t)::text`,
    );
    return [name, rows.map(({ row }) => row)] as const;
  };
  const names = [...tables.map(({ name }) => name), 'pg_sequences'];
  return Object.fromEntries(await Promise.all(names.map(read)));
}

/** Asserts that no row is lost or changed. Migrations may have changed columns: those that both have are compared. */
export function assertKept(before: Rows, after: Rows, tables = Object.keys(before)): void {
  for (const table of tables) {
    const [kept = [], found = []] = [before[table], after[table]];
    const columns = Object.keys(kept[0] ?? {}).filter((column) => Object.hasOwn(found[0] ?? {}, column));
    const lines = (rows: Rows[string]) =>
      rows.map((row) => JSON.stringify(columns.map((column) => row[column])));
    const left = new Set(lines(found));
    const lost = lines(kept).filter((line) => !left.has(line));
    assert.deepEqual(lost, [], `${table} (${columns}) lost rows`);
  }
}
