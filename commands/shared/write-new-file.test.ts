import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { mountSmallDisk } from '../../tests/abuse/small-disk.ts';
import { writeNewFile } from './write-new-file.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'write-'));
  file = join(folder, 'offers.csv');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a file is there once it is complete, for its owner alone', async () => {
  await writeNewFile(
    file,
    (async function* () {
      yield 'a';
      assert.deepEqual(readdirSync(folder), ['offers.csv.draft']);
      yield 'b';
    })(),
  );
  assert.deepEqual(readdirSync(folder), ['offers.csv']);
  assert.equal(readFileSync(file, 'utf8'), 'ab');
  assert.equal(statSync(file).mode & 0o777, 0o600);
});

test('a draft of somebody else’s is neither written over nor removed', async () => {
  writeFileSync(`${file}.draft`, 'precious');
  await assert.rejects(
    writeNewFile(file, texts('new')),
    /offers\.csv\.draft is there already.* Remove it, or name/,
  );
  assert.equal(readFileSync(`${file}.draft`, 'utf8'), 'precious');
  assert.deepEqual(readdirSync(folder), ['offers.csv.draft']);
});

test('a file that came meanwhile is not written over', async () => {
  const content = (async function* () {
    yield 'new';
    writeFileSync(file, 'precious');
  })();
  await assert.rejects(writeNewFile(file, content), /is there already, and is not written over/);
  assert.equal(readFileSync(file, 'utf8'), 'precious');
  assert.deepEqual(readdirSync(folder), ['offers.csv']);
});

test('what fails half-way leaves nothing', async () => {
  const content = (async function* () {
    yield 'half';
    throw new Error('the database is gone');
  })();
  await assert.rejects(writeNewFile(file, content), /the database is gone/);
  assert.deepEqual(readdirSync(folder), []);
});

test('a full disk is reported with the file', async (context) => {
  const disk = mountSmallDisk(1);
  if (!disk) return context.skip('this user may not mount a small disk');
  try {
    const path = join(disk.folder, 'offers.csv');
    const write = writeNewFile(path, texts(...Array(3).fill('x'.repeat(500_000))));
    await assert.rejects(write, { code: 'ENOSPC', path });
    assert.deepEqual(readdirSync(disk.folder), []);
  } finally {
    disk.remove();
  }
});

async function* texts(...all: string[]): AsyncGenerator<string> {
  yield* all;
}
