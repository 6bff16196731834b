import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readEnvFile } from './env-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'env-'));
after(() => rmSync(folder, { recursive: true }));
const file = join(folder, '.env');

function read(content: string | Buffer, tell: (sentence: string) => void = assert.fail) {
  writeFileSync(file, content, { mode: 0o600 });
  return readEnvFile(file, tell);
}

test('a missing .env sets nothing', () => {
  assert.deepEqual(readEnvFile(join(folder, 'none'), assert.fail), {});
});

test('values with and without quotes, comments and a byte order mark are parsed', () => {
  assert.deepEqual(
    read(
      '\uFEFFPORT=5000 # mine\nexport HOST=0.0.0.0\nADMIN_PASSWORD="with a # in it" # note\nDATA_DIR=# none\n',
    ),
    { PORT: '5000', HOST: '0.0.0.0', ADMIN_PASSWORD: 'with a # in it', DATA_DIR: '' },
  );
});

test('an unquoted value with # is rejected without repeating it', () => {
  for (const line of [
    'ADMIN_PASSWORD=correcthorse#1',
    'export ADMIN_PASSWORD = a#b',
    'ADMIN_PASSWORD=a b#c',
  ]) {
    assert.throws(
      () => read(`PORT=5000\n${line}\n`),
      ({ name, message }: Error) =>
        name === 'UserError' && /ADMIN_PASSWORD ends at its #/.test(message) && !/correct|b#c/.test(message),
    );
  }
});

test('an unknown setting is reported and ignored', () => {
  const told: string[] = [];
  assert.deepEqual(
    read('ADMIN_PASWORD=secret\nPORT=5000\n', (sentence) => void told.push(sentence)),
    { PORT: '5000' },
  );
  assert.equal(told.length, 1);
  assert.match(told[0] ?? '', /^Unknown setting ADMIN_PASWORD in /);
});

test('a setting that is one letter off names the known one', () => {
  for (const [name, meant] of [
    ['ADMIN_PASWORD', 'ADMIN_PASSWORD'],
    ['ADMIN_HOSTS', 'ADMIN_HOST'],
    ['DATA_DOR', 'DATA_DIR'],
    ['SMTP_ULR', 'SMTP_URL'],
    ['Port', 'PORT'],
    ['DATABASE_URL', undefined],
    ['HO', undefined],
  ]) {
    const told: string[] = [];
    read(`${name}=a\n`, (sentence) => void told.push(sentence));
    assert.equal(/ \(ignored\)\. Did you mean (\w+)\?$/.exec(told.join())?.[1], meant, name);
  }
});

test('every setting of .env.example is known', () => {
  const example = readFileSync('.env.example', 'utf8').replaceAll(/^#(?=[A-Z_]+=)/gm, '');
  assert.equal(Object.keys(read(example)).length, 28);
});

test('an unreadable .env is reported', () => {
  assert.throws(() => read(Buffer.from('\uFEFFPORT=5000', 'utf16le')), {
    name: 'UserError',
    message: /UTF-8/,
  });
  const place = join(folder, 'folder');
  mkdirSync(place);
  assert.throws(() => readEnvFile(place, assert.fail), {
    name: 'UserError',
    message: /could not be read \(EISDIR\)/,
  });
});

test('a file that others can read is reported once a day where it is that of a clone', () => {
  const clone = join(folder, 'clone');
  mkdirSync(join(clone, 'node_modules'), { recursive: true });
  writeFileSync(join(clone, '.env'), 'ADMIN_PASSWORD=a\n', { mode: 0o644 });
  const told: string[] = [];
  const readIt = () => readEnvFile(join(clone, '.env'), (sentence) => void told.push(sentence));
  readIt();
  readIt();
  assert.equal(told.length, 1);
  const yesterday = new Date(Date.now() - 25 * 3_600_000);
  utimesSync(join(clone, 'node_modules/.cache/env-warned'), yesterday, yesterday);
  readIt();
  assert.equal(told.length, 2);
  // As after a clock that was set back: otherwise it would be silent for as long.
  const later = new Date(Date.now() + 25 * 3_600_000);
  utimesSync(join(clone, 'node_modules/.cache/env-warned'), later, later);
  readIt();
  assert.equal(told.length, 3);
});

test('a file with a secret that others can read is reported; one without a secret is not', () => {
  const open = join(folder, 'open.env');
  writeFileSync(open, 'ADMIN_PASSWORD=a\n', { mode: 0o644 });
  const told: string[] = [];
  readEnvFile(open, (sentence) => void told.push(sentence));
  assert.match(told.join(), /can be read by other users.*chmod 600/);
  chmodSync(open, 0o640);
  readEnvFile(open, (sentence) => void told.push(sentence));
  assert.equal(told.length, 2, 'also by the group alone');
  for (const text of ['PORT=5000\n', 'ADMIN_PASSWORD=\n']) {
    writeFileSync(open, text);
    readEnvFile(open, assert.fail);
  }
});
