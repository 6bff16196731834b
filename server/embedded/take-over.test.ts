/** Data folders from before the baseline of the migrations. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, cpSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { PGlite } from '@electric-sql/pglite';
import { EXPECTED_ACCESS } from '../../commands/hosted/outside-check/expected-access.ts';
import {
  assertTransferred,
  TRANSFERRED_KINDS,
  transferAccounts,
  transferRows,
} from '../../commands/hosted/transfer-rows.ts';
import { ALL_ROWS } from '../../supabase/tests/former-database.ts';
import { unpackFormerDataFolder } from '../../tests/support/former-data.ts';
import { startHostedStandIn } from '../../tests/support/hosted-stand-in.ts';
import { openHosted } from '../backend-client/project.ts';
import { serveDatabase } from './booted-database.fixture.ts';
import { takeDataFolder } from './data-folder.ts';
import { EXTENSIONS } from './extensions.ts';
import { migrations } from './migrate.ts';
import { openDatabase } from './open-database.ts';
import { projectOf } from './with-project.ts';

const VERSIONS = migrations(join(import.meta.dirname, '../../supabase/migrations')).map(
  ({ version }) => version,
);
const KILLS = 10;

/** As lite leaves a folder where the process is killed before the grants are restored. */
const LITES_GRANTS = `
  grant all on all tables in schema public, private to anon, authenticated, service_role;
  grant usage on schema private to anon, authenticated, service_role;
  alter default privileges in schema public grant all on tables to anon, authenticated, service_role;
`;
/** As the versions that served the data API by lite stored the grants. */
const STORED_GRANTS = `
  create table embedded.granted as
    select 'pg_class'::regclass as catalogue, oid as object, relacl as acl from pg_class
      where relnamespace in (select oid from pg_namespace where nspname in ('public', 'private', 'auth'))
    union all
    select 'pg_namespace'::regclass, oid, nspacl from pg_namespace where nspname in ('public', 'private', 'auth')
    union all
    select 'pg_proc'::regclass, oid, proacl from pg_proc
      where pronamespace in (select oid from pg_namespace where nspname in ('public', 'private'));
`;

const root = mkdtempSync(join(tmpdir(), 'take-over-'));
after(() => rmSync(root, { recursive: true, force: true }));

/** Copies of the data folder as kills would leave it, named by the number of the step. */
const SNAPSHOTS = join(root, 'snapshots');

/** As the commit before left it, and its content. */
const former = join(root, 'former');
let rows: unknown;
before(async () => {
  unpackFormerDataFolder(former);
  rows = (await contentOf(former)).rows;
});

test('a data folder is taken over with every row, which transfer to a hosted project', async () => {
  const dataDir = copy('moved');
  await contentOf(dataDir, LITES_GRANTS);
  const folder = await takeDataFolder(dataDir);
  const database = await openDatabase(folder, { ...folder.secrets, publishableKey: 'sb_publishable_t' });
  const [served, standIn] = [await serveDatabase(database), await startHostedStandIn()];
  try {
    assert.deepEqual(await readContent(database.sql), { rows, versions: VERSIONS });
    const access = await database.sql.query('select public.read_access() as lines');
    assert.deepEqual(access.rows, [{ lines: EXPECTED_ACCESS }]);
    const [source, project] = [projectOf(served.control), openHosted(standIn)];
    const { ids } = await transferAccounts(source, project);
    const counts = [];
    for (const kind of TRANSFERRED_KINDS) counts.push(await transferRows(kind, source, project, ids));
    assertTransferred(counts);
    assert.deepEqual(
      counts.map(({ there, erased }) => [there, erased]),
      [1, 6, 6, 6, 10, 1, 18, 2, 2].map((there) => [there, 0]),
    );
  } finally {
    await standIn.stop();
    await served.close();
    await database.close();
    folder.release();
  }
});

