/** What no script of the pages holds. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { callsOf, DASHBOARD_RESULTS, NOBODY } from '#contract/calls.ts';
import { SETTING_NAMES, SETTINGS } from '#contract/settings.ts';
import { NEWER_APIS } from '../support/newer-apis.ts';
import { runTool } from '../support/terminal.ts';

const PAGES = 'dist/client';
const SCRIPTS = 'dist/client/_astro';

/**
 * Members whose names other objects have, too, or that libraries use only where they are there: found after the name of
 * their own object alone, as `AbortSignal.any` is.
 */
const COMMON_NAMES = new Set(
  (
    'bytes command concat direction drop escape every fetchPriority filter find flatMap forEach from includes initialize ' +
    'isError join json map name navigation parse popover reduce resize scrollMargin size some startViewTransition take ' +
    'timeout toBase64 union values ViewTransition with zip any'
  ).split(' '),
);

before(() => {
  assert.equal(runTool('commands/build-if-needed.ts', [], {}).code, 0);
});

test('no script holds the schema of the settings', () => {
  const scripts = readdirSync(SCRIPTS).filter((name) => name.endsWith('.js'));
  assert.ok(scripts.length > 0);
  for (const script of scripts) {
    const text = readFileSync(join(SCRIPTS, script), 'utf8');
    const held = SETTING_NAMES.filter((name) => text.includes(SETTINGS[name].about));
    assert.deepEqual(held, [], script);
  }
});

test('no script holds a call of the functions or the owner’s commands, nor the sample of a call', () => {
  const texts = globSync(`${SCRIPTS}/*.js`).map((script) => readFileSync(script, 'utf8'));
  const held = (names: readonly string[]) =>
    names.filter((name) => texts.some((text) => text.includes(name)));
  const results = Object.keys(DASHBOARD_RESULTS);
  assert.deepEqual(held(results), results);
  assert.deepEqual(held(callsOf('service').map(({ name }) => name)), []);
  assert.deepEqual(held([NOBODY, 'nobody@example.invalid', '1000 years']), []);
});

test('no script of the storefront holds the dashboard’s query library', () => {
  const scripts = readdirSync(SCRIPTS).filter((name) => name.endsWith('.js'));
  const read = (script: string) => readFileSync(join(SCRIPTS, script), 'utf8');
  const holds = (script: string) => read(script).includes('CancelledError');
  assert.ok(scripts.some(holds), 'the dashboard has it');
  const pages = globSync(`${PAGES}/**/*.html`, { exclude: ['**/admin/**'] });
  const loaded = new Set<string>();
  const texts = pages.map((page) => readFileSync(page, 'utf8'));
  for (let text = texts.pop(); text !== undefined; text = texts.pop()) {
    const more = scripts.filter((script) => text?.includes(script) && !loaded.has(script));
    for (const script of more) {
      loaded.add(script);
      texts.push(read(script));
    }
  }
  assert.ok(loaded.size > 3 && loaded.size < scripts.length);
  assert.deepEqual([...loaded].filter(holds), []);
});

test('a form is hydrated without what only its calls need', () => {
  const page = readFileSync(join(PAGES, 'sites/lap.app/index.html'), 'utf8');
  const withZod = (list: string) =>
    new RegExp(` data-${list}="([^"]+)"`)
      .exec(page)?.[1]
      ?.split(' ')
      .filter((name) => readFileSync(join(SCRIPTS, `${name}.js`), 'utf8').includes('invalid_type'));
  assert.deepEqual(withZod('island'), []);
  assert.equal(withZod('then')?.length, 1);
});

test('the dashboard’s page loads 110 KB before its first rows, all of it at once', () => {
  const page = 'admin/dashboard/index.html';
  const paths = readFileSync(join(PAGES, page), 'utf8').match(/_astro\/[^"]+\.js/g);
  const files = [page, ...new Set(paths)];
  // Brotli: browsers take it over https and from localhost. The smallest files have none.
  const sizes = files.map((file) => {
    const path = join(PAGES, file);
    return statSync(existsSync(`${path}.br`) ? `${path}.br` : path).size;
  });
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  assert.ok(
    bytes <= 110_000,
    `${bytes} bytes: ${files.map((file, at) => `${file} ${sizes[at]}`).join(', ')}`,
  );
});

test('what reads the first rows waits for no script of what shows them', () => {
  const html = readFileSync(join(PAGES, 'admin/dashboard/index.html'), 'utf8');
  const [first = ''] = /[^/"]+\.js/.exec(html) ?? [];
  const imported = new Set([first]);
  for (const script of imported)
    for (const [, name = ''] of readFileSync(join(SCRIPTS, script), 'utf8').matchAll(
      /(?:from|import)"\.\/([^"]+)"/g,
    ))
      imported.add(name);
  assert.ok(imported.size > 2);
  const hasReact = (script: string) => readFileSync(join(SCRIPTS, script), 'utf8').includes('react.element');
  assert.ok(readdirSync(SCRIPTS).some(hasReact));
  assert.deepEqual([...imported].filter(hasReact), []);
});

test('no script uses what the browsers of the build’s target lack', () => {
  const scripts = globSync(`${PAGES}/**/*.{js,html}`);
  const found: string[] = [];
  for (const script of scripts) {
    const text = readFileSync(script, 'utf8');
    for (const [owner, members] of Object.entries(NEWER_APIS))
      for (const member of members.split(' ')) {
        const before = COMMON_NAMES.has(member) ? `(?<![\\w$])${owner}\\.` : '(?:\\.|\\bnew )';
        if (new RegExp(`${before}${member}(?![\\w$])`).test(text))
          found.push(`${owner}.${member}: ${script}`);
      }
  }
  assert.deepEqual(found, []);
});
