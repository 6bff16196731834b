import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { takeLock } from '../../process/lock-file.ts';
import { lastErasure, mergeErasures, noteErasure, readErasures } from './erasures.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'erasures-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const ADA = 'ada@example.com';
const MAY = new Date('2026-05-01T00:00:00Z');
const JUNE = new Date('2026-06-01T00:00:00Z');
const read = () => readErasures(folder) ?? [];

test('an erasure is noted with its latest time, and without the email', async () => {
  assert.equal(readErasures(folder), undefined);
  await noteErasure(folder, ADA, JUNE);
  await noteErasure(folder, ADA, MAY);
  await noteErasure(folder, 'grace@example.com', MAY);
  assert.equal(lastErasure(read(), ADA), JUNE.getTime());
  assert.equal(lastErasure(read(), 'grace@example.com'), MAY.getTime());
  assert.equal(lastErasure(read(), 'ada@example.org'), Number.NEGATIVE_INFINITY);
  assert.equal(lastErasure(read(), 'ADA@example.com'), JUNE.getTime(), 'in any letter case');
  assert.equal(new Set(read().flatMap(({ key, hash }) => [key, hash])).size, 6, 'a key for each');
  const file = join(folder, 'erasures.json');
  assert.doesNotMatch(readFileSync(file, 'utf8'), /ada|grace|example|@/);
  assert.equal(statSync(file).mode & 0o777, 0o600);
});

test('erasures that several commands note at the same time are all there', async () => {
  const emails = Array.from({ length: 12 }, (_, n) => `${n}@example.com`);
  const script = `import { noteErasure } from './server/embedded/erasures.ts';
    for (const email of process.argv.slice(2)) await noteErasure(process.argv[1], email);`;
  const note = (...emails: string[]) =>
    once(
      spawn(process.execPath, [
        '--disable-warning=ExperimentalWarning',
        '--input-type=module',
        '-e',
        script,
        folder,
        ...emails,
      ]),
      'exit',
    );
  const exits = await Promise.all([0, 4, 8].map((first) => note(...emails.slice(first, first + 4))));
  assert.deepEqual(exits.flat(), [0, null, 0, null, 0, null]);
  for (const email of emails) assert.ok(lastErasure(read(), email) > 0, email);
});

test('an erasure is noted once another command has noted its own', async () => {
  const release = await takeLock(join(folder, 'erasures.lock'), 0);
  const noting = noteErasure(folder, ADA, MAY);
  await turn();
  assert.deepEqual(read(), []);
  release?.();
  await noting;
  assert.equal(lastErasure(read(), ADA), MAY.getTime());
});

test('merged files have every erasure once', async () => {
  await noteErasure(folder, ADA, MAY);
  const one = read();
  await noteErasure(folder, ADA, JUNE);
  const later = read();
  rmSync(join(folder, 'erasures.json'));
  await noteErasure(folder, 'grace@example.com', MAY);
  const other = read();
  for (const merged of [mergeErasures(one, other, later), mergeErasures(later, other, one)]) {
    assert.equal(merged.length, 3);
    assert.equal(lastErasure(merged, ADA), JUNE.getTime());
    assert.equal(lastErasure(merged, 'grace@example.com'), MAY.getTime());
  }
});

test('a damaged file is reported and stays as it is', async () => {
  const file = join(folder, 'erasures.json');
  const erasure = { key: 'k'.repeat(43), hash: 'h'.repeat(43), erasedAt: MAY.toISOString() };
  for (const text of [
    '',
    '{"version":1,"lists":[]}',
    JSON.stringify({ version: 2, erasures: [{ ...erasure, key: 'short' }] }),
    JSON.stringify({ version: 2, erasures: [{ ...erasure, erasedAt: 'soon' }] }),
  ]) {
    writeFileSync(file, text);
    assert.throws(
      () => readErasures(folder),
      /erasures\.json is damaged or made by another version\. Put a copy/,
    );
    await assert.rejects(noteErasure(folder, ADA), /is damaged/);
    assert.equal(readFileSync(file, 'utf8'), text);
  }
});
