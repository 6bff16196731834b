/** Updates from the commit before the baseline of the migrations to this version, and from the next one back to it. */
import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { PGlite } from '@electric-sql/pglite';
import { TOTP } from 'otpauth';
import { run as backup } from '../../commands/backup.ts';
import { run as exportOffers } from '../../commands/export.ts';
import { run as restore } from '../../commands/restore.ts';
import type { Run } from '../../process/command.ts';
import { EXTENSIONS } from '../../server/embedded/extensions.ts';
import { DESCRIBE_SCHEMA } from '../../server/embedded/schema-files.ts';
import { assertKept, type Rows, readAllRows } from '../support/all-rows.ts';
import { FACTOR, REFRESH_TOKEN, unpackDataFolder, usedRows, writeBackup } from '../support/b911ff25.ts';
import { newDataFolder } from '../support/booted-data-folder.ts';
import { callFunction, makeOffer, readAllOffers, refreshStatus, seedOffers } from '../support/calls.ts';
import { ADMIN, copyOfProject, type Product, startProduct } from '../support/product.ts';
import { runCommand } from '../support/run-command.ts';
import { assertOutput, newFolder, runTool, signInStatus, type ToolResult } from '../support/terminal.ts';

const MANIFEST = JSON.parse(readFileSync('package.json', 'utf8')) as object;

