/** Databases from before the first release. To be removed with what takes them over, supabase/before-release.sql. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { EXTENSIONS } from '../../node/embedded-backend/extensions.ts';
import { type Migration, migrations } from '../../node/embedded-backend/migrate.ts';
import { DESCRIBE_SCHEMA } from './describe-schema.ts';
import { FORMER_MIGRATIONS } from './former-migrations.ts';
import { HOSTED_BEGINNINGS, NO_POSTGRES, startPostgres } from './postgres.ts';

const LATTER = migrations(join(import.meta.dirname, '../migrations'));
/** Those that replaced the former ones; others were added since. */
const FIRST = LATTER.filter(({ version }) => version <= '20261201000010');
const BEFORE_RELEASE = readFileSync(join(import.meta.dirname, '../before-release.sql'), 'utf8');

/** Columns of later migrations. */
const ADDED_COLUMNS = ['low', 'minimum', 'minimum_currency', 'move_number'];

interface Bare {
  /** Runs statements, as the owner. */
  exec(sql: string): Promise<void>;
  rows(sql: string): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

/** Engines with what is there before the first migration. */
const BARE = [
  { name: 'embedded (PGlite)', missing: false as const, open: openEmbedded },
  { name: 'PostgreSQL', missing: NO_POSTGRES, open: openServer },
];

for (const choice of BARE) {
  describe(`before the first release, on ${choice.name}`, { skip: choice.missing }, () => {
    test('such a database keeps every row, and gets the schema of a new one', async () => {
      const [taken, made] = [await choice.open(), await choice.open()];
      try {
        await apply(taken, FORMER_MIGRATIONS);
        await taken.exec(ROWS);
        const rows = await rowsOf(taken, 'idempotency_keys', 'offer_receipts');
        assert.deepEqual(
          rows.filter(({ rows }) => rows.length === 0),
          [],
        );
        // As the hint of `supabase db push`, `supabase migration repair`, leaves some or all of them.
        await taken.exec("delete from supabase_migrations.schema_migrations where version < '20261125'");
        // A deployment is interrupted and runs again; an offer comes in between.
        await taken.exec(BEFORE_RELEASE);
        await apply(taken, FIRST.slice(0, -1));
        await taken.exec(OFFER_IN_BETWEEN);
        await taken.exec(BEFORE_RELEASE);
        await apply(taken, LATTER.slice(FIRST.length - 1));
        await apply(made, LATTER);
        const after = await rowsOf(taken);
        const isInBetween = (row: object) => JSON.stringify(row).includes('between');
        assert.deepEqual(
          after.map(({ table, rows }) => ({ table, rows: rows.filter((row) => !isInBetween(row)) })),
          rows,
        );
        assert.equal(after.flatMap(({ rows }) => rows).filter(isInBetween).length, 3);
        await taken.exec(BEFORE_RELEASE);
        assert.deepEqual(await rowsOf(taken), after);

        assert.deepEqual(await allLinesOf(taken), await allLinesOf(made));
        // Numbers go on after those of deleted rows.
        const [next] = await taken.rows(
          'insert into private.erasures (offers) values (1) returning id::integer',
        );
        assert.deepEqual(next, { id: 3 });
      } finally {
        await taken.close();
        await made.close();
      }
    });

    test('a database of an early version gets what it lacks', async () => {
      const database = await choice.open();
      try {
        await apply(
          database,
          FORMER_MIGRATIONS.filter(({ version }) => version < '20261124'),
        );
        await database.exec(BEFORE_RELEASE);
        await apply(database, LATTER);
        await database.exec(OFFER_IN_BETWEEN);
        const [delivery] = await database.rows(
          'select jsonb_array_length(public.acquire_messages(9, 9)) as count',
        );
        assert.deepEqual(delivery, { count: 1 });
      } finally {
        await database.close();
      }
    });

    test('a new database, and one with migrations of the owner, stay as they are', async () => {
      const database = await choice.open();
      try {
        await database.exec(BEFORE_RELEASE);
        await apply(database, LATTER);
        await database.exec(
          "insert into supabase_migrations.schema_migrations values ('20250101000000', 'own')",
        );
        const lines = await allLinesOf(database);
        await database.exec(BEFORE_RELEASE);
        assert.deepEqual(await allLinesOf(database), lines);
      } finally {
        await database.close();
      }
    });
  });
}

/** A row in every table. */
const ROWS = `
  insert into auth.users (id, email) values ('00000000-0000-4000-8000-00000000000a', 'owner@example.com');
  insert into private.admins (user_id) select id from auth.users;
  select public.open_admin_session(user_id, 'session', 12, 120) from private.admins;
  select public.publish_listings('[{"name": "lap.app", "price": "$1"}]', '{names.example}', false, 'de', 'b', now(),
    '{"replyWithin": "3 days"}');
  select public.submit_offer('{"domain_name": "lap.app", "offer_amount": "1 €", "customer_name": "Ada",
    "customer_email": "ada@example.com", "message": "two\\nlines", "locale": "fr"}'::jsonb || jsonb_build_object(
    'customer_email', token || '@example.com'), token, 'x', '{}', '[]', false,
    '[{"kind": "offer", "target": "mailto:owner@example.com"}]') from unnest(array['a', 'b', 'c']) as token;
  update public.offers set status = 'accepted' where customer_email = 'a@example.com';
  update private.messages set dismissed_at = now(), reason = 'No.' where id = 1;
  update private.message_state set paused_before = now(), sent = 7;
  select public.erase_customer('c@example.com');
  insert into private.erasures (offers) values (2);
  delete from private.erasures where offers = 2;
  create or replace function private.has_second_factor() returns boolean
  language sql stable set search_path = ''
  as $$ select coalesce(auth.jwt() ->> 'aal' = 'aal2', false); $$;
`;

const OFFER_IN_BETWEEN = `
  select public.submit_offer('{"domain_name": "lap.app", "offer_amount": "1 €", "customer_name": "Ada",
    "customer_email": "between@example.com"}', 'between', 'x', '{}', '[]', false,
    '[{"kind": "offer", "target": "mailto:between@example.com"}]');
`;

const TABLES = [
  'private.admin_sessions',
  'private.admins',
  'private.erased_offers',
  'private.erasures',
  'private.idempotency_keys',
  'private.listings',
  'private.message_state',
  'private.messages',
  'private.offer_messages',
  'private.offer_status_changes',
  'private.published_catalogue',
  'public.offers',
];

async function rowsOf(database: Bare, latter = '', former = '') {
  const tables = TABLES.map((table) => ({ table, name: table.replace(latter, former) }));
  return await Promise.all(
    tables.map(async ({ table, name }) => ({
      table,
      rows: await database.rows(
        `select to_jsonb(t) - '{${ADDED_COLUMNS}}'::text[] as row from ${name} t order by to_jsonb(t)::text`,
      ),
    })),
  );
}

async function allLinesOf(database: Bare): Promise<string[]> {
  const rows = await database.rows(
    `select * from (${DESCRIBE_SCHEMA}) as lines
     union all select 'schema ' || nspname from pg_namespace where nspname not like 'pg_%'`,
  );
  return rows.map(({ line }) => String(line)).sort();
}

/** Runs migrations as the Supabase CLI does. */
async function apply(database: Bare, chain: readonly Migration[]): Promise<void> {
  await database.exec(`
    create schema if not exists supabase_migrations;
    create table if not exists supabase_migrations.schema_migrations (version text primary key, name text);
  `);
  for (const { version, name, sql } of chain) {
    await database.exec(sql);
    await database.exec(`insert into supabase_migrations.schema_migrations values ('${version}', '${name}')`);
  }
}

async function openEmbedded(): Promise<Bare> {
  const database = await PGlite.create({ extensions: EXTENSIONS });
  await database.exec(HOSTED_BEGINNINGS);
  return {
    exec: async (sql) => void (await database.exec(sql)),
    rows: async (sql) => (await database.query<Record<string, unknown>>(sql)).rows,
    close: () => database.close(),
  };
}

async function openServer(): Promise<Bare> {
  const server = startPostgres();
  const pool = new pg.Pool({ host: server.socket, user: 'postgres', database: 'postgres', max: 1 });
  await pool.query(HOSTED_BEGINNINGS);
  return {
    exec: async (sql) => void (await pool.query(sql)),
    rows: async (sql) => (await pool.query<Record<string, unknown>>(sql)).rows,
    close: async () => {
      await pool.end();
      server.stop();
    },
  };
}
