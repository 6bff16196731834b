import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { copyBooted, KEYS } from './booted-database.fixture.ts';
import { noteErasure, readErasures } from './erasures.ts';
import { openFiles } from './open-database.ts';
import { replayErasures } from './replay-erasures.ts';

const folder = mkdtempSync(join(tmpdir(), 'replay-'));
const place = join(folder, 'database');
after(() => rmSync(folder, { recursive: true }));

test('a replay deletes what erase deletes, and keeps customers who came back after their erasure', async () => {
  await copyBooted(place);
  const { sql, ...database } = await openFiles(place, KEYS);
  const offers = [
    ['Gone@Example.com', '2026-05-01'],
    ['gone@example.com', '2026-05-02'],
    ['back@example.com', '2026-07-01'],
    ['ÄRA@example.com', '2026-05-01'],
    ['stays@example.com', '2026-05-01'],
  ] as const;
  for (const [email, at] of offers) {
    await sql.query(
      `with made as (
         insert into public.offers (domain_name, offer_amount, customer_name, customer_email, created_at)
         values ('lap.app', '$1', 'Ada', $1, $2) returning id
       )
       insert into private.offer_messages (offer_id, message) select id, 'from ' || $1 from made`,
      [email, at],
    );
  }
  for (const email of ['gone@example.com', 'back@example.com', 'nobody@example.com', 'ära@EXAMPLE.com']) {
    await noteErasure(folder, email, new Date('2026-06-01T00:00:00Z'));
  }
  await sql.exec('set default_statistics_target = 1000; analyze public.offers; checkpoint');
  assert.deepEqual(texts().sort(), [
    'Gone@Example.com',
    'back@example.com',
    'stays@example.com',
    'ÄRA@example.com',
  ]);

  const erasures = readErasures(folder) ?? [];
  assert.equal(await replayErasures(sql, erasures, place), 3);
  assert.equal(await replayErasures(sql, erasures, place), 0);
  assert.equal(await replayErasures(sql, [], place), 0);
  const { rows } = await sql.query('select customer_email as email from public.offers order by 1');
  assert.deepEqual(rows, [{ email: 'back@example.com' }, { email: 'stays@example.com' }]);
  assert.deepEqual((await sql.query('select 1 from private.offer_messages')).rows.length, 2);
  // Of a single offer.
  await noteErasure(folder, 'back@example.com', new Date('2026-08-01T00:00:00Z'));
  assert.equal(await replayErasures(sql, readErasures(folder) ?? [], place), 1);
  await database.close();
  assert.deepEqual(texts(), ['stays@example.com']);

  /** Those of the emails that any file of the database holds. */
  function texts(): string[] {
    const copy = mkdtempSync(join(folder, 'copy-'));
    cpSync(place, copy, { recursive: true });
    const files = readdirSync(copy, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
    const bytes = Buffer.concat(files.map((file) => readFileSync(join(file.parentPath, file.name))));
    rmSync(copy, { recursive: true });
    return ['Gone@Example.com', 'back@example.com', 'stays@example.com', 'ÄRA@example.com'].filter((email) =>
      bytes.includes(email),
    );
  }
});
