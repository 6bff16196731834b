/** Updates from the version before the baseline of the migrations to this one, and from the next one back to it. */
import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { PGlite } from '@electric-sql/pglite';
import { EXTENSIONS } from '../../server/embedded/extensions.ts';
import { DESCRIBE_SCHEMA } from '../../server/embedded/take-over.ts';
import { compileOnce } from '../../server/embedded/workarounds/compile-once.ts';
import { newDataFolder } from '../support/booted-data-folder.ts';
import { makeOffer, readAllOffers } from '../support/calls.ts';
import { unpackFormerDataFolder, writeFormerBackup } from '../support/former-data.ts';
import { ADMIN, copyOfProject, startProduct } from '../support/product.ts';
import { assertOutput, newFolder, runTool, signInStatus } from '../support/terminal.ts';

const MANIFEST = JSON.parse(readFileSync('package.json', 'utf8')) as object;

const TABLES = [
  'public.offers',
  'private.admins',
  'private.idempotency_keys',
  'private.listings',
  'private.messages',
  'private.offer_links',
  'private.offer_messages',
  'private.offer_moves',
  'private.offer_status_changes',
  'private.published_catalogue',
];
const OFFER_IN_BETWEEN = `insert into public.offers (domain_name, offer_amount, customer_name, customer_email)
  values ('lap.app', '1', 'Between', 'between@example.com')`;

/** Otherwise each start would set the password anew. */
const NO_PASSWORD = { ADMIN_PASSWORD: '' };

compileOnce();

test('this version takes over a data folder and a backup of the version before', async () => {
  const [dataDir, files, restored, untouched] = [newFormerFolder(), newFolder(), newFolder(), newFolder()];
  const before = await inDatabase(dataDir, readRows);
  assert.deepEqual(
    Object.entries(before).filter(([, rows]) => rows.length === 0),
    [],
  );
  cpSync(dataDir, untouched, { recursive: true });
  // A backup by this version, before its first start here.
  const backup = runTool('commands/backup.ts', ['--keep', '1', files], { DATA_DIR: untouched });
  assertOutput(backup, 0, /^Wrote /);
  assert.deepEqual(await inDatabase(untouched, readRows), before);

  const file = writeFormerBackup(join(files, 'former.backup'));
  const restore = runTool('commands/restore.ts', [file], { DATA_DIR: restored });
  assert.match(restore.text, /^Restored 6 offers to \S+\. Found no erasures to replay\./);
  assert.deepEqual(await inDatabase(restored, readRows), before);

  const newSchema = await readNewSchema();
  assert.ok(newSchema.length > 100);
  for (const folder of [dataDir, restored]) {
    // Sealed by no key.
    await inDatabase(folder, (sql) => sql.exec('delete from private.admin_factors'));
    await assertTakesOver(folder, newSchema);
    const { 'public.offers': offers } = await inDatabase(folder, readRows);
    assert.deepEqual(
      offers?.filter((offer) => !JSON.stringify(offer).includes('After the update')),
      before['public.offers'],
    );
  }
});

test('a backup of an older version is rejected, and nothing is restored', async () => {
  const [files, dataDir] = [newFolder(), newFolder()];
  const older = await inDatabase(newFormerFolder(), async (sql) => {
    await sql.exec("delete from supabase_migrations.schema_migrations where version = '20261206000003'");
    return await sql.dumpDataDir('gzip');
  });
  const file = join(files, 'older.backup');
  writeFileSync(file, await older.bytes());
  const { code, text } = runTool('commands/restore.ts', [file], { DATA_DIR: dataDir });
  assert.equal(code, 1);
  assert.match(
    text,
    /^The database of \S+older\.backup is of an older version, .* with the commit [0-9a-f]{8} of this product first\.$/,
  );
  assert.equal(readdirSync(dataDir).includes('database'), false);
});

