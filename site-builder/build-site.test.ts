import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Publication } from '#contract/publication.ts';
import { readSettings } from '../config/settings.ts';
import { takeLock } from '../process/lock-file.ts';
import { publicationOf, writePublication } from './built-site/publication.ts';
import { writeSiteFacts } from './built-site/site-facts.ts';

const CATALOGUE = `settings: { brokerUrl: "https://b.example/{domain}" }
domains: [{ name: lap.app, price: $1, description: One., hasBroker: true }]
`;

// Its paths are those of the folder in which it is loaded.
const project = mkdtempSync(join(tmpdir(), 'build-site-'));
process.chdir(project);
const { parseCatalogue } = await import('../src/catalogue/load.ts');
const { buildHashOf, isFresh } = await import('./build-hash.ts');
const { buildSite, hasBuild } = await import('./build-site.ts');
const { waitUntil } = await import('../tests/support/terminal.ts');
after(() => {
  process.chdir('/');
  rmSync(project, { recursive: true });
});
for (const folder of ['own', 'public', 'dist', '.astro']) mkdirSync(folder);
writeFileSync('own/catalogue.yaml', CATALOGUE);

/** The files of a build that another process made, by which it is recognized. */
function makeBuild(): void {
  const catalogue = parseCatalogue('c.yaml', CATALOGUE);
  writeFileSync('dist/policies.json', '{}');
  writeSiteFacts('dist', catalogue);
  writePublication('dist', publicationOf(catalogue, 'other', undefined, new Date(0)));
  writeFileSync('dist/build-hash.txt', buildHashOf(readSettings({})));
}

for (const name of ['policies.json', 'site-facts.json', 'publication.json', 'build-hash.txt']) {
  test(`a build with a truncated ${name} is made again`, () => {
    makeBuild();
    assert.equal(isFresh(readSettings({})), true);
    writeFileSync(join('dist', name), '');
    assert.equal(isFresh(readSettings({})), false);
    assert.equal(hasBuild(), name === 'build-hash.txt', 'whether it can be served meanwhile');
  });
}

/** Of what is on every page: another one lets the next build reuse none. */
const sourcesHash = () => buildHashOf(readSettings({})).split(' ')[0];

test('a changed branding needs a new build, of all pages', () => {
  makeBuild();
  for (const css of [':root { --accent: red }', ':root { --accent: navy }']) {
    const before = sourcesHash();
    writeFileSync('own/theme.css', css);
    assert.equal(isFresh(readSettings({})), false, css);
    assert.notEqual(sourcesHash(), before);
    writeFileSync('dist/build-hash.txt', buildHashOf(readSettings({})));
    assert.equal(isFresh(readSettings({})), true);
  }
  rmSync('own/theme.css');
  assert.equal(isFresh(readSettings({})), false, 'removed');
});

