import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { datedBackups } from './dated-backups.ts';

const folder = mkdtempSync(join(tmpdir(), 'dated-'));
after(() => rmSync(folder, { recursive: true }));

test('--keep takes a number from 1 to 9,999 and one folder that exists', () => {
  for (const [number, keep] of [
    ['1', 1],
    ['14', 14],
    ['9999', 9_999],
  ] as const) {
    assert.deepEqual(datedBackups(['--keep', number, folder]), { keep, folder });
    assert.deepEqual(datedBackups([folder, `--keep=${number}`]), { keep, folder });
  }
  for (const number of ['0', '-1', 'x', '1e9', '1e2', '10000', '', ' ', '1.5', '0x10']) {
    for (const given of [
      ['--keep', number, folder],
      [`--keep=${number}`, folder],
    ]) {
      assert.throws(
        () => datedBackups(given),
        /^UserError: Please say how many backups to keep/,
        String(given),
      );
    }
  }
  for (const given of [
    ['--keep', '14'],
    ['--keep', '14', folder, folder],
    [folder, '--keep'],
    ['--keep', '1', '-x', folder],
  ]) {
    assert.throws(() => datedBackups(given), /Please say how many backups to keep/, String(given));
  }
  const file = join(folder, 'file');
  writeFileSync(file, '');
  for (const name of [join(folder, 'none'), file, join(file, 'none')]) {
    assert.throws(() => datedBackups(['--keep', '1', name]), /There is no folder \S+\.$/, name);
  }
  assert.throws(() => datedBackups(['--keep', '1', 'public']), /The folder is “.+public”, which is inside/);
  assert.equal(datedBackups([folder]), undefined);
});
