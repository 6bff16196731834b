import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { copyBooted, KEYS } from './booted-database.fixture.ts';
import { type OpenDatabase, openFiles } from './open-database.ts';
import { control } from './owner-tools.ts';
import { cleanRegularly } from './vacuum.ts';

describe('deleted rows', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vacuum-'));
  let database: OpenDatabase;
  before(async () => {
    await copyBooted(join(folder, 'database'));
    database = await openFiles(join(folder, 'database'), KEYS);
  });
  after(async () => {
    await database.close();
    rmSync(folder, { recursive: true });
  });

  test('the last customer is in no file after the erasure', async () => {
    await database.sql.exec(`
      insert into public.offers (domain_name, offer_amount, customer_name, customer_email)
        select 'lap.app', '$1', 'Ada', 'last@example.com' from generate_series(1, 2);
      analyze public.offers;
      checkpoint;`);
    assert.notDeepEqual(filesWith('last@example.com'), []);
    assert.deepEqual(await tool('erase', 'last@example.com'), { erased: 2 });
    assert.deepEqual(filesWith('last@example.com'), []);
  });

  test('an erased customer is in no file, the write-ahead log included, and other offers remain', async () => {
    await tool('seed?offers=500', '["lap.app"]');
    await database.sql.exec(`
      insert into private.messages (kind, offer_id, target)
        select 'confirmation', id, 'mailto:' || customer_email from public.offers;
      insert into private.offer_messages (offer_id, message)
        select id, 'Call ' || customer_email from public.offers;
      set default_statistics_target = 1000;
      analyze public.offers;
      checkpoint;`);
    assert.notDeepEqual(filesWith('customer7@example.com'), []);
    const sampled = () =>
      number(`select count(*)::integer as n from pg_stats
        where concat(histogram_bounds, most_common_vals) like '%customer7@example.com%'`);
    assert.equal(await sampled(), 3, 'of the column and of two indexes');

    assert.deepEqual(await tool('erase', 'CUSTOMER7@example.com'), { erased: 1 });
    assert.deepEqual(filesWith('customer7@example.com'), []);
    assert.equal(await sampled(), 0);
    assert.notDeepEqual(filesWith('customer8@example.com'), []);
    assert.equal(await number('select count(*)::integer as n from public.offers'), 499);
  });

  test('cleanRegularly frees the space of deleted rows for new ones', { timeout: 30_000 }, async () => {
    const end = cleanRegularly(database.sql, 1);
    const vacuums = async () =>
      await number("select vacuum_count::integer as n from pg_stat_all_tables where relname = 'rate_limits'");
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

  test('samples the offers, so that the planner knows how rare a search term is', {
    timeout: 30_000,
  }, async () => {
    const analyzed = () =>
      number("select analyze_count::integer as n from pg_stat_all_tables where relname = 'offers'");
    const soFar = await analyzed();
    const end = cleanRegularly(database.sql, 1);
    while ((await analyzed()) === soFar) await new Promise((later) => setTimeout(later, 5));
    await end();
  });

  async function tool(name: string, body: string): Promise<unknown> {
    const url = new URL(`http://embedded/control/${name}`);
    const tools = {
      dataDir: '',
      database,
      duringMaintenance: <R>(work: () => Promise<R>) => work(),
    };
    return await (await control(new Request(url, { method: 'POST', body }), url, tools)).json();
  }

  async function number(statement: string): Promise<number> {
    return (await database.sql.query<{ n: number }>(statement)).rows[0]?.n ?? 0;
  }

  /** The files that hold a text. */
  function filesWith(text: string): string[] {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => readFileSync(file).includes(text));
  }
});
