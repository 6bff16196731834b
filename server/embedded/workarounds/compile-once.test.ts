/** Code that V8's quick compiler rejects would end the database when it is called. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { NODE } from '../../../tests/support/terminal.ts';
import { COMPILE_ONCE } from './compile-once.ts';

const folder = dirname(fileURLToPath(import.meta.resolve('@electric-sql/pglite')));
const extension = ['-xzOf', join(folder, 'pg_trgm.tar.gz'), 'lib/postgresql/pg_trgm.so'];

for (const [what, read] of Object.entries({
  PGlite: () => readFileSync(join(folder, 'pglite.wasm')),
  pg_trgm: () => spawnSync('tar', extension).stdout,
})) {
  test(`V8’s quick compiler takes every function of ${what}`, () => {
    const { status, stderr } = spawnSync(
      NODE,
      [...COMPILE_ONCE, '--no-wasm-lazy-compilation', '--eval', 'new WebAssembly.Module(fs.readFileSync(0))'],
      { input: read(), encoding: 'utf8' },
    );
    assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
  });
}
