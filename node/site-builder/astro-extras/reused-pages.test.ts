import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parseCatalogue } from '../../../src/catalogue/load.ts';
import { reusePages, writePagesManifest } from './reused-pages.ts';

const CATALOGUE = catalogueOf({});

/** @param price of the third domain */
function catalogueOf(settings: object, price = '$1') {
  return parseCatalogue(
    'c.yaml',
    JSON.stringify({
      settings: { brokerUrl: 'https://b.example/{domain}', ...settings },
      domains: Array.from({ length: 25 }, (_, n) => ({
        name: `name${n}.app`,
        price: n === 3 ? price : '$1',
        description: 'One.',
        hasBroker: true,
      })),
    }),
  );
}

// Its paths are those of the working folder.
const project = mkdtempSync(join(tmpdir(), 'reused-pages-'));
process.chdir(project);
after(() => {
  process.chdir('/');
  rmSync(project, { recursive: true });
});

/** A build of all pages by the sources `now`. */
function makeBuild(catalogue = CATALOGUE): void {
  mkdirSync('dist/client/_astro', { recursive: true });
  for (const { name } of catalogue.domains) {
    mkdirSync(join('dist/client/sites', name), { recursive: true });
    writeFileSync(join('dist/client/sites', name, 'index.html'), '');
  }
  writeFileSync('dist/policies.json', '{"everywhere":"","pages":{}}');
  writePagesManifest('dist', 'now', catalogue);
}

test('pages are reused from a complete build by the same sources alone', () => {
  makeBuild();
  assert.equal(reusePages('dist', 'now', CATALOGUE)?.changed, 0);
  assert.equal(reusePages('dist', 'others', CATALOGUE), undefined);
  rmSync('dist/client/sites/name3.app/index.html');
  assert.equal(reusePages('dist', 'now', CATALOGUE)?.changed, 1);
});

test('a changed price renders the pages that show it', () => {
  for (const [showPrice, changed] of [
    ['never', 0],
    ['page', 1],
    // The page of the domain itself and of the five that have its card.
    ['everywhere', 6],
  ] as const) {
    makeBuild(catalogueOf({ showPrice }));
    assert.equal(reusePages('dist', 'now', catalogueOf({ showPrice }, '$2'))?.changed, changed, showPrice);
  }
});

for (const [file, left] of [
  ['pages.json', ''],
  ['policies.json', '{"everywhere": "def'],
] as const) {
  test(`no page is reused with a truncated ${file}`, () => {
    makeBuild();
    writeFileSync(join('dist', file), left);
    assert.equal(reusePages('dist', 'now', CATALOGUE), undefined);
  });
}
