import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { PGlite } from '@electric-sql/pglite';
import { copyBooted } from './booted-database.fixture.ts';
import { assertRightResults, checkRegularly } from './self-check.ts';
import { limitParameters } from './workarounds/limit-parameters.ts';

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
  return await PGlite.create(path);
}

const manyParameters = (count: number): [string, number[]] => [
  `select cardinality(array[${Array.from({ length: count }, (_, at) => `$${at + 1}::integer`)}])`,
  Array<number>(count).fill(1),
];

test('a statement with more parameters than PGlite can count is rejected, and the next one is right', async () => {
  limitParameters(sql);
  await assert.rejects(sql.query(...manyParameters(32_768)), { code: 'PT413' });
  await assertRightResults(sql);
});

test('the self-check reports wrong results after a statement that puts PGlite 0.4.5 out of step', async () => {
  await assertRightResults(sql);
  const broken = await openPGlite();
  await broken.query(...manyParameters(34_000));
  await assert.rejects(assertRightResults(broken), /a statement returned a wrong result/);
  const reason = await new Promise<string>((resolve) => {
    checkRegularly(broken, resolve, { interval: 10 });
  });
  assert.equal(reason, 'a statement returned a wrong result');
});

test('the self-check reports a check that does not end, except while the connection is busy', async (t) => {
  const reasons: string[] = [];
  t.mock.method(sql, 'query', () => new Promise(() => {}));
  const check = checkRegularly(sql, (reason) => reasons.push(reason), { interval: 10, timeout: 50 });
  await check.pauseDuring(async () => {
    await pause(200);
    assert.deepEqual(reasons, []);
  });
  await pause(200);
  assert.deepEqual(reasons, ['a statement took longer than 50 ms']);
});

test('the self-check reports a failed check by its code alone', async (t) => {
  t.mock.method(sql, 'query', () =>
    Promise.reject(Object.assign(new Error('ada@example.com'), { code: '25P02' })),
  );
  const reason = await new Promise<string>((resolve) => {
    checkRegularly(sql, resolve, { interval: 10 });
  });
  assert.equal(reason, '25P02');
});
