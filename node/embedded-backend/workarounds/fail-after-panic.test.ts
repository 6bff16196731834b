import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { PGlite } from '@electric-sql/pglite';
import { copyBooted, KEYS } from '../booted-database.fixture.ts';
import { openFiles } from '../open-database.ts';

// PGlite sets the exit code, until it is closed.
after(() => {
  process.exitCode = 0;
});

for (const [severity, isPanic] of [
  ['ERROR', false],
  ['FATAL', true],
  ['PANIC', true],
] as const) {
  test(`${severity} ${isPanic ? 'is reported once, and PostgreSQL is called no more' : 'is no panic'}`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'panic-'));
    t.after(() => rmSync(folder, { recursive: true }));
    await copyBooted(join(folder, 'database'));
    const execute = PGlite.prototype.execProtocolStream;
    let reported: string | undefined;
    let calls = 0;
    t.mock.method(
      PGlite.prototype,
      'execProtocolStream',
      function (this: PGlite, ...args: Parameters<typeof execute>) {
        calls += 1;
        if (reported === undefined) return execute.apply(this, args);
        return Promise.reject(Object.assign(new Error('could not write'), { severity: reported }));
      },
    );
    const panics: string[] = [];
    const { sql, close } = await openFiles(join(folder, 'database'), KEYS, (one) => panics.push(one));
    reported = severity;
    await assert.rejects(sql.query('select 1'), /could not write/);
    reported = undefined;
    calls = 0;
    const next = sql.query('select 1 as one');
    if (isPanic) await assert.rejects(next, /could not write/);
    else assert.deepEqual((await next).rows, [{ one: 1 }]);
    await close();
    assert.deepEqual(panics, isPanic ? [severity] : []);
    assert.equal(calls === 0, isPanic);
  });
}