test('an older version names the newer one that wrote its database, and goes on with the backup made before', async () => {
  const dataDir = newFormerFolder();
  const [files, next] = [newFolder(), copyOfProject()];
  const file = (name: string) => join(files, name);
  const run = (name: string, args: string[], project = '.') =>
    runTool(`commands/${name}.ts`, args, { DATA_DIR: dataDir, PORT: '0' }, project);
  try {
    writeFileSync(join(next.folder, 'package.json'), JSON.stringify({ ...MANIFEST, version: '9.8.7' }));
    writeFileSync(
      join(next.folder, 'supabase/migrations/29991231000000_next.sql'),
      'alter table public.offers add column phone text',
    );
    assertOutput(run('export', [file('before.json')]), 0, /^Wrote 6 offers /);
    assertOutput(run('backup', [file('before.backup')]), 0, /^Wrote /);
    const before = await inDatabase(dataDir, readRows);
    const keys = readFileSync(join(dataDir, 'secrets.json'));

    assertOutput(run('messages', ['status'], next.folder), 0, /^Sent: 2\. Queued: \d+\./);
    await inDatabase(dataDir, (sql) => sql.exec(OFFER_IN_BETWEEN));
    const { code, text } = run('start', []);
    assert.equal(code, 1);
    assert.match(
      text,
      /^The database was written by version 9\.8\.7 of this product \(migration 29991231000000\), and this is version [\d.]+\. .* npm run restore -- FILE/m,
    );

    renameSync(join(dataDir, 'database'), join(dataDir, 'newer'));
    assert.match(
      run('restore', [file('before.backup')]).text,
      /^Restored 6 offers .+\n\d+ messages are held back/,
    );
    assert.deepEqual(await inDatabase(dataDir, readRows), before);
    assert.deepEqual(readFileSync(join(dataDir, 'secrets.json')), keys);
    assertOutput(run('export', [file('after.json')]), 0, /^Wrote 6 offers /);
  } finally {
    next.remove();
  }
});

function newFormerFolder(): string {
  return unpackFormerDataFolder(join(newFolder(), 'data'));
}

async function inDatabase<Result>(dataDir: string, use: (sql: PGlite) => Promise<Result>): Promise<Result> {
  const sql = await PGlite.create(join(dataDir, 'database'), { extensions: EXTENSIONS });
  try {
    return await use(sql);
  } finally {
    await sql.close();
  }
}

/** Rows of offers, messages, history and settings. */
async function readRows(sql: PGlite): Promise<Record<string, unknown[]>> {
  const read = async (table: string) => {
    const { rows } = await sql.query(`select to_jsonb(t) as row from ${table} t order by to_jsonb(t)::text`);
    return [table, rows] as const;
  };
  return Object.fromEntries(await Promise.all(TABLES.map(read)));
}

async function assertTakesOver(dataDir: string, newSchema: string[]): Promise<void> {
  const product = await startProduct({ dataDir, env: NO_PASSWORD });
  try {
    const offers = await readAllOffers(product);
    assert.equal(await signInStatus(product, ADMIN.password), 200);
    await makeOffer(product, { customer_name: 'After the update' });
    assert.equal((await readAllOffers(product)).length, offers.length + 1);
  } finally {
    await product.stop();
  }
  assert.deepEqual(await inDatabase(dataDir, describeSchema), newSchema);
}

/** What the migrations make, and which of them are applied. */
async function describeSchema(sql: PGlite): Promise<string[]> {
  await sql.exec("set search_path = ''");
  const { rows } = await sql.query<{ line: string }>(
    `select concat_ws(' ', object, definition) as line from (${DESCRIBE_SCHEMA}) as objects
     union all select concat_ws(' ', 'migration', version, name) from supabase_migrations.schema_migrations
     union all select 'schema ' || nspname from pg_namespace`,
  );
  return rows.map(({ line }) => line).sort();
}

/** Of a database that this version makes anew. */
async function readNewSchema(): Promise<string[]> {
  const folder = newDataFolder();
  try {
    return await inDatabase(folder, describeSchema);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
