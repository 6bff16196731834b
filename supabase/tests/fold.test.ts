/** The statement that puts the baseline in the place of the migrations that it replaces, on both engines. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import pg from 'pg';
import { foldStatement } from '../../server/embedded/fold.ts';
import { migrations } from '../../server/embedded/migrate.ts';
import { BARE_ENGINES, type BareDatabase } from './bare-engines.ts';
import { HOSTED_BEGINNINGS, NO_POSTGRES, newPostgresDatabase } from './postgres.ts';

const [BASELINE = { version: '', name: '', sql: '' }, ...LATER] = migrations(
  join(import.meta.dirname, '../migrations'),
);
const FOLD = foldStatement([BASELINE, ...LATER]);
const REPLACED = ['20261207000001', '20261207000002', '20261207000003', '20261208000001', '20261208000002'];
/** Of the owner's own migrations, one between those and one above the baseline. */
const OWN = ['20250101000000', '20261207120000', '20991231000000'];

const READ_HISTORY =
  'select version, name, statements from supabase_migrations.schema_migrations order by version';

/** Versions of a history that is rejected, and what the error says of them. */
const REJECTED: [versions: string[], words: string][] = [
  [REPLACED.slice(0, -1), 'has 4 of the 5 migrations'],
  [[...REPLACED.slice(1), ...OWN], 'has 4 of the 5 migrations'],
  [REPLACED.slice(0, 1), 'has 1 of the 5 migrations'],
  [['20261201000001', '20261206000003'], 'has none of the 5 migrations'],
  [[], 'has none of the 5 migrations'],
  [OWN, 'has none of the 5 migrations'],
];
const WAYS = { some: 'b911ff25 with it', none: '73fa65f3 with it, then that of commit b911ff25 with it' };

/** Rows of a history. Each has two statements, the last one none. */
function record(versions: readonly string[]): string {
  const rows = versions.map(
    (version, at) =>
      `('${version}', ${at + 1 === REPLACED.length ? 'null' : `'{${version} a,${version} b}'`}, 'its name')`,
  );
  return rows.length === 0
    ? ''
    : `insert into supabase_migrations.schema_migrations (version, statements, name) values ${rows.join(', ')};`;
}

for (const choice of BARE_ENGINES) {
  describe(`folding, on ${choice.name}`, { skip: choice.missing }, () => {
    let database: BareDatabase;
    before(async () => {
      database = await choice.open();
      await database.exec(HOSTED_BEGINNINGS + BASELINE.sql);
    });
    after(() => database.close());
    // What a test does is undone.
    beforeEach(() => database.exec('begin'));
    afterEach(() => database.exec('rollback'));

    const versions = async () => (await database.rows(READ_HISTORY)).map(({ version }) => version);
    async function rejects(message: string): Promise<void> {
      await database.exec('savepoint before');
      await assert.rejects(database.exec(FOLD), { message });
      await database.exec('rollback to before');
    }

    test('the baseline takes the place of all that it replaces, with their statements, and own versions stay', async () => {
      await database.exec(record([...REPLACED, ...OWN]));
      const before = (await database.rows(READ_HISTORY)).filter(({ version }) =>
        OWN.includes(String(version)),
      );
      for (const _ of ['once', 'again']) {
        await database.exec(FOLD);
        const rows = await database.rows(READ_HISTORY);
        assert.deepEqual(
          rows.filter(({ version }) => version !== BASELINE.version),
          before,
        );
        assert.deepEqual(
          rows.find(({ version }) => version === BASELINE.version),
          {
            version: BASELINE.version,
            name: 'baseline',
            statements: REPLACED.slice(0, -1).flatMap((version) => [`${version} a`, `${version} b`]),
          },
        );
      }
    });

    for (const [recorded, words] of REJECTED) {
      test(`a history with ${recorded.join(', ') || 'nothing'} is rejected unchanged, with the way`, async () => {
        await database.exec(record(recorded));
        const before = await database.rows(READ_HISTORY);
        await rejects(
          `The database is of an older version: it ${words} that ${BASELINE.version} replaces. Nothing was changed. ` +
            `First use the version of commit ${words.includes('none') ? WAYS.none : WAYS.some}.`,
        );
        assert.deepEqual(await database.rows(READ_HISTORY), before);
      });
    }

    test('tables without a history, and those from before the first release, are rejected', async () => {
      await database.exec('drop table supabase_migrations.schema_migrations');
      await rejects(
        `The database is of an older version: it has none of the 5 migrations that ${BASELINE.version} replaces. ` +
          `Nothing was changed. First use the version of commit ${WAYS.none}.`,
      );
      await database.exec(
        'alter table private.admins rename to accounts; create table private.offer_receipts ()',
      );
      await database.exec('savepoint before');
      await assert.rejects(database.exec(FOLD), /has none of the 5 migrations/);
      await database.exec('rollback to before');
    });

    test('a database with the baseline, and one without our tables, stay as they are', async () => {
      const recorded = [BASELINE.version, ...OWN, ...REPLACED.slice(0, 1)].sort();
      await database.exec(record(recorded));
      await database.exec(FOLD);
      assert.deepEqual(await versions(), recorded);
      await database.exec('alter schema private rename to other');
      await database.exec(`delete from supabase_migrations.schema_migrations; ${record(OWN)}`);
      await database.exec(FOLD);
      assert.deepEqual(await versions(), OWN);
      await database.exec('drop schema supabase_migrations cascade');
      await database.exec(FOLD);
    });
  });
}

test('of two at once the second one waits for the first, and finds the baseline', {
  skip: NO_POSTGRES,
}, async () => {
  const connection = await newPostgresDatabase();
  const clients = [new pg.Client(connection), new pg.Client(connection), new pg.Client(connection)] as const;
  const [first, second, observer] = clients;
  for (const client of clients) await client.connect();
  try {
    await observer.query(record(REPLACED));
    await first.query('begin');
    await first.query(FOLD);
    const folding = second.query(FOLD);
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    while ((await observer.query(waiting)).rowCount !== 1);
    await first.query('commit');
    await folding;
    const { rows } = await observer.query(READ_HISTORY);
    assert.deepEqual(
      rows.map(({ version }) => version),
      [BASELINE.version],
    );
  } finally {
    for (const client of clients) await client.end();
  }
});

test('the baseline is the first migration, above all that it replaces', () => {
  assert.ok(LATER.every(({ version }) => version > BASELINE.version));
  assert.ok(FOLD.includes(`'{${REPLACED.join(', ')}}'`));
  assert.ok(REPLACED.every((version) => version < BASELINE.version));
});
