import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adminCopies } from './admin-copies.ts';

const { load, resolveId } = adminCopies();

/** Finds packages and settings as Vite does, and loads a module's id as its code. */
const bundler = {
  resolve: async (source: string) => ({
    id: source.startsWith('astro:') ? `\0${source}` : `/p/node_modules/${source}/index.js`,
  }),
  load: async ({ id }: { id: string }) => ({ code: `// ${id}` }),
};
const resolve = async (source: string, importer?: string) =>
  (await resolveId.handler.call(bundler, source, importer, {}))?.id;

test('admin pages have their own copies of what the storefront also uses', async () => {
  const copy = '/p/node_modules/zod/mini/index.js?admin';
  assert.equal(await resolve('zod/mini', '/p/admin-app/api/offers.ts'), copy);
  assert.equal(
    await resolve('zod', copy),
    '/p/node_modules/zod/index.js?admin',
    'what a copy imports is copied',
  );
  const client = '/p/node_modules/@supabase/supabase-js/index.js';
  assert.equal(await resolve('tslib', client), '/p/node_modules/tslib/index.js?admin');
  const settings = await resolve('astro:env/client', '/p/admin-app/api/supabase.ts');
  assert.equal(settings, '\0astro:env/client?admin');
  assert.equal(await load.call(bundler, settings), '// \0astro:env/client');
});

test('the storefront and React are not copied', async () => {
  assert.equal(await resolve('react', '/p/admin-app/App.tsx'), '/p/node_modules/react/index.js');
  for (const importer of [
    '/p/src/api/order-submit.ts',
    '/p/node_modules/@supabase/functions-js/index.js',
    undefined,
  ])
    assert.equal(await resolve('zod/mini', importer), undefined);
  assert.equal(await load.call(bundler, '/p/node_modules/zod/mini/index.js?admin'), undefined);
});
