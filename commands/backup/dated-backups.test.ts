import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { datedBackups, datedName, removeOldest } from './dated-backups.ts';

const folder = mkdtempSync(join(tmpdir(), 'dated-'));
after(() => rmSync(folder, { recursive: true }));

test('--keep takes a number from 1 to 9,999 and one folder that exists', () => {
  for (const [number, keep] of [
    ['1', 1],
    ['14', 14],
    ['9999', 9_999],
  ] as const) {
    assert.deepEqual(datedBackups(number, [folder], '.'), { keep, folder });
  }
  for (const number of ['0', '-1', 'x', '1e9', '1e2', '10000', '', ' ', '1.5', '0x10']) {
    assert.throws(
      () => datedBackups(number, [folder], '.'),
      /^UserError: --keep is ".*"\. Please say how many backups to keep/,
      number,
    );
  }
  assert.throws(() => datedBackups('14', [], '.'), /^UserError: Please say how many backups to keep/);
  assert.throws(
    () => datedBackups('14', [folder, 'b'], '.'),
    /^UserError: The argument "b" is one too many\. Please/,
  );
  const file = join(folder, 'file');
  writeFileSync(file, '');
  for (const name of [join(folder, 'none'), file, join(file, 'none')]) {
    assert.throws(() => datedBackups('1', [name], '.'), /There is no folder \S+\.$/, name);
  }
  assert.throws(() => datedBackups('1', ['public'], '.'), /The folder is “.+public”, which is inside/);
  assert.equal(datedBackups(undefined, [folder], '.'), undefined);
});

test('after the clock was set back, the backups of the wrong time are removed first', () => {
  const backups = mkdtempSync(join(folder, 'backups-'));
  const write = (time: string) => {
    const now = new Date(time);
    const name = datedName(now);
    writeFileSync(join(backups, name), '');
    removeOldest({ keep: 3, folder: backups }, name, now);
  };
  for (const day of [28, 29, 30]) write(`2027-06-${day}T02:15:00Z`);
  const days = () =>
    readdirSync(backups).map((name) => name.slice('storefront-'.length, -'T02-15-00.000Z.backup'.length));
  write('2026-11-23T02:15:00Z');
  assert.deepEqual(days(), ['2026-11-23', '2027-06-29', '2027-06-30']);
  write('2026-11-24T02:15:00Z');
  write('2026-11-25T02:15:00Z');
  assert.deepEqual(days(), ['2026-11-23', '2026-11-24', '2026-11-25']);
  write('2026-11-26T02:15:00Z');
  assert.deepEqual(days(), ['2026-11-24', '2026-11-25', '2026-11-26']);
});

test('no other file or folder is ever removed, and the number of those that were is returned', () => {
  const backups = mkdtempSync(join(folder, 'backups-'));
  const kept = [
    'a.backup',
    'storefront-2026-11-01.backup',
    'storefront-2026-11-01T02-15-00.000Z.backup.part',
  ];
  const [made, ...older] = [4, 3, 2].map((day) => datedName(new Date(`2026-11-0${day}T02:15:00Z`)));
  for (const name of [...kept, made, ...older]) writeFileSync(join(backups, `${name}`), '');
  const inside = datedName(new Date('2026-11-01T02:15:00Z'));
  mkdirSync(join(backups, inside));
  const now = new Date('2026-11-04T02:15:00Z');
  assert.equal(removeOldest({ keep: 1, folder: backups }, `${made}`, now), 2);
  assert.deepEqual(readdirSync(backups).toSorted(), [...kept, made, inside].toSorted());
});
