import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { isLocked, takeLock } from './lock-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'lock-file-'));
after(() => rmSync(folder, { recursive: true }));
const HOLD = `
  import { takeLock } from ${JSON.stringify(join(import.meta.dirname, 'lock-file.ts'))};
  await takeLock(process.argv[1], 0);
  console.log('taken');
  setInterval(() => {}, 1_000);
`;

test('a lock that another process holds is taken once that one has ended, also by a kill', async () => {
  const file = join(folder, 'held');
  const options = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', HOLD, file];
  const holder = spawn(process.execPath, options, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(holder.stdout, 'data');
  assert.equal(await isLocked(file), true);
  assert.equal(await takeLock(file, 0), undefined);
  const waiting = takeLock(file, 30_000);
  holder.kill('SIGKILL');
  const release = await waiting;
  assert.ok(release);
  assert.equal(await isLocked(file), true, 'within one process too');
  release();
  assert.equal(await isLocked(file), false);
  assert.equal(await isLocked(file), false, 'looking at it leaves it free');
});

test('what is no lock, or cannot be opened, counts as free, and is not made', async () => {
  const [none, dir, text] = ['none', 'dir', 'text'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(dir);
  writeFileSync(text, 'no lock of SQLite '.repeat(100));
  for (const file of [none, dir, text]) assert.equal(await isLocked(file), false, file);
  assert.equal(existsSync(none), false);
});