test('a start that was killed while it took a data folder over lost no row, and the next one succeeds', {
  timeout: 300_000,
}, async () => {
  const { steps } = start(copy('whole'));
  assert.ok(steps > 200, String(steps));
  const kills = Array.from({ length: KILLS }, (_, at) => Math.round((steps * (at + 1)) / (KILLS + 1)));
  start(copy('copied'), 0, kills);
  const found: boolean[] = [];
  for (const step of kills) {
    const left = await contentOf(join(SNAPSHOTS, String(step)));
    assert.deepEqual(left.rows, rows, String(step));
    const isTakenOver = left.versions.includes(VERSIONS[0] ?? '');
    if (!isTakenOver) assert.equal(left.versions.length, 17);
    found.push(isTakenOver);
  }
  // Kills came before the commit and after it.
  assert.equal(new Set(found).size, 2);
  // Two kills of processes before the commit, one after the other, on the same folder.
  const dataDir = copy('killed');
  for (const step of [kills[found.indexOf(true) - 1], kills[0]]) {
    assert.deepEqual(start(dataDir, step), { steps: step, signal: 'SIGKILL' });
  }
  start(dataDir);
  assert.deepEqual(await contentOf(dataDir), { rows, versions: VERSIONS });
});

test('an older data folder is rejected, and stays as it is', async () => {
  const dataDir = copy('older');
  const remove = "delete from supabase_migrations.schema_migrations where version = '20261206000003'";
  const older = await contentOf(dataDir, remove);
  const folder = await takeDataFolder(dataDir);
  await assert.rejects(openDatabase(folder, { ...folder.secrets, publishableKey: 'sb_publishable_t' }), {
    name: 'UserError',
    message: /^The database is of an older version, which this one does not take over\. /,
  });
  folder.release();
  assert.deepEqual(await contentOf(dataDir), older);
});

test('a folder in which lite left its grants, by a process that was killed, has the migrations’ from the next start on', async () => {
  const dataDir = copy('granted');
  const open = async (act: (sql: PGlite) => Promise<unknown>) => {
    const folder = await takeDataFolder(dataDir);
    const keys = { ...folder.secrets, publishableKey: 'sb_publishable_t' };
    const database = await openDatabase(folder, keys);
    try {
      return await act(database.sql);
    } finally {
      await database.close();
      folder.release();
    }
  };
  const accessOf = async (sql: PGlite) =>
    (await sql.query<{ lines: string[] }>('select public.read_access() as lines')).rows[0]?.lines;
  // Taken over by the version before this one, which stored the grants as they were made.
  await open((sql) => sql.exec(STORED_GRANTS + LITES_GRANTS));
  assert.deepEqual(await open(accessOf), EXPECTED_ACCESS);
  // Once: the grants of later migrations stay.
  await open((sql) => sql.exec('grant select on private.admins to service_role'));
  assert.ok(((await open(accessOf)) as string[]).includes('service_role: SELECT on private.admins'));
});

function copy(name: string): string {
  const dataDir = join(root, name);
  cpSync(former, dataDir, { recursive: true });
  return dataDir;
}

/**
 * Starts on a data folder.
 * @param killedAt the number of the step at which it is killed; 0: at none
 * @param copied the steps at which it is copied as a kill would leave it
 */
function start(dataDir: string, killedAt = 0, copied: readonly number[] = []) {
  const program = join(import.meta.dirname, 'first-boot.fixture.ts');
  // A file and not a pipe, which makes a synchronous write fail (EAGAIN) while it is full.
  const printed = join(root, 'steps.txt');
  const stdout = openSync(printed, 'w');
  const { status, signal } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', program, dataDir, SNAPSHOTS, String(killedAt), copied.join()],
    { stdio: ['ignore', stdout, 'inherit'] },
  );
  closeSync(stdout);
  assert.ok(status === 0 || signal, `status ${status}`);
  return { steps: readFileSync(printed, 'utf8').match(/^\d+ /gm)?.length ?? 0, signal };
}

/** @param sql a change before it */
async function contentOf(dataDir: string, sql = '') {
  const database = await PGlite.create(join(dataDir, 'database'), { extensions: EXTENSIONS });
  try {
    await database.exec(sql);
    return await readContent(database);
  } finally {
    await database.close();
  }
}

async function readContent(database: PGlite) {
  const { rows } = await database.query(ALL_ROWS);
  const versions = await database.query<{ version: string }>(
    'select version from supabase_migrations.schema_migrations order by version',
  );
  return { rows, versions: versions.rows.map(({ version }) => version) };
}
