import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs, { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { writeDurably } from './write-file-atomic.ts';

const folder = mkdtempSync(join(tmpdir(), 'atomic-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('a file is replaced whole', () => {
  const file = join(folder, 'file');
  writeFileSync(file, 'former');
  writeDurably(file, 'new', 0o600);
  assert.equal(readFileSync(file, 'utf8'), 'new');
});

test('a text of which only a part was written replaces nothing', (context) => {
  const file = join(folder, 'part');
  writeDurably(file, 'former', 0o600);
  const { writeFileSync: write } = fs;
  context.mock.method(fs, 'writeFileSync', (to: number, text: string) => write(to, text.slice(0, 4)));
  syncBuiltinESMExports();
  context.after(() => {
    context.mock.restoreAll();
    syncBuiltinESMExports();
  });
  assert.throws(
    () => writeDurably(file, 'the new text', 0o600),
    /part could not be written whole, and is as it was/,
  );
  assert.equal(readFileSync(file, 'utf8'), 'former');
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('part')),
    ['part'],
  );
});

test('on a full disk the file stays as it was, and no draft is left', (context) => {
  const disk = mkdtempSync(join(tmpdir(), 'disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=200k', 'tmpfs', disk]).status === 0;
  context.after(() => {
    if (mounted) spawnSync('umount', [disk]);
    rmSync(disk, { recursive: true, force: true });
  });
  if (!mounted) return context.skip('only root can mount a small disk');
  const file = join(disk, 'file');
  writeDurably(file, 'former', 0o600);
  // Some of it has room, the rest has not.
  assert.throws(() => writeDurably(file, 'x'.repeat(300_000), 0o600), { code: 'ENOSPC', path: file });
  assert.equal(readFileSync(file, 'utf8'), 'former');
  assert.deepEqual(readdirSync(disk), ['file']);
});
