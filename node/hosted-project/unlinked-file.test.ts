import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { UNLINKED_PATH, withUnlinkedFile } from './unlinked-file.ts';

let folder: string;
const usual = process.env.TMPDIR;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'unlinked-test-'));
  process.env.TMPDIR = folder;
});
after(() => {
  if (usual === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = usual;
  rmSync(folder, { recursive: true, force: true });
});

test('a child reads the content, and nothing of it has a name meanwhile', async () => {
  const read = `process.stdout.write(require('node:fs').readFileSync('${UNLINKED_PATH}', 'utf8'))`;
  const output = await withUnlinkedFile('a secret\n', async (descriptor) => {
    assert.deepEqual(readdirSync(folder), []);
    return spawnSync(process.execPath, ['-e', read], { stdio: [descriptor, 'pipe', 'inherit'] }).stdout;
  });
  assert.equal(String(output), 'a secret\n');
});
