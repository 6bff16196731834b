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

  test('an erased customer is in no file, the write-ahead log included, and other offers remain', async () => {
    await tool('seed?offers=500', '["lap.app"]');
    await database.sql.exec('checkpoint');
    assert.notDeepEqual(filesWith('customer7@example.com'), []);

    assert.deepEqual(await tool('erase', 'CUSTOMER7@example.com'), { erased: 1 });
    assert.deepEqual(filesWith('customer7@example.com'), []);
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

  async function tool(name: string, body: string): Promise<unknown> {
    const url = new URL(`http://embedded/control/${name}`);
    const tools = { database, keys: KEYS, duringMaintenance: <R>(work: () => Promise<R>) => work() };
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
