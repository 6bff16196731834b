/** Updates from earlier versions, whose data folders make-release-fixture.ts made, to this one, and from the next one back to it. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import { PGlite } from '@electric-sql/pglite';
import { EXTENSIONS } from '../../node/embedded-backend/extensions.ts';
import { compileOnce } from '../../node/embedded-backend/workarounds/compile-once.ts';
import { DESCRIBE_SCHEMA } from '../../supabase/tests/describe-schema.ts';
import { newDataFolder } from '../support/booted-data-folder.ts';
import { makeOffer, readAllOffers } from '../support/calls.ts';
import { ADMIN, copyOfProject, startProduct } from '../support/product.ts';
import { RELEASE_OFFERS } from '../support/release-offers.ts';
import { assertOutput, newFolder, runTool, signInStatus } from '../support/terminal.ts';

const EARLIER_VERSIONS = globSync(join(import.meta.dirname, '*.tar.br'));
const EARLIEST = join(import.meta.dirname, 'before-0.2.0.tar.br');
const MANIFEST = JSON.parse(readFileSync('package.json', 'utf8')) as object;

const TABLES = [
  'public.offers',
  'private.admins',
  'private.idempotency_keys',
  'private.listings',
  'private.messages',
  'private.offer_messages',
  'private.offer_status_changes',
  'private.published_catalogue',
];
/** In tables that the earliest version left empty. */
const ROWS = `
  insert into private.offer_messages select id, 'Two lines' from public.offers limit 1;
  insert into private.messages (kind, offer_id, target) select 'offer', id, 'mailto:a@example.com' from public.offers limit 1;
  select public.publish_listings('[{"name": "lap.app", "price": "$1"}]', '{names.example}', false, 'de', 'b', now(),
    '{"replyWithin": "3 days"}')`;
const OFFER_IN_BETWEEN = `insert into public.offers (domain_name, offer_amount, customer_name, customer_email)
  values ('lap.app', '1', 'Between', 'between@example.com')`;

/** Otherwise each start would set the password anew. */
const NO_PASSWORD = { ADMIN_PASSWORD: '' };

/** Starts, backups and restores may take over 60 s on a loaded machine. */
const TIMEOUT_MS = 180_000;

compileOnce();

for (const earlier of EARLIER_VERSIONS) {
  test(
    `this version takes over the data folder of ${basename(earlier, '.tar.br')}, and so does a backup of it`,
    { timeout: TIMEOUT_MS },
    () => assertUpdates(earlier),
  );
}

test('an older version names the newer one that wrote its database, and goes on with the backup made before', {
  timeout: TIMEOUT_MS,
}, async () => {
  const dataDir = unpack(EARLIEST);
  const [files, next] = [newFolder(), copyOfProject()];
  const file = (name: string) => join(files, name);
  const run = (name: string, args: string[], project = '.') =>
    runTool(`node/commands/${name}.ts`, args, { DATA_DIR: dataDir, PORT: '0' }, project);
  try {
    writeFileSync(join(next.folder, 'package.json'), JSON.stringify({ ...MANIFEST, version: '9.8.7' }));
    writeFileSync(
      join(next.folder, 'supabase/migrations/29991231000000_next.sql'),
      'alter table public.offers add column phone text',
    );
    assertOutput(run('export', [file('before.json')]), 0, /^Wrote 3 offers /);
    await inDatabase(dataDir, (sql) => sql.exec(ROWS));
    assertOutput(run('backup', [file('before.backup')]), 0, /^Wrote /);
    const before = await inDatabase(dataDir, readRows);
    assert.deepEqual(
      Object.entries(before).filter(([, rows]) => rows.length === 0),
      [],
    );
    const keys = readFileSync(join(dataDir, 'secrets.json'));

    assertOutput(run('messages', ['status'], next.folder), 0, /^Sent: 0\. Queued: 1\./);
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
      /^Restored 3 offers .+\n1 message is held back/,
    );
    assert.deepEqual(await inDatabase(dataDir, readRows), before);
    assert.deepEqual(readFileSync(join(dataDir, 'secrets.json')), keys);
    assertOutput(run('export', [file('after.json')]), 0, /^Wrote 3 offers /);
  } finally {
    next.remove();
  }
});