/** Tables of which a restore changes no row. */
const TABLES = [
  'public.offers',
  'private.admins',
  'private.erasures',
  'private.erased_offers',
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
const QUEUED_MESSAGES = `insert into private.messages (kind, offer_id, target)
  select 'offer', id, 'mailto:owner@example.com' from public.offers`;

/** Each opens a dozen databases, which takes 25 s of a processor. */
const OPENINGS_TIMEOUT_MS = 180_000;

/** Otherwise each start would set the password anew. */
const NO_PASSWORD = { ADMIN_PASSWORD: '' };

test('this version goes on with a data folder and a backup of the commit before', {
  timeout: OPENINGS_TIMEOUT_MS,
}, async () => {
  const [dataDir, files, restored, untouched] = [oldFolder(), newFolder(), newFolder(), newFolder()];
  const before = usedRows(await inDatabase(dataDir, readAllRows));
  assert.deepEqual(
    TABLES.filter((table) => before[table]?.length === 0),
    [],
  );
  cpSync(dataDir, untouched, { recursive: true });
  // A backup by this version, before its first start here.
  assertOutput(await run(backup, ['--keep', '1', files], untouched), 0, /^Wrote /);
  assertKept(before, await inDatabase(untouched, readAllRows));

  const file = writeBackup(join(files, 'old.backup'));
  const { text } = await run(restore, [file], restored);
  assert.match(text, /^Restored 5 offers to \S+\. Found no erasures to replay\./);
  await inDatabase(restored, async (sql) => {
    assertKept(before, await readAllRows(sql), TABLES);
    // Sealed by a key that the new folder lacks.
    await sql.exec('delete from private.admin_factors');
  });

  const newSchema = await readNewSchema();
  assert.ok(newSchema.length > 100);
  await assertGoesOn(dataDir, before, newSchema, async (product) => {
    assert.equal(await refreshStatus(product, REFRESH_TOKEN), 200);
    const code = new TOTP({ secret: FACTOR }).generate();
    assert.equal((await callFunction(product, 'admin-auth', { ...ADMIN, code })).status, 200);
  });
  await assertGoesOn(restored, before, newSchema, async (product) => {
    assert.equal(await refreshStatus(product, REFRESH_TOKEN), 400);
    assert.equal(await signInStatus(product, ADMIN.password), 200);
  });
});

test('a backup with some or none of the migrations before is rejected as an older one, and nothing is restored', async () => {
  for (const [sql, way] of [
    [
      "delete from supabase_migrations.schema_migrations where version = '20261208000002'",
      'b911ff25 with it',
    ],
    [
      'truncate supabase_migrations.schema_migrations',
      '73fa65f3 with it, then that of commit b911ff25 with it',
    ],
  ] as const) {
    const [files, dataDir] = [newFolder(), newFolder()];
    const older = await inDatabase(oldFolder(), async (database) => {
      await database.exec(sql);
      return await database.dumpDataDir('gzip');
    });
    const file = join(files, 'older.backup');
    writeFileSync(file, await older.bytes());
    const { code, text } = await run(restore, [file], dataDir);
    assert.equal(code, 1);
    assert.match(
      text,
      new RegExp(
        `^The database of \\S+older\\.backup is of an older version: .* First use the version of commit ${way}\\. ` +
          'To use one, restore this with it, start it, and make the backup again\\.$',
      ),
    );
    assert.equal(readdirSync(dataDir).includes('database'), false);
  }
});

test('an older version names the newer one that wrote its database, and goes on with the backup made before', {
  timeout: OPENINGS_TIMEOUT_MS,
}, async () => {
  const dataDir = newDataFolder();
  const [files, next] = [newFolder(), copyOfProject()];
  const file = (name: string) => join(files, name);
  const runProcess = (name: string, args: string[], project = '.') =>
    runTool(`commands/${name}.ts`, args, { DATA_DIR: dataDir, PORT: '0' }, project);
  try {
    writeFileSync(join(next.folder, 'package.json'), JSON.stringify({ ...MANIFEST, version: '9.8.7' }));
    writeFileSync(
      join(next.folder, 'supabase/migrations/29991231000000_next.sql'),
      'alter table public.offers add column phone text',
    );
    await seedOffers({ dataDir }, 6);
    const before = await inDatabase(dataDir, async (sql) => {
      await sql.exec(QUEUED_MESSAGES);
      return await readAllRows(sql);
    });
    assertOutput(await run(exportOffers, [file('before.json')], dataDir), 0, /^Wrote 6 offers /);
    assertOutput(await run(backup, [file('before.backup')], dataDir), 0, /^Wrote /);
    const keys = readFileSync(join(dataDir, 'secrets.json'));

    // By the code and the migrations of that project.
    assertOutput(runProcess('messages', ['status'], next.folder), 0, /^Sent: 0\. Queued: 6\./);
    await inDatabase(dataDir, (sql) => sql.exec(OFFER_IN_BETWEEN));
    const { code, text } = runProcess('start', []);
    assert.equal(code, 1);
    assert.match(
      text,
      /^The database was written by version 9\.8\.7 of this product \(migration 29991231000000\), and this is version [\d.]+\. .* npm run restore -- FILE/m,
    );

    renameSync(join(dataDir, 'database'), join(dataDir, 'newer'));
    const restored = await run(restore, [file('before.backup')], dataDir);
    assert.match(restored.text, /^Restored 6 offers .+\n6 messages are held back/);
    assertKept(before, await inDatabase(dataDir, readAllRows), TABLES);
    assert.deepEqual(readFileSync(join(dataDir, 'secrets.json')), keys);
    assertOutput(await run(exportOffers, [file('after.json')], dataDir), 0, /^Wrote 6 offers /);
  } finally {
    next.remove();
    rmSync(dataDir, { recursive: true });
  }
});

function run(command: Run, args: string[], dataDir: string): Promise<ToolResult> {
  return runCommand(command, args, { env: { DATA_DIR: dataDir } });
}

function oldFolder(): string {
  return unpackDataFolder(join(newFolder(), 'data'));
}

async function inDatabase<Result>(dataDir: string, use: (sql: PGlite) => Promise<Result>): Promise<Result> {
  const sql = await PGlite.create(join(dataDir, 'database'), { extensions: EXTENSIONS });
  try {
    return await use(sql);
  } finally {
    await sql.close();
  }
}

/** @param signsIn what is checked of the administrator */
async function assertGoesOn(
  dataDir: string,
  before: Rows,
  newSchema: string[],
  signsIn: (product: Product) => Promise<void>,
): Promise<void> {
  const product = await startProduct({ dataDir, env: NO_PASSWORD });
  try {
    await signsIn(product);
    await makeOffer(product, { customer_name: 'After the update' });
    assert.equal((await readAllOffers(product)).length, (before['public.offers']?.length ?? 0) + 1);
  } finally {
    await product.stop();
  }
  const [after, schema] = await inDatabase(
    dataDir,
    async (sql) => [await readAllRows(sql), await describeSchema(sql)] as const,
  );
  // A start makes queued messages due.
  const messages = (before['private.messages'] ?? []).map(({ id, offer_id, target }) => ({
    id,
    offer_id,
    target,
  }));
  assertKept({ ...before, 'private.messages': messages }, after, TABLES);
  assert.deepEqual(schema, newSchema);
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