test('settings that are on the pages need another build, and others none', () => {
  makeBuild();
  const hosted = { SUPABASE_URL: 'https://a.supabase.example', SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_a' };
  const hashes = [
    {},
    { TURNSTILE_SITE_KEY: '0xsite', TURNSTILE_SECRET_KEY: '0xsecret' },
    hosted,
    { ...hosted, SUPABASE_URL: 'https://b.supabase.example' },
    { ...hosted, SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_b' },
  ].map((env) => buildHashOf(readSettings(env)));
  assert.equal(new Set(hashes).size, hashes.length);
  assert.equal(isFresh(readSettings({ PORT: '5000', ADMIN_EMAIL: 'owner@example.com' })), true);
});

test('changed code needs another build, and a hidden file of an editor none', (context) => {
  mkdirSync('src/parts', { recursive: true });
  context.after(() => rmSync('src', { recursive: true }));
  writeFileSync('src/parts/a.ts', 'one');
  makeBuild();
  writeFileSync('src/parts/.a.ts.swp', 'half of it');
  assert.equal(isFresh(readSettings({})), true);
  writeFileSync('src/parts/a.ts', 'two');
  assert.equal(isFresh(readSettings({})), false);
});

test('a copy of the clone needs no other build', () => {
  const copy = mkdtempSync(join(tmpdir(), 'copy-'));
  const before = buildHashOf(readSettings({}));
  cpSync('own', join(copy, 'own'), { recursive: true });
  process.chdir(copy);
  try {
    assert.equal(buildHashOf(readSettings({})), before);
  } finally {
    process.chdir(project);
    rmSync(copy, { recursive: true });
  }
});

test('an empty folder of the owner’s needs no other build than none', () => {
  process.env.CATALOGUE = 'own/catalogue.yaml';
  process.env.OWN_DIR = 'mine';
  const without = buildHashOf(readSettings({}));
  mkdirSync('mine');
  assert.equal(buildHashOf(readSettings({})), without);
  delete process.env.OWN_DIR;
  delete process.env.CATALOGUE;
});

test('a build that waited for another one publishes what that one made', async () => {
  const settings = readSettings({});
  const started = new Date().toISOString();
  makeBuild();
  const release = await takeLock('.astro/build.lock', 0);
  const published: [Publication, boolean][] = [];
  const build = buildSite(settings, {
    publish: async (publication, keepPrevious) => void published.push([publication, keepPrevious]),
  });
  release?.();
  await build;
  assert.deepEqual(
    published.map(([publication, keepPrevious]) => [publication.build, keepPrevious]),
    [['other', false]],
  );
  assert.ok(String(published[0]?.[0].readAt) >= started, 'read before');
});

test('a build that waited for another one builds what was edited meanwhile', async (context) => {
  makeBuild();
  const release = await takeLock('.astro/build.lock', 0);
  let published = 0;
  const build = buildSite(readSettings({ ADMIN_HOST: 'lap.app' }), {
    publish: async () => {
      published += 1;
    },
  });
  context.after(() => writeFileSync('own/catalogue.yaml', CATALOGUE));
  writeFileSync('own/catalogue.yaml', `${CATALOGUE}# edited\n`);
  release?.();
  // Where it does build.
  await assert.rejects(build, /^UserError: ADMIN_HOST is “lap\.app”, which is for sale/);
  assert.equal(published, 0);
});

test('a build that waits for another one is ended at once, also where it was to end before it waited', async (context) => {
  const exit = context.mock.method(process, 'exit', (() => {}) as never);
  const codes = () => exit.mock.calls.map(({ arguments: [code] }) => code);
  makeBuild();
  const release = await takeLock('.astro/build.lock', 0);
  const printed: string[] = [];
  const printing = { ...console, log: (line: string) => void printed.push(line) } as Console;
  const ending = new AbortController();
  const build = buildSite(readSettings({}), { signal: ending.signal, console: printing });
  await waitUntil(() => printed.length === 1, 'that it waits');
  assert.match(printed[0] ?? '', /^Another build is under way/);
  assert.deepEqual(codes(), []);
  ending.abort();
  assert.deepEqual(codes(), [0]);
  const late = buildSite(readSettings({}), { signal: AbortSignal.abort(), console: printing });
  await waitUntil(() => codes().length === 2, 'the end of the second one');
  release?.();
  await Promise.all([build, late]);
  assert.deepEqual(codes(), [0, 0]);
});

test('a build rejects a file in public/ that may have customers’ data', async () => {
  writeFileSync('public/offers.csv', '');
  await assert.rejects(
    buildSite(readSettings({})),
    /^UserError: public\/offers\.csv looks like customers’ data/,
  );
  rmSync('public/offers.csv');
});

test('a build rejects a catalogue in a folder that is published', async () => {
  process.env.CATALOGUE = 'public/names.txt';
  await assert.rejects(
    buildSite(readSettings({})),
    /^UserError: CATALOGUE is “.*names\.txt”, which is inside/,
  );
  delete process.env.CATALOGUE;
});

test('a build names a file and a folder of the owner’s that cannot be read', async () => {
  symlinkSync('theme.css', 'own/theme.css');
  assert.match(buildHashOf(readSettings({})), /^\w+ \w+\n$/);
  await assert.rejects(
    buildSite(readSettings({})),
    /^BrandingError: .*\n {2}own\/theme\.css {2}is a link that leads back to itself: correct/,
  );
  rmSync('own/theme.css');
  symlinkSync('loop', 'loop');
  process.env.OWN_DIR = 'loop';
  assert.throws(
    () => buildHashOf(readSettings({})),
    /^BrandingError: .*\n {2}loop {2}is a link that leads back/,
  );
  delete process.env.OWN_DIR;
});

test('a build names a catalogue that cannot be read', async () => {
  process.env.CATALOGUE = 'round.yaml';
  symlinkSync('round.yaml', 'round.yaml');
  await assert.rejects(
    buildSite(readSettings({})),
    /^CatalogueError: .*\n {2}round\.yaml {2}is a link that leads back to itself/,
  );
  delete process.env.CATALOGUE;
});

test('a build rejects an ADMIN_HOST that is for sale', async () => {
  await assert.rejects(
    buildSite(readSettings({ ADMIN_HOST: 'www.lap.app' })),
    /^UserError: ADMIN_HOST is “www\.lap\.app”, which is for sale \(lap\.app in the catalogue\)\./,
  );
});