async function assertUpdates(earlier: string): Promise<void> {
  const [dataDir, backups, restored] = [unpack(earlier), newFolder(), newFolder()];
  const offersBefore = await inDatabase(dataDir, readOffers);
  const untouched = newFolder();
  cpSync(dataDir, untouched, { recursive: true });

  // A backup by this version, before its first start here.
  assertOutput(
    runTool('node/commands/backup.ts', ['--keep', '1', backups], { DATA_DIR: untouched }),
    0,
    /^Wrote /,
  );
  const [, file = ''] = readdirSync(backups).sort();
  assertOutput(
    runTool('node/commands/restore.ts', [join(backups, file)], { DATA_DIR: restored }),
    0,
    /^Restored 3 offers to \S+\. Found no erasures to replay\./,
  );
  const newSchema = await readNewSchema();
  assert.ok(newSchema.length > 100);
  for (const folder of [dataDir, restored]) {
    await assertTakesOver(folder, newSchema);
    const offers = await inDatabase(folder, readOffers);
    assert.deepEqual(offers.slice(0, offersBefore.length), offersBefore);
  }
}

function unpack(fixture: string): string {
  const folder = newFolder();
  const input = brotliDecompressSync(readFileSync(fixture));
  assert.equal(spawnSync('tar', ['-x', '-C', folder], { input }).status, 0);
  return folder;
}

async function inDatabase<Result>(dataDir: string, use: (sql: PGlite) => Promise<Result>): Promise<Result> {
  const sql = await PGlite.create(join(dataDir, 'database'), { extensions: EXTENSIONS });
  try {
    return await use(sql);
  } finally {
    await sql.close();
  }
}

/** What every version stores of an offer. */
async function readOffers(sql: PGlite): Promise<unknown[]> {
  const { rows } = await sql.query(
    `select id, domain_name, offer_amount, customer_name, customer_email, created_at, status
     from public.offers order by created_at, id`,
  );
  return rows;
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
    assert.deepEqual(
      offers.map(({ id: _, created_at: __, held, ...texts }) => {
        assert.equal(held, false);
        return texts;
      }),
      RELEASE_OFFERS.toReversed(),
    );
    assert.equal(await signInStatus(product, ADMIN.password), 200);
    await makeOffer(product, { customer_name: 'After the update' });
    assert.equal((await readAllOffers(product)).length, RELEASE_OFFERS.length + 1);
  } finally {
    await product.stop();
  }
  const sql = await PGlite.create(join(dataDir, 'database'), { extensions: EXTENSIONS });
  try {
    const changes = await sql.query(
      `select o.customer_email as email, c.old_status as old, c.new_status as new, c.changed_by = a.user_id as "byAdmin"
       from private.offer_status_changes c join public.offers o on o.id = c.offer_id, private.admins a order by c.id`,
    );
    assert.deepEqual(
      changes.rows,
      RELEASE_OFFERS.filter(({ status }) => status !== 'pending').map((offer) => ({
        email: offer.customer_email,
        old: 'pending',
        new: offer.status,
        byAdmin: true,
      })),
    );
    assert.deepEqual(await describeSchema(sql), newSchema);
  } finally {
    await sql.close();
  }
}

/** What the migrations make, and which of them are applied. */
async function describeSchema(sql: PGlite): Promise<string[]> {
  const { rows } = await sql.query<{ line: string }>(
    `select * from (${DESCRIBE_SCHEMA}) as lines
     union all select concat_ws(' ', 'migration', version, name) from supabase_migrations.schema_migrations
     union all select 'schema ' || nspname from pg_namespace`,
  );
  return rows.map(({ line }) => line).sort();
}

/** Of a database that this version makes anew. */
async function readNewSchema(): Promise<string[]> {
  const folder = newDataFolder();
  const sql = await PGlite.create(join(folder, 'database'), { extensions: EXTENSIONS });
  try {
    return await describeSchema(sql);
  } finally {
    await sql.close();
    rmSync(folder, { recursive: true });
  }
}
