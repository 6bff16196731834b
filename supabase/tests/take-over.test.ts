/** Databases that the migrations before the baseline made, on both engines. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { type Migration, migrations } from '../../server/embedded/migrate.ts';
import { differingObjects } from '../../server/embedded/schema-files.ts';
import { TAKE_OVER } from '../../server/embedded/take-over.ts';
import { BARE_ENGINES, type BareDatabase, describeSchema } from './bare-engines.ts';
import { ALL_ROWS, FORMER_MIGRATIONS, FORMER_ROWS } from './former-database.ts';
import { HOSTED_BEGINNINGS } from './postgres.ts';

const MIGRATIONS = migrations(join(import.meta.dirname, '../migrations'));
const [BASELINE = { version: '', name: '', sql: '' }] = MIGRATIONS;

/** Of the owner's own migrations, one between ours. */
const OWN_VERSIONS = ['20250101000000', '20261203120000', '20261207000000'];
/** What the platform and the owner may have beside ours. */
const OWNERS = `
  insert into supabase_migrations.schema_migrations (version, name)
  values ${OWN_VERSIONS.map((version) => `('${version}', 'own')`).join(', ')};
  create table public.own (id integer primary key, text text not null check (text <> ''));
  create function public.own() returns integer language sql as $$ select 1 $$;
  create role reader; grant select on public.offers to reader`;

const ADMINISTRATOR = `
  insert into auth.users (id, email) values ('00000000-0000-4000-8000-00000000000a', 'owner@example.com');
  insert into private.admins (user_id) select id from auth.users;
  insert into auth.sessions (id, user_id) select id, id from auth.users`;

const OLDER =
  /^The database is of an older version, .* Update it with the commit [0-9a-f]{8} of this product first\.$/;

/** A change of the schema, and what the message says of it. */
const CHANGES = [
  ['alter table public.offers add column own text', 'column public.offers.own was added'],
  ['drop index public.offers_held', 'index public.offers_held is missing'],
  ['create index own on public.offers (status)', 'index public.own was added'],
  ['create table private.own (id integer)', 'column private.own.id was added'],
  ['alter table private.listings alter state drop default', 'column private.listings.state was changed'],
  ['alter function public.offer_counts() volatile', 'function public.offer_counts() was changed'],
  [
    'grant execute on function private.lock_moves(text) to anon',
    'function private.lock_moves(name text) was changed',
  ],
  [
    'create policy own on private.listings for select to anon using (true)',
    'policy private.listings.own was added',
  ],
  ['alter table private.listings disable row level security', 'table private.listings was changed'],
  [
    'alter default privileges grant execute on functions to public',
    'default privileges of functions was changed',
  ],
] as const;

for (const choice of BARE_ENGINES) {
  describe(`taking over, on ${choice.name}`, { skip: choice.missing }, () => {
    let database: BareDatabase;
    before(async () => {
      database = await choice.open();
    });
    after(() => database.close());
    // What a test does is undone.
    beforeEach(async () => {
      await database.exec('begin');
      await database.exec(HOSTED_BEGINNINGS);
    });
    afterEach(() => database.exec('rollback'));

    /** Applies some of the former migrations, and adds rows. */
    async function make(chain: readonly Migration[]): Promise<void> {
      await apply(database, chain);
      // As in a transaction of their own.
      await database.exec(
        `set constraints all deferred; ${ADMINISTRATOR}; ${FORMER_ROWS} set constraints all immediate`,
      );
    }
    const state = async () => [await versions(database), await database.rows(ALL_ROWS)];
    /** @param sql a change before it */
    async function rejects(message: string | RegExp, sql = ''): Promise<void> {
      await database.exec(`savepoint before; ${sql}`);
      await assert.rejects(database.exec(TAKE_OVER), { message });
      await database.exec('rollback to before');
    }

    test('the baseline makes what the migrations before it made', async () => {
      await database.exec('savepoint bare');
      await apply(database, FORMER_MIGRATIONS);
      const former = await describeSchema(database);
      await database.exec('rollback to bare');
      await database.exec(BASELINE.sql);
      assert.deepEqual(differingObjects(former, await describeSchema(database)), []);
    });

    test('a database from before the baseline keeps every row, and gets its version', async () => {
      await make(FORMER_MIGRATIONS);
      await database.exec(OWNERS);
      const rows = await database.rows(ALL_ROWS);
      const empty = rows.filter(({ rows }) => rows === null);
      assert.deepEqual(empty, []);
      const path = await database.rows('show search_path');
      for (const _ of ['once', 'again']) {
        await database.exec(TAKE_OVER);
        assert.deepEqual(await versions(database), [...OWN_VERSIONS, BASELINE.version]);
        assert.deepEqual(await database.rows(ALL_ROWS), rows);
      }
      assert.deepEqual(await database.rows('show search_path'), path);
      await apply(database, MIGRATIONS.slice(1));
      assert.deepEqual(await database.rows(ALL_ROWS), rows);
    });

    test('a database whose last migration is an older one is rejected, and stays as it is', async () => {
      await make(FORMER_MIGRATIONS.slice(0, -1));
      const before = await state();
      await rejects(OLDER);
      assert.deepEqual(await state(), before);
    });

    test('a database from before the first release is rejected', async () => {
      await database.exec('create schema private; create table private.offer_receipts ()');
      await apply(database, [{ version: '20261120000001', name: 'offers', sql: '' }]);
      await rejects(OLDER);
    });

    test('a database that is not as its migrations made it is rejected, with the first difference', async () => {
      await make(FORMER_MIGRATIONS);
      const before = await state();
      for (const [sql, difference] of CHANGES) {
        await rejects(
          `The database is not as the migrations made it: ${difference}. Nothing was changed. Undo that, then run this again.`,
          sql,
        );
      }
      assert.deepEqual(await state(), before);
      await database.exec(TAKE_OVER);
    });

    test('a new database stays as it is', async () => {
      await database.exec(TAKE_OVER);
      await apply(database, MIGRATIONS);
      await database.exec(TAKE_OVER);
      assert.deepEqual(
        await versions(database),
        MIGRATIONS.map(({ version }) => version),
      );
    });
  });
}

/** Runs migrations as the Supabase CLI does. */
async function apply(database: BareDatabase, chain: readonly Migration[]): Promise<void> {
  await database.exec(`
    create schema if not exists supabase_migrations;
    create table if not exists supabase_migrations.schema_migrations (version text primary key, name text);
  `);
  for (const { version, name, sql } of chain) {
    await database.exec(sql);
    await database.exec(`insert into supabase_migrations.schema_migrations values ('${version}', '${name}')`);
  }
}

async function versions(database: BareDatabase): Promise<unknown[]> {
  const rows = await database.rows(
    'select version from supabase_migrations.schema_migrations order by version',
  );
  return rows.map(({ version }) => version);
}
