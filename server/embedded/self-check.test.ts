import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { PGlite } from '@electric-sql/pglite';
import { copyBooted } from './booted-database.fixture.ts';
import { BRIEF_START_PARAMETERS } from './open-database.ts';
import { assertRightResults } from './self-check.ts';

const root = mkdtempSync(join(tmpdir(), 'self-check-'));

let sql: PGlite;
before(async () => {
  sql = await openPGlite();
});
after(async () => {
  await sql.close();
  rmSync(root, { recursive: true });
});

/** PGlite as it is, without our workarounds. */
async function openPGlite(): Promise<PGlite> {
  const path = join(mkdtempSync(join(root, 'files-')), 'database');
  await copyBooted(path);
  return await PGlite.create(path, { startParams: BRIEF_START_PARAMETERS });
}

const manyParameters = (count: number): [string, number[]] => [
  `select cardinality(array[${Array.from({ length: count }, (_, at) => `$${at + 1}::integer`)}])`,
  Array<number>(count).fill(1),
];

test('the self-check notices a statement that puts PGlite 0.4.5 out of step', async () => {
  await assertRightResults(sql);
  const broken = await openPGlite();
  await broken.query(...manyParameters(34_000));
  await assert.rejects(assertRightResults(broken), /a statement returned a wrong result/);
});
