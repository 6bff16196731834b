import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
