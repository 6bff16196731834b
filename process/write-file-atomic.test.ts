import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs, {
  chmodSync,
  chownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
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

test('the text is on the disk before it replaces the former one, and then its name', (context) => {
  const file = join(folder, 'durable');
  writeFileSync(file, 'former');
  const steps: string[] = [];
  const { fsyncSync, renameSync } = fs;
  context.mock.method(fs, 'fsyncSync', (fd: number) => {
    const stat = fs.fstatSync(fd);
    steps.push(stat.isDirectory() ? 'folder' : `${stat.size} bytes`);
    fsyncSync(fd);
  });
  context.mock.method(fs, 'renameSync', (from: string, to: string) => {
    steps.push('rename');
    renameSync(from, to);
  });
  syncBuiltinESMExports();
  context.after(() => {
    context.mock.restoreAll();
    syncBuiltinESMExports();
  });
  writeDurably(file, 'the new text', 0o600);
  assert.deepEqual(steps, ['12 bytes', 'rename', 'folder']);
});

test('a file that may not be replaced is not written over, and no draft is left', (context) => {
  const place = mkdtempSync(join(folder, 'fixed-'));
  const file = join(place, 'file');
  writeFileSync(file, 'former');
  context.mock.method(fs, 'renameSync', () => {
    throw Object.assign(new Error('as in a folder where only owners remove files'), { code: 'EPERM' });
  });
  syncBuiltinESMExports();
  context.after(() => {
    context.mock.restoreAll();
    syncBuiltinESMExports();
  });
  assert.throws(() => writeDurably(file, 'the new text', 0o600), { code: 'EPERM', path: file });
  assert.equal(readFileSync(file, 'utf8'), 'former');
  assert.deepEqual(readdirSync(place), ['file']);
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

test('a file that is mounted by itself is written over, and is as it was where its disk is full', (context) => {
  const [disk, place] = [mkdtempSync(join(tmpdir(), 'disk-')), mkdtempSync(join(folder, 'mounted-'))];
  const file = join(place, 'file');
  writeFileSync(file, '');
  const original = join(disk, 'original');
  const mount = (...args: string[]) => spawnSync('mount', args).status === 0;
  const mounted = mount('-t', 'tmpfs', '-o', 'size=200k', 'tmpfs', disk);
  context.after(() => {
    if (mounted) spawnSync('umount', [file, disk]);
    rmSync(disk, { recursive: true, force: true });
  });
  if (!mounted) return context.skip('only root can mount a file');
  writeFileSync(original, 'former', { mode: 0o640 });
  assert.ok(mount('--bind', original, file));
  for (const text of ['a longer text', 'short']) {
    writeDurably(file, text, 0o600);
    assert.equal(readFileSync(original, 'utf8'), text);
    assert.deepEqual(readdirSync(place), ['file']);
  }
  assert.throws(() => writeDurably(file, 'x'.repeat(300_000), 0o600), { code: 'ENOSPC', path: file });
  assert.equal(readFileSync(original, 'utf8'), 'short');
  assert.equal(statSync(original).mode & 0o777, 0o640);
  assert.deepEqual(readdirSync(place), ['file']);
});

test('of a mounted file that can neither be written nor set back the new text is kept', (context) => {
  const place = mkdtempSync(join(folder, 'damaged-'));
  const file = join(place, 'file');
  writeFileSync(file, 'former');
  const { renameSync } = fs;
  context.mock.method(fs, 'renameSync', (from: string, to: string) => {
    if (to === file) throw Object.assign(new Error('busy'), { code: 'EBUSY' });
    renameSync(from, to);
  });
  context.mock.method(fs, 'ftruncateSync', () => {
    throw Object.assign(new Error('full'), { code: 'ENOSPC' });
  });
  syncBuiltinESMExports();
  context.after(() => {
    context.mock.restoreAll();
    syncBuiltinESMExports();
  });
  assert.throws(
    () => writeDurably(file, 'the new text', 0o600),
    /written \(full\).+file\.new has the whole new one/,
  );
  assert.equal(readFileSync(`${file}.new`, 'utf8'), 'the new text');
  assert.deepEqual(readdirSync(place), ['file', 'file.new']);
});

test('a file that root replaces keeps its owner, and its mode whatever the umask is', (context) => {
  if (process.getuid?.() !== 0) return context.skip('only root can change an owner');
  const file = join(folder, 'owned');
  writeFileSync(file, 'former');
  chmodSync(file, 0o664);
  chownSync(file, 1234, 5678);
  writeDurably(file, 'new', 0o664, statSync(file));
  const { uid, gid, mode } = statSync(file);
  assert.deepEqual([uid, gid, mode & 0o777], [1234, 5678, 0o664]);
});
