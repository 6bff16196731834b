/** Data folders of the last commit before the baseline of the migrations. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, cpSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { PGlite } from '@electric-sql/pglite';
import { EXPECTED_ACCESS } from '../../commands/hosted/outside-check/expected-access.ts';
import { assertKept, type Rows, readAllRows } from '../../tests/support/all-rows.ts';
import { unpackDataFolder, usedRows } from '../../tests/support/b911ff25.ts';
import { KEYS } from './booted-database.fixture.ts';
import { takeDataFolder } from './data-folder.ts';
import { EXTENSIONS } from './extensions.ts';
import { migrations } from './migrate.ts';
import { BRIEF_START_PARAMETERS, openDatabase, openFiles } from './open-database.ts';
import { DESCRIBE_SCHEMA, differingObjects, type SchemaObject } from './schema-files.ts';

const CHAIN = migrations(join(import.meta.dirname, '../../supabase/migrations'));
const VERSIONS = CHAIN.map(({ version }) => version);
const BASELINE = CHAIN.slice(0, 1);
const REPLACED = ['20261207000001', '20261207000002', '20261207000003', '20261208000001', '20261208000002'];
/** Of a start that is killed, and of each that follows, in milliseconds. */
const KILLS_TIMEOUT_MS = 300_000;
/** Of its writes to the database's files, at so many it is killed: each costs an opening of the database. */
const MAX_WRITES = 6;

const root = mkdtempSync(join(tmpdir(), 'fold-'));
after(() => rmSync(root, { recursive: true, force: true }));

/** Copies of the data folder as kills would leave it, named by the number of the step. */
const SNAPSHOTS = join(root, 'snapshots');

/** As the commit left it, and its content. */
const folder = join(root, 'b911ff25');
let rows: Rows;
before(async () => {
  unpackDataFolder(folder);
  const content = await contentOf(folder);
  assert.deepEqual(content.versions, REPLACED);
  rows = usedRows(content.rows);
});

test('a data folder keeps every row and its session, and has the baseline in place of the migrations', async () => {
  const dataDir = copy('folded');
  for (const _ of ['first start', 'second start']) {
    const database = await openFiles(join(dataDir, 'database'), KEYS, undefined, BASELINE);
    try {
      const content = await readContent(database.sql);
      assert.deepEqual(content.versions, VERSIONS.slice(0, 1));
      assertKept(rows, content.rows);
    } finally {
      await database.close();
    }
  }
  const database = await openFiles(join(dataDir, 'database'), KEYS);
  try {
    assert.deepEqual((await readContent(database.sql)).versions, VERSIONS);
    const access = await database.sql.query('select public.read_access() as lines');
    assert.deepEqual(access.rows, [{ lines: EXPECTED_ACCESS }]);
  } finally {
    await database.close();
  }
});

test('a start that was killed at any step of it lost no row, and the next one ends with the same schema', {
  timeout: KILLS_TIMEOUT_MS,
}, async () => {
  const { steps } = await start(copy('whole'));
  // From the first change of the write-ahead log up to the checkpoint of the end; then what that changes last.
  const call = (line: string) => line.split(' ')[1];
  const first = steps.findIndex((line) => line.includes('database/pg_wal/'));
  const last = steps.findLastIndex((line) => call(line) === 'writeFileSync');
  const writes = steps.flatMap((line, at) =>
    at > first && at < last && call(line) === 'writeSync' ? [at + 1] : [],
  );
  assert.ok(writes.length > MAX_WRITES, steps.join('\n'));
  // The first one and the end, and between them others for each seed.
  const offset = (Number(process.env.TEST_SEED ?? 0) % 7) / 7;
  const between = Array.from(
    { length: MAX_WRITES },
    (_, at) => writes[Math.floor(((at + offset) * writes.length) / MAX_WRITES)] ?? 0,
  );
  const kills = [...new Set([writes[0] ?? 0, ...between, steps.length])];
  await start(copy('copied'), 0, kills);
  const found: boolean[] = [];
  for (const step of kills) {
    const left = await contentOf(join(SNAPSHOTS, String(step)));
    const isFolded = left.versions.includes(BASELINE[0]?.version ?? '');
    if (!isFolded) assert.deepEqual(left.versions, REPLACED, String(step));
    assertKept(rows, left.rows);
    found.push(isFolded);
    rmSync(join(SNAPSHOTS, String(step)), { recursive: true });
  }
  // Kills came before the commit and after it.
  assert.equal(new Set(found).size, 2);
  // Two kills of processes, the first one before the commit, on the same folder.
  const dataDir = copy('killed');
  for (const step of [kills[0], kills[found.indexOf(true)]]) {
    assert.equal((await start(dataDir, step)).signal, 'SIGKILL');
  }
  await start(dataDir);
  const content = await contentOf(dataDir);
  assert.deepEqual(content.versions, VERSIONS);
  assertKept(rows, content.rows);
  const { schema } = await contentOf(join(root, 'whole'));
  assert.ok(schema.some(({ object }) => object === 'table auth.sessions'));
  assert.deepEqual(differingObjects(content.schema, schema), []);
});

