/** The schema files and the migrations, which make the same database. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { migrations } from '../../server/embedded/migrate.ts';
import { differingObjects, readSchemas } from '../../server/embedded/schema-files.ts';
import { BARE_ENGINES, type BareDatabase, describeAfter, openEmbedded } from './bare-engines.ts';
import type { Row } from './engines.ts';
import { HOSTED_BEGINNINGS } from './postgres.ts';

const SUPABASE = join(import.meta.dirname, '..');
const MIGRATIONS = migrations(join(SUPABASE, 'migrations')).map(({ sql }) => sql);

const SCHEMAS = readSchemas().map(({ sql }) => sql);

/** A change, and the objects that differ by it. */
const CHANGES: [sql: string, ...objects: string[]][] = [
  ['create table private.other ()', 'table private.other'],
  ['alter table public.offers add column other integer', 'column public.offers.other'],
  [
    'alter table private.offer_messages alter message type varchar',
    'column private.offer_messages.message',
    'constraint private.offer_messages.offer_messages_message_check',
    'index private.offer_messages_by_text',
  ],
  ["alter table public.offers alter customer_name set default ''", 'column public.offers.customer_name'],
  ['alter table public.offers alter customer_name drop not null', 'column public.offers.customer_name'],
  [
    'alter table public.offers drop constraint offers_status_check, add constraint offers_status_check check (true)',
    'constraint public.offers.offers_status_check',
  ],
  ['drop index public.offers_held', 'index public.offers_held'],
  ['alter index public.offers_by_text reset (gin_pending_list_limit)', 'index public.offers_by_text'],
  [
    'create function private.other() returns integer language sql as $$ select 1 $$',
    'function private.other()',
  ],
  [
    "create or replace function private.reply_within() returns interval language sql stable set search_path = '' as $$ select interval '1 day' $$",
    'function private.reply_within()',
  ],
  ['alter function private.reply_within() volatile', 'function private.reply_within()'],
  ['alter function private.reply_within() security definer', 'function private.reply_within()'],
  ['alter function private.reply_within() reset search_path', 'function private.reply_within()'],
  ['grant execute on function private.reply_within() to anon', 'function private.reply_within()'],
  ['drop trigger only_the_status_changes on public.offers', 'trigger public.offers.only_the_status_changes'],
  [
    'alter table public.offers disable trigger only_the_status_changes',
    'trigger public.offers.only_the_status_changes',
  ],
  [
    'alter policy "administrators read every offer" on public.offers using (true)',
    'policy public.offers.administrators read every offer',
  ],
  [
    'alter policy "administrators read every offer" on public.offers to public',
    'policy public.offers.administrators read every offer',
  ],
  ['alter table private.admins disable row level security', 'table private.admins'],
  ['alter table private.admins force row level security', 'table private.admins'],
  ['alter view private.regular_offers reset (security_invoker)', 'table private.regular_offers'],
  ['grant select on private.admins to service_role', 'table private.admins'],
  ['grant select (id) on public.offers to anon', 'column public.offers.id'],
  ['grant select (id) on private.regular_offers to anon', 'column private.regular_offers.id'],
  ['grant usage on sequence private.erasures_id_seq to anon', 'table private.erasures_id_seq'],
  ['grant usage on schema private to anon', 'schema private'],
  ['alter default privileges grant execute on functions to public', 'default privileges of functions'],
  [
    'alter default privileges in schema public grant select on tables to anon',
    'default privileges of tables',
  ],
  [
    'alter default privileges in schema private grant select on tables to authenticated',
    'default privileges of tables',
  ],
];

for (const choice of BARE_ENGINES) {
  test(`migrations and schema files make the same database: ${choice.name}`, {
    skip: choice.missing,
  }, async () => {
    const database = await choice.open();
    try {
      const migrated = await describeAfter(database, [HOSTED_BEGINNINGS, ...MIGRATIONS]);
      assert.ok(migrated.length > 300);
      const declared = await describeAfter(database, [HOSTED_BEGINNINGS, ...SCHEMAS]);
      assert.deepEqual(differingObjects(migrated, declared), []);
      const [rows, other] = [await rowsAfter(database, MIGRATIONS), await rowsAfter(database, SCHEMAS)];
      assert.ok(rows.some(({ rows }) => String(rows).includes('<single>')));
      assert.deepEqual(rows, other);
    } finally {
      await database.close();
    }
  });
}

/** The rows of each table after the statements, which are undone. A fold takes those of the schema files alone. */
async function rowsAfter(database: BareDatabase, statements: readonly string[]): Promise<Row[]> {
  await database.exec('begin');
  for (const sql of [HOSTED_BEGINNINGS, ...statements]) await database.exec(sql);
  const rows = await database.rows(`
    select tablename, query_to_xml(format('table %I.%I', schemaname, tablename), false, false, '')::text as rows
    from pg_tables where schemaname in ('public', 'private') order by 1`);
  await database.exec('rollback');
  return rows;
}

test('the last migration raises the number of the schema', async () => {
  const database = await openEmbedded();
  try {
    const before = await describeAfter(database, [HOSTED_BEGINNINGS, ...MIGRATIONS.slice(0, -1)]);
    const after = await describeAfter(database, [HOSTED_BEGINNINGS, ...MIGRATIONS]);
    const changed = differingObjects(before, after);
    assert.ok(
      changed.length === 0 || changed.includes('function public.schema_version()'),
      'Raise the number in supabase/schemas/dashboard.sql and SCHEMA_VERSION, then write the migration again.',
    );
  } finally {
    await database.close();
  }
});

test('the comparison names what differs', async () => {
  const database = await openEmbedded();
  try {
    for (const sql of [HOSTED_BEGINNINGS, ...SCHEMAS]) await database.exec(sql);
    const before = await describeAfter(database, []);
    for (const [sql, ...objects] of CHANGES) {
      assert.deepEqual(differingObjects(before, await describeAfter(database, [sql])), objects, sql);
    }
  } finally {
    await database.close();
  }
});

test('no file of SQL changes the text of a function that stands elsewhere', () => {
  const files = globSync('**/*.sql', { cwd: SUPABASE });
  assert.ok(files.length > 10);
  const found = files.filter((file) =>
    readFileSync(join(SUPABASE, file), 'utf8').includes('pg_get_functiondef'),
  );
  assert.deepEqual(found, []);
});
