import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeAfter, openEmbedded } from '../../supabase/tests/bare-engines.ts';
import { HOSTED_BEGINNINGS } from '../../supabase/tests/postgres.ts';
import { differingObjects, readSchemas, writeMigration } from './schema-files.ts';

const TABLE = 'create table private.own (id integer primary key)';
const COLUMN = "phone text not null default ''";

test('a written migration leads to the schema, once a person has written what concerns rows', async () => {
  const database = await openEmbedded();
  try {
    const schemas = readSchemas();
    const next = schemas.map((file) => ({
      ...file,
      sql: file.sql
        .replace('  minimum_currency text,\n', `  minimum_currency text,\n  ${COLUMN},\n`)
        .replace('create table private.erased_offers', `${TABLE};\ncreate table private.erased_offers`)
        .replace("interval '24 hours'", "interval '1 day'")
        .replaceAll('reject_removal()', 'reject_any_removal()')
        .replace(
          /(?<=release_hits\(limits jsonb, counted_at timestamptz )default now\(\)/,
          "default '2000-01-01'",
        )
        .replace(
          'count_offers(timestamptz, uuid) to service_role',
          'count_offers(timestamptz, uuid) to authenticated, service_role',
        ),
    }));
    const run = (files: typeof schemas) => [HOSTED_BEGINNINGS, ...files.map(({ sql }) => sql)];
    const before = await describeAfter(database, run(schemas));
    const after = await describeAfter(database, run(next));
    assert.deepEqual(writeMigration(before, before, schemas), { sql: '', byHand: [] });
    const unread = schemas.map((file) => ({ ...file, sql: file.sql.replaceAll('\nas $$', ' as $$') }));
    const { byHand: unfound } = writeMigration(before, after, unread);
    assert.ok(unfound.some((object) => object.startsWith('function private.reject_any_removal(')));

    const { sql, byHand } = writeMigration(before, after, next);
    const triggers = [
      'private.deals.deals_are_not_deleted',
      'private.deals.ended_deals_are_not_changed',
      'private.offer_moves.moves_are_not_changed',
      'private.offer_moves.moves_are_not_deleted',
      'public.offers.offers_are_not_deleted',
      'public.offers.offers_are_not_truncated',
    ];
    assert.deepEqual(byHand, [
      'column private.listings.phone',
      'table private.own',
      ...triggers.map((trigger) => `trigger ${trigger}`),
    ]);
    await assert.rejects(describeAfter(database, [...run(schemas), sql]), {
      message: 'column private.listings.phone is not migrated yet',
    });
    await database.exec('rollback');

    const places = /^-- Replace: (.+\n)do .+\n/gm;
    assert.equal(sql.match(places)?.length, byHand.length);
    const byPerson = [
      `alter table private.listings add column ${COLUMN}; ${TABLE};`,
      ...triggers.map((trigger) => {
        const [, table, name] = /^(.+)\.(.+)$/.exec(trigger) ?? [];
        return `drop trigger ${name} on ${table};`;
      }),
    ];
    const functionsAndTriggers = next.flatMap(
      ({ sql }) => sql.match(/^create trigger \w+ [^;]+reject_any_removal\(\);/gm) ?? [],
    );
    const written = `${byPerson.join('\n')}\n${sql.replace(places, '')}\n${functionsAndTriggers.join('\n')}`;
    const migrated = await describeAfter(database, [...run(schemas), written]);
    assert.deepEqual(differingObjects(migrated, after), []);
  } finally {
    await database.close();
  }
});