test('of two starts at once one folds, and the other one waits for it or is rejected', async () => {
  const dataDir = copy('two');
  const ends = await Promise.all([start(dataDir), start(dataDir)]);
  const failed = ends.filter(({ status }) => status !== 0);
  assert.ok(failed.length < 2);
  for (const { errors } of failed) assert.match(errors, /is in use by another process/);
  const content = await contentOf(dataDir);
  assert.deepEqual(content.versions, VERSIONS);
  assertKept(rows, content.rows);
});

test('a data folder with some or none of the migrations is rejected with the way, and stays as it is', async () => {
  for (const [removed, way] of [
    [REPLACED.slice(-1), 'it has 4 of the 5 .* First use the version of commit b911ff25 with it'],
    [REPLACED, 'it has none of the 5 .* commit 73fa65f3 with it, then that of commit b911ff25 with it'],
  ] as const) {
    const dataDir = copy(`without-${removed.length}`);
    const older = await contentOf(
      dataDir,
      `delete from supabase_migrations.schema_migrations where version = any ('{${removed}}')`,
    );
    const taken = await takeDataFolder(dataDir);
    await assert.rejects(openDatabase(taken, KEYS), {
      name: 'UserError',
      message: new RegExp(
        `^The database is of an older version: ${way}\\. To use one, check it out, install and start it: docs/hosting\\.md#update-and-back\\.$`,
      ),
    });
    taken.release();
    assert.deepEqual(await contentOf(dataDir), older);
  }
});

function copy(name: string): string {
  const dataDir = join(root, name);
  cpSync(folder, dataDir, { recursive: true });
  return dataDir;
}

/**
 * Starts on a data folder.
 * @param killedAt the number of the step at which it is killed; 0: at none
 * @param copied the steps at which it is copied as a kill would leave it
 */
async function start(dataDir: string, killedAt = 0, copied: readonly number[] = [0]) {
  // Files and not pipes, which make a synchronous write fail (EAGAIN) while they are full.
  const [output, errors] = ['steps', 'errors'].map((name) =>
    join(mkdtempSync(join(root, 'output-')), `${name}.txt`),
  ) as [string, string];
  const files = [output, errors].map((file) => openSync(file, 'w'));
  const args = [
    join(import.meta.dirname, 'first-boot.fixture.ts'),
    dataDir,
    SNAPSHOTS,
    String(killedAt),
    copied.join(),
  ];
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    stdio: ['ignore', ...files],
  });
  for (const file of files) closeSync(file);
  const [status, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  return {
    steps: readFileSync(output, 'utf8').match(/^\d+ .*$/gm) ?? [],
    errors: readFileSync(errors, 'utf8'),
    status,
    signal,
  };
}

/** @param sql a change before it */
async function contentOf(dataDir: string, sql = '') {
  const database = await PGlite.create(join(dataDir, 'database'), {
    extensions: EXTENSIONS,
    startParams: BRIEF_START_PARAMETERS,
  });
  try {
    await database.exec(sql);
    return await readContent(database);
  } finally {
    await database.close();
  }
}

async function readContent(database: PGlite) {
  const versions = await database.query<{ version: string }>(
    'select version from supabase_migrations.schema_migrations order by version',
  );
  const schema = await database.transaction(async (tx) => {
    await tx.exec("set local search_path = ''");
    return (await tx.query<SchemaObject>(`${DESCRIBE_SCHEMA} order by object, definition`)).rows;
  });
  return {
    rows: await readAllRows(database),
    versions: versions.rows.map(({ version }) => version),
    schema,
  };
}
