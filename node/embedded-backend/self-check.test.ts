import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { PGlite } from '@electric-sql/pglite';
import { copyBooted } from './booted-database.fixture.ts';
import { assertRightResults, endOnWrongResults } from './self-check.ts';
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

test('the self-check ends the process after a statement that puts PGlite 0.4.5 out of step', async (t) => {
  await assertRightResults(sql);
  const broken = await openPGlite();
  await broken.query(...manyParameters(34_000));
  await assert.rejects(assertRightResults(broken), /a statement returned a wrong result/);
  assert.deepEqual(await reasonsOfTheEnd(t, broken), ['a statement returned a wrong result']);
});

test('the self-check lets the process go on when results are right', async (t) => {
  assert.deepEqual(await reasonsOfTheEnd(t, sql), []);
});

test('the self-check reports a failed check by its code alone', async (t) => {
  t.mock.method(sql, 'query', () =>
    Promise.reject(Object.assign(new Error('ada@example.com'), { code: '25P02' })),
  );
  assert.deepEqual(await reasonsOfTheEnd(t, sql), ['25P02']);
});

/** The reason that is logged when the self-check ends the process. */
async function reasonsOfTheEnd(t: TestContext, checked: PGlite): Promise<unknown[]> {
  const exit = t.mock.method(process, 'exit', () => {});
  const write = t.mock.method(process.stderr, 'write', () => true);
  await endOnWrongResults(checked);
  write.mock.restore();
  const lines = write.mock.calls.map((call) => JSON.parse(String(call.arguments[0])));
  assert.deepEqual(
    exit.mock.calls.map((call) => (call.arguments as unknown[])[0]),
    lines.map(() => 1),
  );
  return lines.map(({ event, reason }) => event === 'database_out_of_step' && reason);
}
