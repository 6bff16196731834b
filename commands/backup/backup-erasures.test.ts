import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { noteErasure, readErasures } from '../../server/embedded/erasures.ts';
import { copyErasures } from './backup-erasures.ts';

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
  copyErasures(dataDir, folder, true);
  assert.deepEqual(readErasures(folder), [noted, ...(readErasures(dataDir) ?? [])]);
});
