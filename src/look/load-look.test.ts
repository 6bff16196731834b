import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { loadLook } from './load-look.ts';
import { PLAIN_LOOK } from './look.ts';
import { shownLook } from './shown-look.ts';

const LOGO = '<svg viewBox="0 0 1 1"><path d="M0 0h1"/></svg>';
const before = process.env.OWN_DIR;
let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'own-'));
  process.env.OWN_DIR = folder;
});
afterEach(() => {
  if (before === undefined) delete process.env.OWN_DIR;
  else process.env.OWN_DIR = before;
  rmSync(folder, { recursive: true });
});

test('a folder without files of the look is like none', () => {
  write('catalogue.yaml', '');
  write('names.csv', '');
  assert.deepEqual(load(), PLAIN_LOOK);
  process.env.OWN_DIR = join(folder, 'none');
  assert.deepEqual(load(), PLAIN_LOOK);
});

test('the look is read from its four kinds of files', () => {
  write('theme.css', ':root { --radius-s: 0 }');
  write('logo.svg', LOGO);
  write('texts.de.yaml', 'page.header: Namen');
  write('favicon.ico', Buffer.from([0, 0, 1, 0]));
  assert.deepEqual(load(), {
    tokens: { 'radius-s': '0rem' },
    texts: { de: { 'page.header': 'Namen' } },
    logo: { viewBox: '0 0 1 1', presentation: '', content: '<path d="M0 0h1"/>', ratio: 1 },
    icon: 'AAABAA==',
  });
});

test('every mistake of every file is reported with file and line', () => {
  write('theme.css', ':root {\n  --page: red;\n  --pgae: #fff;\n}');
  write('logo.svg', '<svg viewBox="0 0 1 1">\n<script/></svg>');
  write('texts.en.yaml', 'page.header: Mine\nbroker.link: Lost\n');
  const lines = errorOf().split('\n');
  assert.equal(lines[0], 'Please correct the files of the site’s look:');
  assert.match(lines[1] ?? '', /^ {2}\/.*\/logo\.svg:2:1 {2}has <script>/);
  assert.match(lines[2] ?? '', /\/texts\.en\.yaml:2:1 {2}text broker\.link has other placeholders/);
  assert.match(lines[3] ?? '', /\/theme\.css:2:3 {2}"--page" is "red"/);
  assert.match(lines[4] ?? '', /\/theme\.css:3:3 {2}"--pgae" is not a token/);
  assert.equal(lines.length, 5);
});

for (const name of ['theme.css', 'logo.svg', 'texts.en.yaml', 'favicon.ico']) {
  test(`${name} of 10 MB is rejected without being read`, () => {
    write(name, Buffer.alloc(10 * 1024 * 1024, 'a'));
    assert.match(errorOf(), new RegExp(`${name} {2}has 10,240 KB: make it smaller, at most (?:16|64) KB`));
  });
}

for (const name of ['theme.css', 'logo.svg', 'texts.en.yaml']) {
  test(`${name} that is a folder or not in UTF-8 is rejected`, () => {
    mkdirSync(join(folder, name));
    assert.match(errorOf(), new RegExp(`${name} {2}is not a file`));
    rmSync(join(folder, name), { recursive: true });
    write(name, Buffer.from([0x2f, 0xff, 0xfe]));
    assert.match(errorOf(), new RegExp(`${name} {2}is not in UTF-8: save it with that encoding`));
  });
}

test('links that lead nowhere are rejected', () => {
  symlinkSync('none.svg', join(folder, 'logo.svg'));
  symlinkSync('theme.css', join(folder, 'theme.css'));
  const lines = errorOf().split('\n');
  assert.match(lines[1] ?? '', /logo\.svg {2}is a link to a file that does not exist: correct the link/);
  assert.match(lines[2] ?? '', /theme\.css {2}is a link that leads back to itself: correct the link/);
  const loop = join(folder, 'loop');
  symlinkSync('loop', loop);
  process.env.OWN_DIR = loop;
  assert.match(errorOf(), /loop {2}is a link that leads back to itself/);
});

test('at most 20 mistakes of a file are reported', () => {
  write('theme.css', '@a;'.repeat(5_000));
  assert.equal(errorOf().split('\n').length, 21);
});

for (const [name, message] of [
  ['logo.png', /logo\.png {2}is not used: the logo is read from logo\.svg; save it as SVG/],
  ['favicon.png', /favicon\.png {2}is not used: the icon is read from favicon\.ico; save it as ICO/],
  ['theme.min.css', /theme\.min\.css {2}is not used: .* read from theme\.css/],
  ['texts.xx.yaml', /texts\.xx\.yaml {2}is not used: texts are read from texts\.de\.yaml/],
  ['texts.en.yml', /texts\.en\.yml {2}is not used/],
  ['texts.yaml', /texts\.yaml {2}is not used/],
] as const) {
  test(`${name}, which would not be used, is reported`, () => {
    write(name, '');
    assert.match(errorOf(), message);
  });
}

test('the setting colorScheme leaves one scheme, and one colour for the browser’s bars', () => {
  const shown = shownLook(PLAIN_LOOK, 'dark');
  assert.equal(shown.colorScheme, 'dark');
  assert.deepEqual(shown.themeColors, [{ content: '#0f1014' }]);
  assert.equal(shown.accent, '#a2abff');
  assert.deepEqual(shownLook(PLAIN_LOOK, 'auto'), shownLook(PLAIN_LOOK, undefined));
});

function write(name: string, content: string | Buffer): void {
  writeFileSync(join(folder, name), content);
}

function load() {
  return loadLook({ colorScheme: undefined });
}

function errorOf(): string {
  try {
    load();
  } catch (error) {
    return (error as Error).message;
  }
  assert.fail('no mistake was found');
}
