import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { waitUntil } from '../tests/support/terminal.ts';

test('a build gives way to the product in time and memory, and ends with it', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'build-process-'));
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', resolve('site-builder/build-process.ts')],
    { cwd: folder, stdio: ['pipe', 'inherit', 'inherit'] },
  );
  const exited = once(child, 'exit');
  context.after(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });
  const pid = child.pid as number;
  await waitUntil(() => getPriority(pid) === 10, 'the lower priority');
  const score = `/proc/${pid}/oom_score_adj`;
  if (existsSync(score)) await waitUntil(() => readFileSync(score, 'utf8') === '800\n', 'the higher score');
  // As the end of its parent does.
  child.stdin.end();
  assert.deepEqual(await exited, [1, null]);
});
