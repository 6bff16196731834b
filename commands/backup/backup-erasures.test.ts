import assert from 'node:assert/strict';
import fs, { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { noteErasure, readErasures, writeErasures } from '../../server/embedded/erasures.ts';
import { backupFolder, copyErasures, rememberBackupFolder } from './backup-erasures.ts';

const root = mkdtempSync(join(tmpdir(), 'backup-erasures-'));
after(() => rmSync(root, { recursive: true }));
const newFolder = () => mkdtempSync(join(root, 'folder-'));

test('dated backups have a file of erasures, also of none', () => {
  const [dataDir, folder] = [newFolder(), newFolder()];
  copyErasures(dataDir, folder, false);
  assert.equal(readErasures(folder), undefined);
  copyErasures(dataDir, folder, true);
  assert.deepEqual(readErasures(folder), []);
});

test('erasures beside the backups that the data folder lacks are kept', async () => {
  const [dataDir, folder] = [newFolder(), newFolder()];
  await noteErasure(folder, 'ada7@example.com');
  const [noted] = readErasures(folder) ?? [];
  copyErasures(dataDir, folder, true);
  assert.deepEqual(readErasures(folder), [noted]);
  await noteErasure(dataDir, 'ada8@example.com');
  copyErasures(dataDir, folder, false);
  assert.deepEqual(readErasures(folder), [noted, ...(readErasures(dataDir) ?? [])]);
});

test('an erasure that another backup writes at the same moment does not take the place of these', async (context) => {
  const [dataDir, other, folder] = [newFolder(), newFolder(), newFolder()];
  for (const [place, email] of [
    [dataDir, 'ada7@example.com'],
    [other, 'ada8@example.com'],
  ] as const)
    await noteErasure(place, email);
  const [ours = [], theirs = []] = [readErasures(dataDir), readErasures(other)];
  const others = [...theirs];
  const { renameSync } = fs;
  const rename = context.mock.method(fs, 'renameSync', (from: string, to: string) => {
    renameSync(from, to);
    for (const late of others.splice(0)) writeErasures(folder, [late]);
  });
  syncBuiltinESMExports();
  try {
    copyErasures(dataDir, folder, true);
  } finally {
    rename.mock.restore();
    syncBuiltinESMExports();
  }
  assert.deepEqual(readErasures(folder), [...theirs, ...ours]);
});

test('the folder of the last dated backup is remembered, in a file of the owner’s alone', () => {
  const dataDir = newFolder();
  assert.equal(backupFolder(dataDir), undefined);
  for (const folder of ['/var/backups/a', '/var/backups/b']) {
    rememberBackupFolder(dataDir, folder);
    assert.equal(backupFolder(dataDir), folder);
  }
  const [file = ''] = readdirSync(dataDir).map((name) => join(dataDir, name));
  const { mode, mtimeNs } = statSync(file, { bigint: true });
  assert.equal(mode & 0o777n, 0o600n);
  rememberBackupFolder(dataDir, '/var/backups/b');
  assert.equal(statSync(file, { bigint: true }).mtimeNs, mtimeNs, 'it is not written again');
  rmSync(file);
  mkdirSync(file);
  assert.throws(() => backupFolder(dataDir), /^UserError: \S+ could not be read \(EISDIR/);
});
