import assert from 'node:assert/strict';
import fs, { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { changeFile, undoChange } from './last-change.ts';

const FILES = ['c.yaml', 'c.yaml.before', 'c.yaml.change.json'];

let file = '';
beforeEach(() => {
  file = join(mkdtempSync(join(tmpdir(), 'last-change-')), 'c.yaml');
  writeFileSync(file, 'one');
  change('one', 'two');
});
afterEach(() => {
  restoreRename();
  rmSync(join(file, '..'), { recursive: true });
});

test('a change that fails leaves the file and the undo of the change before, and says why in two lines', () => {
  for (const name of ['before.pending', 'change.json.pending', 'yaml']) {
    failRenameTo(name, 'ENOSPC');
    assert.throws(
      () => change('two', 'three'),
      /^UserError: .*c\.yaml.* cannot be written, because the disk is full: make room \(ENOSPC\)\.\nc\.yaml is as it was\.$/,
    );
    restoreRename();
    assert.equal(read(), 'two');
    assert.deepEqual(readdirSync(join(file, '..')).sort(), FILES);
  }
  assert.equal(undoChange(file, 'c.yaml'), 'one to two');
  assert.equal(read(), 'one');
});

test('a change that ended just after the file was written can be undone', () => {
  for (const name of ['before', 'change.json']) {
    failRenameTo(name, 'EKILLED');
    assert.throws(() => change('two', 'three'), { code: 'EKILLED' });
    restoreRename();
    assert.equal(read(), 'three');
    assert.equal(undoChange(file, 'c.yaml'), 'two to three');
    assert.equal(read(), 'two');
    assert.deepEqual(readdirSync(join(file, '..')).sort(), FILES);
  }
});

test('undo without a catalogue reports that there is no change', () => {
  rmSync(file);
  assert.throws(() => undoChange(file, 'c.yaml'), /^UserError: There is no change to take back\.$/);
});

function change(former: string, written: string): void {
  changeFile(file, 'c.yaml', { command: `${former} to ${written}`, former, written });
}

function read(): string {
  return readFileSync(file, 'utf8');
}

/** As if the process ended, or the system failed, at this step. */
function failRenameTo(ending: string, code: string): void {
  const { renameSync } = fs;
  mock.method(fs, 'renameSync', (from: string, to: string) => {
    if (to.endsWith(`.${ending}`)) throw Object.assign(new Error(code), { code });
    renameSync(from, to);
  });
  syncBuiltinESMExports();
}

function restoreRename(): void {
  mock.restoreAll();
  syncBuiltinESMExports();
}
