import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import sharp from 'sharp';
import { LANGUAGES } from '../i18n/languages.ts';
import { loadBranding } from './load-branding.ts';
import { logosOf, shownBranding } from './shown-branding.ts';

const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1"><path d="M0 0h1"/></svg>';
const NONE = { tokens: {}, texts: {} };
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

test('a folder without such files is like none', () => {
  write('catalogue.yaml', '');
  write('names.csv', '');
  assert.deepEqual(loadBranding(), NONE);
  process.env.OWN_DIR = join(folder, 'none');
  assert.deepEqual(loadBranding(), NONE);
});

test('the owner’s files are read, and pictures are found', () => {
  write('theme.css', ':root { --radius: 0 }');
  write('logo.svg', LOGO);
  write('logo-dark.webp', '');
  write('texts.de.yaml', 'page.header: Namen');
  write('favicon.ico', Buffer.from([0, 0, 1, 0]));
  assert.deepEqual(loadBranding(), {
    tokens: { radius: '0rem' },
    texts: { de: { 'page.header': 'Namen' } },
    logo: join(folder, 'logo.svg'),
    darkLogo: join(folder, 'logo-dark.webp'),
    icon: join(folder, 'favicon.ico'),
  });
});

test('texts of several languages are read together', () => {
  for (const language of LANGUAGES) write(`texts.${language}.yaml`, `page.header: Names in ${language}`);
  assert.deepEqual(
    loadBranding().texts,
    Object.fromEntries(LANGUAGES.map((language) => [language, { 'page.header': `Names in ${language}` }])),
  );
});

test('every problem of every file is reported with file and line', () => {
  write('theme.css', ':root {\n  --page: rde;\n  --pgae: #fff;\n}');
  write('texts.en.yaml', 'page.header: Mine\nbroker.link: Lost\n');
  const lines = errorOf().split('\n');
  assert.equal(lines[0], 'Please correct the files of the site’s branding:');
  assert.match(lines[1] ?? '', /^ {2}\/.*\/texts\.en\.yaml:2:1 {2}text broker\.link has other placeholders/);
  assert.match(lines[2] ?? '', /\/theme\.css:2:3 {2}"--page" is "rde"/);
  assert.match(lines[3] ?? '', /\/theme\.css:3:3 {2}"--pgae" is no token/);
  assert.equal(lines.length, 4);
});

for (const name of ['theme.css', 'texts.en.yaml']) {
  test(`${name} that is a folder or not in UTF-8 is rejected`, () => {
    mkdirSync(join(folder, name));
    assert.match(errorOf(), new RegExp(`${name} {2}could not be read: .*EISDIR`));
    rmSync(join(folder, name), { recursive: true });
    write(name, Buffer.from([0x2f, 0xff, 0xfe]));
    assert.match(errorOf(), new RegExp(`${name} {2}is not in UTF-8: save it with that encoding`));
  });
}

test('links that lead nowhere are rejected', () => {
  symlinkSync('none.css', join(folder, 'theme.css'));
  assert.match(errorOf(), /theme\.css {2}could not be read: .*ENOENT/);
  const loop = join(folder, 'loop');
  symlinkSync('loop', loop);
  process.env.OWN_DIR = loop;
  assert.match(errorOf(), /loop {2}is a link that leads back to itself/);
});

for (const name of [
  'logo.gif',
  'favicon.png',
  'theme.min.css',
  'texts.xx.yaml',
  'texts.en.yml',
  'texts.yaml',
]) {
  test(`${name}, which would not be used, is reported`, () => {
    write(name, '');
    const message = `${name}  is not used: rename it to one of theme.css, logo.svg (or .png, .webp), logo-dark.svg, favicon.ico, texts.`;
    assert.ok(errorOf().includes(message), errorOf());
  });
}

