import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { isFileLoadingAllowed, resolveConfig } from 'vite';
import { devFiles } from './dev-files.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'dev {files}, (1)-')));
after(() => rmSync(root, { recursive: true, force: true }));
const files = devFiles(join(root, 'node_modules/.data'), root);

const SERVED = [
  'src/page.astro',
  'node_modules/a/index.js',
  'node_modules/.vite/deps/a.js',
  'node_modules/a/font.woff2',
];
const PRIVATE = [
  'node_modules/offers.csv',
  'node_modules/offers.json',
  'node_modules/offers.backup',
  'node_modules/.offers/offers.csv',
  'node_modules/.data/page.js',
  'src/offers.json',
  'commands/start.ts',
  'own/notes.txt',
];
for (const place of [...SERVED, ...PRIVATE]) {
  mkdirSync(dirname(join(root, place)), { recursive: true });
  writeFileSync(join(root, place), '');
}

test('sources and packages are served by extension, in every folder', async () => {
  const config = await resolveConfig({ configFile: false, root, server: { fs: files } }, 'serve');
  for (const place of [...SERVED, ...PRIVATE]) {
    const isServed = SERVED.includes(place);
    assert.equal(isFileLoadingAllowed(config, join(root, place)), isServed, place);
    // As Vite does with every file that a module imports, in a property without a type.
    (config as unknown as { safeModulePaths: Set<string> }).safeModulePaths.add(join(root, place));
    assert.equal(isFileLoadingAllowed(config, join(root, place)), isServed, place);
  }
});
