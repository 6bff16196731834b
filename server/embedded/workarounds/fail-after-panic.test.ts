import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { PGlite } from '@electric-sql/pglite';
import { copyBooted, KEYS } from '../booted-database.fixture.ts';
import { openFiles } from '../open-database.ts';
import { failAfterPanic } from './fail-after-panic.ts';

// PGlite sets the exit code, until it is closed.
after(() => {
  process.exitCode = 0;
});

const errorOf = (severity: string) => Object.assign(new Error('could not write'), { severity });

for (const [severity, isPanic] of [
  ['ERROR', false],
  ['FATAL', true],
  ['PANIC', true],
] as const) {
  test(`${severity} ${isPanic ? 'is a panic, and PostgreSQL is called no more' : 'is no panic'}`, async () => {
    let calls = 0;
    const execProtocolStream = async () => {
      calls += 1;
      throw errorOf(severity);
    };
    const sql = { execProtocolStream } as unknown as PGlite;
    const panics: string[] = [];
    const hasPanicked = failAfterPanic(sql, (one) => panics.push(one));
    for (let call = 0; call < 2; call += 1) {
      await assert.rejects(sql.execProtocolStream(new Uint8Array()), /could not write/);
    }
    assert.deepEqual([hasPanicked(), calls, panics], [isPanic, isPanic ? 1 : 2, isPanic ? [severity] : []]);
  });
}

test('a panic of an open database is reported once, and PostgreSQL is called no more, to close it neither', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'panic-'));
  t.after(() => rmSync(folder, { recursive: true }));
  await copyBooted(join(folder, 'database'));
  const execute = PGlite.prototype.execProtocolStream;
  let panics = false;
  let calls = 0;
  t.mock.method(
    PGlite.prototype,
    'execProtocolStream',
    function (this: PGlite, ...args: Parameters<typeof execute>) {
      calls += 1;
      return panics ? Promise.reject(errorOf('PANIC')) : execute.apply(this, args);
    },
  );
  const reported: string[] = [];
  const { sql, close } = await openFiles(join(folder, 'database'), KEYS, (one) => reported.push(one));
  panics = true;
  await assert.rejects(sql.query('select 1'), /could not write/);
  panics = false;
  calls = 0;
  await assert.rejects(sql.query('select 1'), /could not write/);
  await close();
  assert.deepEqual([calls, reported], [0, ['PANIC']]);
});
