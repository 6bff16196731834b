import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openBooted } from './booted-database.fixture.ts';
import type { OpenDatabase } from './open-database.ts';
import { cleanRegularly } from './vacuum.ts';

describe('deleted rows', () => {
  let database: OpenDatabase;
  before(async () => {
    database = await openBooted();
  });
  after(() => database.close());

  test('cleanRegularly frees the space of deleted rows for new ones', async () => {
    const end = cleanRegularly(database.sql, 1);
    const sizes: number[] = [];
    for (let day = 0; day < 4; day += 1) {
      await database.sql.exec(`
        insert into private.rate_limits
          select 'bucket', 'key ' || n, now(), now(), 1 from generate_series(1, 2000) as n;
        delete from private.rate_limits;`);
      sizes.push(await number("select pg_relation_size('private.rate_limits')::integer as n"));
      const soFar = await vacuums();
      while ((await vacuums()) < soFar + 2) await new Promise((later) => setTimeout(later, 5));
    }
    await end();
    assert.ok((sizes.at(-1) ?? 0) <= (sizes[0] ?? 0), String(sizes));
  });

  test('frees the space of numbers of visits, which change each minute', async () => {
    const end = cleanRegularly(database.sql, 1);
    const sizes: number[] = [];
    for (let hour = 0; hour < 6; hour += 1) {
      for (let minute = 0; minute < 3; minute += 1)
        await database.sql.exec(`
          insert into private.name_numbers as n (name, month, visits)
          select 'name-' || i || '.example', '2026-11-01', array[1] from generate_series(1, 500) as i
          on conflict (name, month) do update set visits = array_append(n.visits, 1);`);
      sizes.push(await number("select pg_relation_size('private.name_numbers')::integer as n"));
      const soFar = await vacuums();
      while ((await vacuums()) < soFar + 2) await new Promise((later) => setTimeout(later, 5));
    }
    await end();
    assert.ok((sizes.at(-1) ?? 0) < 3 * (sizes[0] ?? 0), String(sizes));
  });

  test('samples the offers, so that the planner knows how rare a search term is', async () => {
    const analyzed = () =>
      number("select analyze_count::integer as n from pg_stat_all_tables where relname = 'offers'");
    const soFar = await analyzed();
    const end = cleanRegularly(database.sql, 1);
    while ((await analyzed()) === soFar) await new Promise((later) => setTimeout(later, 5));
    await end();
  });

  const vacuums = () =>
    number("select vacuum_count::integer as n from pg_stat_all_tables where relname = 'rate_limits'");

  async function number(statement: string): Promise<number> {
    return (await database.sql.query<{ n: number }>(statement)).rows[0]?.n ?? 0;
  }
});
