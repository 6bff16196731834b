import assert from 'node:assert/strict';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { after, before, test } from 'node:test';
import { openBooted } from '../booted-database.fixture.ts';
import type { OpenDatabase } from '../open-database.ts';

let database: OpenDatabase;
const synced: number[] = [];
const { fdatasyncSync } = fs;
before(async () => {
  fs.fdatasyncSync = (descriptor) => {
    synced.push(descriptor);
    fdatasyncSync(descriptor);
  };
  syncBuiltinESMExports();
  database = await openBooted();
  await database.sql.exec('create table public.synced (n integer)');
});
after(async () => {
  fs.fdatasyncSync = fdatasyncSync;
  syncBuiltinESMExports();
  await database.close();
});

test('every commit is written to the disk before it is reported', async () => {
  for (let n = 0; n < 20; n += 1) {
    synced.length = 0;
    await database.sql.query('insert into public.synced values ($1)', [n]);
    assert.ok(synced.length >= 1, `commit ${n}: no sync`);
  }
});

test('a checkpoint syncs data files and directories, and the database goes on', async () => {
  await database.sql.exec('insert into public.synced select generate_series(1, 20000)');
  synced.length = 0;
  await database.sql.exec('checkpoint');
  assert.ok(synced.length > 1, String(synced.length));
  const { rows } = await database.sql.query(
    'select count(*)::integer as count from public.synced where n > 1000',
  );
  assert.deepEqual(rows, [{ count: 19_000 }]);
});
