/** A restore drill: this version on a data folder that an earlier release made (make-release-fixture.ts). */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import { PGlite } from '@electric-sql/pglite';
import { EXTENSIONS } from '../../node/embedded-backend/extensions.ts';
import { DESCRIBE_SCHEMA } from '../../supabase/tests/describe-schema.ts';
import { newDataFolder } from '../support/booted-data-folder.ts';
import { makeOffer, readAllOffers } from '../support/calls.ts';
import { ADMIN, startProduct } from '../support/product.ts';
import { RELEASE_OFFERS } from '../support/release-offers.ts';
import { assertOutput, newFolder, runTool, signInStatus } from '../support/terminal.ts';

const RELEASE = join(import.meta.dirname, 'release-0.2.0.tar.br');
/** Otherwise each start would set the password anew. */
const NO_PASSWORD = { ADMIN_PASSWORD: '' };

test('this version takes over the data folder of 0.2.0, and so does a backup of it', async () => {
  const [dataDir, backups, restored] = [newFolder(), newFolder(), newFolder()];
  const { status } = spawnSync('tar', ['-x', '-C', dataDir], {
    input: brotliDecompressSync(readFileSync(RELEASE)),
  });
  assert.equal(status, 0);
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
  for (const folder of [dataDir, restored]) await assertTakesOver(folder, newSchema);
});

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
