import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PGlite } from '@electric-sql/pglite';
import { openBooted } from '../booted-database.fixture.ts';

test('a panic of PostgreSQL ends the process, and an error does not', async (t) => {
  const execute = PGlite.prototype.execProtocolStream;
  let severity: string | undefined;
  t.mock.method(
    PGlite.prototype,
    'execProtocolStream',
    function (this: PGlite, ...args: Parameters<typeof execute>) {
      if (severity) return Promise.reject(Object.assign(new Error('could not write'), { severity }));
      return execute.apply(this, args);
    },
  );
  const exit = t.mock.method(process, 'exit', () => {});
  const { sql, close } = await openBooted();
  for (const [reported, ends] of [
    ['ERROR', false],
    ['FATAL', true],
    ['PANIC', true],
  ] as const) {
    severity = reported;
    await sql.query('select 1').catch(() => {});
    severity = undefined;
    const codes = new Set(exit.mock.calls.map((call) => (call.arguments as unknown[])[0]));
    assert.deepEqual([...codes], ends ? [1] : [], reported);
    exit.mock.resetCalls();
  }
  await close();
});
