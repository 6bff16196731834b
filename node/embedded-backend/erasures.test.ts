import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import {
  countErasures,
  lastErasure,
  latestErasure,
  mergeErasures,
  NO_ERASURES,
  noteErasure,
  readErasures,
} from './erasures.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'erasures-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const ADA = 'ada@example.com';
const MAY = new Date('2026-05-01T00:00:00Z');
const JUNE = new Date('2026-06-01T00:00:00Z');
const read = () => readErasures(folder) ?? NO_ERASURES;

test('an erasure is noted with its latest time, and without the email', async () => {
  assert.equal(readErasures(folder), undefined);
  await noteErasure(folder, ADA, JUNE);
  await noteErasure(folder, ADA, MAY);
  await noteErasure(folder, 'grace@example.com', MAY);
  assert.equal(await lastErasure(read(), ADA), JUNE.getTime());
  assert.equal(await lastErasure(read(), 'grace@example.com'), MAY.getTime());
  assert.equal(await lastErasure(read(), 'ada@example.org'), Number.NEGATIVE_INFINITY);
  assert.equal(countErasures(read()), 2);
  assert.equal(read().lists.length, 1, 'one salt for all, so that an email is hashed once');
  const file = join(folder, 'erasures.json');
  assert.doesNotMatch(readFileSync(file, 'utf8'), /ada|grace|example|@/);
  assert.equal(statSync(file).mode & 0o777, 0o600);
});

test('erasures noted at the same time are all there', async () => {
  const emails = ['a@example.com', 'b@example.com', 'c@example.com'];
  await Promise.all(emails.map((email) => noteErasure(folder, email)));
  for (const email of emails) assert.ok((await lastErasure(read(), email)) > 0, email);
});

test('merged files have every erasure at its latest time', async () => {
  await noteErasure(folder, ADA, MAY);
  const one = read();
  await noteErasure(folder, ADA, JUNE);
  const later = read();
  rmSync(join(folder, 'erasures.json'));
  await noteErasure(folder, 'grace@example.com', MAY);
  const other = read();
  for (const merged of [
    mergeErasures(mergeErasures(one, other), later),
    mergeErasures(later, mergeErasures(other, one)),
  ]) {
    assert.equal(countErasures(merged), 2);
    assert.equal(await lastErasure(merged, ADA), JUNE.getTime());
    assert.equal(await lastErasure(merged, 'grace@example.com'), MAY.getTime());
  }
});

test('the latest of very many erasures is found', () => {
  const times = Array.from({ length: 200_000 }, (_, n) => [String(n), MAY.toISOString()]);
  const list = { salt: '', N: 16_384, r: 8, p: 1 } as const;
  const lists = [
    { ...list, erasedAt: Object.fromEntries(times) },
    { ...list, erasedAt: { last: JUNE.toISOString() } },
  ];
  assert.equal(latestErasure({ version: 1, lists }), JUNE.getTime());
  assert.equal(latestErasure(NO_ERASURES), Number.NEGATIVE_INFINITY);
});

test('a damaged file is reported and stays as it is', async () => {
  const file = join(folder, 'erasures.json');
  const list = { salt: 's'.repeat(22), N: 16_384, r: 8, p: 1, erasedAt: {} };
  for (const text of [
    '',
    '{"version":1,"li',
    '{"version":2,"lists":[]}',
    JSON.stringify({ version: 1, lists: [{ ...list, N: 2 ** 30 }] }),
    JSON.stringify({ version: 1, lists: [{ ...list, erasedAt: { ['h'.repeat(43)]: 'soon' } }] }),
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
