/**
 * The packages of the functions on a hosted project, which come from the map in deno.json alone. Embedded they come from
 * node_modules, whatever the map says.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const { imports } = readJson('supabase/functions/deno.json') as { imports: Record<string, string> };

test('every import path of the functions is in their import map', () => {
  const sources = globSync('supabase/functions/**/*.ts').filter(
    (file) => !/\.(?:test|fixture)\.ts$|\/fake-/.test(file),
  );
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

test('the import map names the versions of the embedded functions', () => {
  const { packages } = readJson('package-lock.json') as { packages: Record<string, { version: string }> };
  for (const [key, target] of Object.entries(imports)) {
    const name = key.replace(/\/$/, '');
    const version = packages[`node_modules/${name}`]?.version;
    assert.match(version ?? '', /^\d+\.\d+\.\d+$/, name);
    assert.equal(target, key.endsWith('/') ? `npm:/${name}@${version}/` : `npm:${name}@${version}`);
  }
});

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}
