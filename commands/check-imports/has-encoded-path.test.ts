import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasEncodedPath } from './has-encoded-path.ts';

test('a module’s URL is no path until it is decoded', () => {
  for (const code of [
    "const folder = new URL('../migrations', import.meta.url).pathname;",
    "readFile(new URL('a.sql', import.meta.url))",
    "import.meta.url.replace('file://', '')",
    "createRequire(import.meta.url)('a'); new URL(import.meta.url).pathname",
    "import.meta.resolve('a').slice(7)",
  ])
    assert.equal(hasEncodedPath(code), true, code);
  for (const code of [
    "join(import.meta.dirname, '../migrations')",
    'createRequire(import.meta.url)',
    "fileURLToPath(new URL('a.ts', import.meta.url))",
    "dirname(fileURLToPath(import.meta.resolve('a')))",
    "new Worker(\n  new URL('./solve.ts', import.meta.url),\n)",
    'import.meta.env.MODE',
  ])
    assert.equal(hasEncodedPath(code), false, code);
});
