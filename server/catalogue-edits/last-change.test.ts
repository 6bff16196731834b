import assert from 'node:assert/strict';
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
import { afterEach, beforeEach, mock, test } from 'node:test';
import { newIo } from '../../tests/support/run-command.ts';
import { changeFile, undoChange } from './last-change.ts';

let file = '';
let io: ReturnType<typeof newIo>;
beforeEach(() => {
  io = newIo();
  file = join(mkdtempSync(join(tmpdir(), 'last-change-')), 'c.yaml');
  writeFileSync(file, 'one');
  chmodSync(file, 0o640);
  changeFile(file, 'one', 'two', io);
});
afterEach(() => {
  restoreRename();
  rmSync(join(file, '..'), { recursive: true });
});

test('the last change is taken back once, and the file keeps its mode, which its copy has too', () => {
  changeFile(file, 'two', 'three', io);
  const names = readdirSync(join(file, '..'));
  assert.deepEqual(
    names.map((name) => statSync(join(file, '..', name)).mode & 0o777),
    [0o640, 0o640],
  );
  undo();
  assert.equal(read(), 'two');
  assert.equal(statSync(file).mode & 0o777, 0o640);
  assert.throws(undo, /^UserError: There is no change to take back\.$/);
  assert.deepEqual(readdirSync(join(file, '..')), ['c.yaml']);
});

test('copies that the owner made and those of another catalogue stay', () => {
  const others = [`${file}.before-holidays`, join(file, '../d.yaml.before-0123456789ab')];
  for (const other of others) writeFileSync(other, 'own');
  changeFile(file, 'two', 'three', io);
  for (const other of others) assert.equal(readFileSync(other, 'utf8'), 'own');
});

test('a change leaves one copy, also where killed ones left some', () => {
  for (const hash of ['0123456789ab', 'ba9876543210']) writeFileSync(`${file}.before-${hash}`, 'left');
  changeFile(file, 'two', 'three', io);
  assert.equal(readdirSync(join(file, '..')).length, 2);
  undo();
  assert.equal(read(), 'two');
});

test('a change that fails or is killed before the file is written leaves the undo of the change before', () => {
  for (const part of [/before-/, /c\.yaml$/]) {
    failRenameTo(part);
    assert.throws(() => changeFile(file, 'two', 'three', io), { code: 'ENOSPC' });
    restoreRename();
    assert.equal(read(), 'two');
    assert.equal(readdirSync(join(file, '..')).length, 2, 'the copy of the change before alone');
  }
  undo();
  assert.equal(read(), 'one');
});

test('a change that fails leaves the copy of an earlier one that wrote the same text', () => {
  writeFileSync(file, 'edited');
  failRenameTo(/before-/);
  assert.throws(() => changeFile(file, 'edited', 'two', io), { code: 'ENOSPC' });
  restoreRename();
  assert.throws(undo, /c\.yaml has been edited since the last command/);
  assert.equal(readdirSync(join(file, '..')).length, 2, 'the file and its copy');
});

test('a change that writes the text of an earlier one is taken back to what was before it', () => {
  writeFileSync(file, 'edited');
  changeFile(file, 'edited', 'two', io);
  undo();
  assert.equal(read(), 'edited');
});

test('an undo that fails or is killed before the file is written can be repeated', () => {
  failRenameTo(/c\.yaml$/);
  assert.throws(undo, { code: 'ENOSPC' });
  restoreRename();
  assert.equal(read(), 'two');
  assert.equal(readdirSync(join(file, '..')).length, 2, 'the file and its copy');
  undo();
  assert.equal(read(), 'one');
});

test('a file edited since is not written over', () => {
  writeFileSync(file, 'edited');
  assert.throws(
    undo,
    /^UserError: c\.yaml has been edited since the last command, .* is .*c\.yaml\.before-[0-9a-f]{12}: copy/,
  );
  assert.equal(read(), 'edited');
  rmSync(file);
  assert.throws(undo, /c\.yaml has been edited since/);
});

test('a command of another user keeps the owner, or names the new one', (context) => {
  if (process.getuid?.() !== 0) return context.skip('only root can change an owner');
  const ownerOf = () => statSync(file).uid;
  chownSync(file, 1234, 5678);
  changeFile(file, 'two', 'three', io);
  undo();
  assert.equal(ownerOf(), 1234);
  assert.equal(io.text(), '');
  mock.method(fs, 'fchownSync', () => {
    throw Object.assign(new Error('EPERM'), { code: 'EPERM' });
  });
  syncBuiltinESMExports();
  changeFile(file, 'two', 'three', io);
  assert.equal(ownerOf(), 0);
  assert.match(
    io.text(),
    /c\.yaml belonged to 1234:5678 \(user:group\) and now belongs to 0:0, .+ run as root: chown 1234:5678 \S+c\.yaml$/,
  );
  chownSync(file, 1234, 5678);
  io = newIo();
  undo();
  assert.match(io.text(), /c\.yaml belonged to 1234:5678 /);
});

function undo(): void {
  undoChange(file, 'c.yaml', io);
}

function read(): string {
  return readFileSync(file, 'utf8');
}

/** As if the process ended, or the disk was full, at this step. */
function failRenameTo(part: RegExp): void {
  const { renameSync } = fs;
  mock.method(fs, 'renameSync', (from: string, to: string) => {
    if (part.test(to)) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
    renameSync(from, to);
  });
  syncBuiltinESMExports();
}

function restoreRename(): void {
  mock.restoreAll();
  syncBuiltinESMExports();
}
