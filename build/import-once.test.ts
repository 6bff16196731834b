import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { importingOnce } from './import-once.ts';

test('a page’s module is imported once, when it is first asked for', async () => {
  const list = 'const _page0 = () => import("data:text/javascript,export const page = {}");\nreturn _page0;';
  const page = new Function(importingOnce(list))() as () => Promise<unknown>;
  const first = page();
  assert.equal(page(), first);
  assert.deepEqual(Object.keys((await first) as object), ['page']);
  // What Astro's own does.
  const anew = new Function(list)() as () => Promise<unknown>;
  assert.notEqual(anew(), anew());
});

test('Astro still writes its list so', () => {
  const plugin = readFileSync('node_modules/astro/dist/vite-plugin-pages/pages.js', 'utf8');
  assert.match(plugin, /= \(\) => import\("\$\{virtualModuleName\}"\);/);
});
