/**
 * Where the functions find their packages on a hosted project. Embedded they come from node_modules, whatever the map
 * says; there the map is all there is, and knows of a package only what it names.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const { imports } = readJson('supabase/functions/deno.json') as { imports: Record<string, string> };

test('every package that the functions import is in their map, to its very path', () => {
  const sources = globSync('supabase/functions/**/*.ts').filter((file) => !file.endsWith('.test.ts'));
  const imported = new Set(
    sources
      .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/\bfrom '([^'.][^']*)'/g)])
      .flatMap(([, name = '']) => (name.startsWith('node:') ? [] : [name])),
  );
  assert.ok(imported.size > 3, 'none found: is this test looking in the right place?');
  const known = (name: string) =>
    Object.keys(imports).some((key) => (key.endsWith('/') ? name.startsWith(key) : name === key));
  assert.deepEqual(
    [...imported].filter((name) => !known(name)),
    [],
  );
});

test('the map names the versions that the embedded functions run with', () => {
  const { dependencies } = readJson('package.json') as { dependencies: Record<string, string> };
  for (const [key, target] of Object.entries(imports)) {
    const name = key.replace(/\/$/, '');
    const expected = key.endsWith('/')
      ? `npm:/${name}@${dependencies[name]}/`
      : `npm:${name}@${dependencies[name]}`;
    assert.equal(target, expected);
  }
});

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}