test('the setting colorScheme leaves one scheme, and one colour for the browser’s bars', async () => {
  const shown = await shownBranding(NONE, 'dark');
  assert.equal(shown.colorScheme, 'dark');
  assert.deepEqual(shown.themeColors, [{ content: '#0f1014' }]);
  assert.match(shown.style, /^:root\{color-scheme:dark;--page:#0f1014;.*--motion:140ms ease-out\}$/);
  assert.match(
    (await shownBranding(NONE, 'light')).style,
    /^:root\{color-scheme:light;--page:#f7f6f2;[^}]*\}$/,
  );
  assert.deepEqual(await shownBranding(NONE, 'auto'), await shownBranding(NONE, undefined));
});

test('pages declare each token once in a scheme, with the owner’s value; admin pages have more of them', async () => {
  write('theme.css', ':root { --page: light-dark(#fff, #111); --sunken: #eee; --radius: 1rem }');
  const { style, adminStyle } = await shownBranding(loadBranding(), undefined);
  assert.match(
    style,
    /^:root\{color-scheme:light dark;--page:#ffffff;.*--radius:1rem;.*\}@media \(prefers-color-scheme:dark\)\{:root\{--page:#111111;.*\}\}$/,
  );
  for (const [name, count] of [
    ['page', 2],
    ['danger', 2],
    ['radius', 1],
    ['sunken', 0],
  ] as const)
    assert.equal(style.split(`--${name}:`).length - 1, count, name);
  assert.equal(adminStyle.split('--sunken:#eeeeee').length - 1, 2);
  assert.match(adminStyle, /--shadow:0 1px 2px #17181c14, .*--shadow:0 1px 2px #0008, /);
  assert.doesNotMatch(style + adminStyle, /light-dark/);
});

test('pages get the owner’s texts of every language', async () => {
  const texts = { en: { 'page.header': 'Names' }, de: { 'page.header': 'Namen' } };
  assert.deepEqual((await shownBranding({ ...NONE, texts }, undefined)).texts, texts);
});

test('the icon of all pages is a small disc in the accent colour, or the owner’s', async () => {
  const { icon } = await shownBranding(NONE, undefined);
  assert.ok(icon.length <= 350, icon);
  const { data, info } = await sharp(Buffer.from(icon.split(',')[1] ?? '', 'base64'))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  assert.deepEqual([info.width, info.height], [32, 32]);
  assert.deepEqual([...data.subarray((16 * 32 + 16) * 4).subarray(0, 4)], [0x2a, 0x23, 0xe0, 0xff]);
  assert.equal(data[3], 0);
  write('favicon.ico', 'icon');
  const { icon: path } = await shownBranding(loadBranding(), undefined);
  assert.equal(path, '/favicon.ico');
  const { icon: inline } = await shownBranding(loadBranding(), undefined, true);
  assert.equal(inline, `data:image/x-icon;base64,${Buffer.from('icon').toString('base64')}`);
});

test('a logo is 32 pixels high, and another one is for dark pages', async () => {
  write('logo.svg', LOGO);
  const { logo } = await shownBranding(loadBranding(), undefined);
  assert.match(logo?.src ?? '', /^\/_astro\/logo\.[\w-]{8}\.svg$/);
  assert.deepEqual({ ...logo, src: '' }, { src: '', width: 64, height: 32 });
  const png = await sharp(Buffer.from(LOGO)).png().toBuffer();
  write('logo-dark.png', png);
  const shown = await shownBranding(loadBranding(), undefined);
  assert.match(shown.logo?.dark ?? '', /^\/_astro\/logo\.[\w-]{8}\.png$/);
  const [dark, ...others] = await logosOf(loadBranding(), 'dark');
  assert.deepEqual([dark?.bytes, others.length], [png, 0]);
  assert.equal((await logosOf(loadBranding(), 'light')).length, 1);
});

for (const [name, content] of [
  ['logo.svg', '<html></html>'],
  ['logo.png', 'no picture'],
  ['logo.webp', ''],
] as const) {
  test(`${name} that is no picture is rejected by its name`, async () => {
    write(name, content);
    await assert.rejects(
      shownBranding(loadBranding(), undefined),
      new RegExp(
        `^BrandingError: .*\n.*/${name} {2}is no SVG, PNG or WebP picture: save it as one of these$`,
      ),
    );
  });
}

test('a logo that is damaged is rejected with what the library said', async () => {
  const png = await sharp(Buffer.from(LOGO)).png().toBuffer();
  write('logo.png', png.subarray(0, png.length - 30));
  await assert.rejects(
    shownBranding(loadBranding(), undefined),
    /logo\.png {2}is damaged: save it again as SVG, PNG or WebP \(.+\)$/,
  );
});

function write(name: string, content: string | Buffer): void {
  writeFileSync(join(folder, name), content);
}

function errorOf(): string {
  try {
    loadBranding();
  } catch (error) {
    return (error as Error).message;
  }
  assert.fail('no problem was found');
}
