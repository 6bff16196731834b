import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { assertNoCustomerData } from './published-data.ts';

let root: string;
let folder: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'published-'));
  folder = join(root, 'public');
  mkdirSync(join(folder, 'sub/.hidden'), { recursive: true });
  for (const name of [
    'favicon.ico',
    'robots.txt',
    'sub/page.html',
    'sub/.DS_Store',
    '.gitkeep',
    'LOGO.PNG',
  ]) {
    writeFileSync(join(folder, name), '');
  }
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

for (const name of [
  'offers.csv',
  'sub/offers.CSV',
  'offers.csv.draft',
  'sub/.hidden/offers.backup',
  'dump.sql',
  'old.sqlite',
  'sub/secrets.json',
  'password-set-for',
  'commands.sock',
  'admin-password.txt',
  'sub/Admin-Password.TXT',
  'sub/PG_VERSION',
  'offers.json',
  'mine.tgz',
  'any-name-without-extension',
]) {
  test(`a build stops when public/ contains ${name}`, () => {
    writeFileSync(join(folder, name), '');
    assert.throws(() => assertNoCustomerData(folder, join(root, 'data')), {
      name: 'UserError',
      message: new RegExp(`^${join(folder, name)} looks like customers’ data .* Move it out of `),
    });
  });
}

test('a build stops when a link in public/ leads to a data folder', () => {
  mkdirSync(join(root, 'data'));
  writeFileSync(join(root, 'data/secrets.json'), '');
  symlinkSync(join(root, 'data'), join(folder, 'sub/link'));
  assert.throws(
    () => assertNoCustomerData(folder, join(root, 'data')),
    /sub\/link\/secrets\.json looks like/,
  );
});

test('other files are published, and cyclic and broken links stop no build', () => {
  symlinkSync(folder, join(folder, 'sub/again'));
  symlinkSync(join(root, 'nothing'), join(folder, 'broken'));
  assert.doesNotThrow(() => assertNoCustomerData(folder, join(root, 'data')));
  assert.doesNotThrow(() => assertNoCustomerData(join(root, 'missing'), join(root, 'data')));
});

test('a build stops when a link with a harmless name leads to private data', () => {
  const targets = [
    'data/secrets.json',
    'data/notes.txt',
    'elsewhere/offers.backup',
    'elsewhere/admin-password.txt',
  ];
  for (const target of targets) {
    const file = join(root, target);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, '');
    const link = join(folder, 'sub/a.txt');
    symlinkSync(file, link);
    assert.throws(() => assertNoCustomerData(folder, join(root, 'data')), /sub\/a\.txt looks like/, target);
    rmSync(link);
  }
});

test('a build stops when a link has the name of a backup, whatever it leads to', () => {
  writeFileSync(join(root, 'a.txt'), '');
  symlinkSync(join(root, 'a.txt'), join(folder, 'offers.backup'));
  assert.throws(() => assertNoCustomerData(folder, join(root, 'data')), /offers\.backup looks like/);
});

test('a build stops when the data folder is a link, and public/ contains a link behind it', () => {
  mkdirSync(join(root, 'real'));
  writeFileSync(join(root, 'real/a.txt'), '');
  symlinkSync(join(root, 'real'), join(root, 'data'));
  symlinkSync(join(root, 'real/a.txt'), join(folder, 'a.txt'));
  assert.throws(() => assertNoCustomerData(folder, join(root, 'data')), /a\.txt looks like/);
});
