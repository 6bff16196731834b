import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';

const folder = mkdtempSync(join(tmpdir(), 'secret-file-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'supabase/.temp/deploy-secrets');
const importIt = `const { withSecretFile } = await import('${resolve('commands/hosted/secret-file.ts')}');`;

/** Runs a script in the folder, while the file is there. @returns what it printed */
function during(script: string): string {
  const whole = `${importIt}
    process.umask(0);
    await withSecretFile('A=1', async () => { ${script} });`;
  return String(spawnSync(process.execPath, ['--input-type=module', '-e', whole], { cwd: folder }).stdout);
}

test('a file with secrets can be read by its user alone, and is removed afterwards', () => {
  const show = `const { readFileSync, statSync } = await import('node:fs');
    const path = '${file}';
    console.log(readFileSync(path, 'utf8'), (statSync(path).mode & 0o777).toString(8));`;
  assert.equal(during(show), 'A=1 600\n');
  assert.equal(existsSync(file), false);
  for (const end of ["throw new Error('a step failed');", 'process.exit(130);']) {
    during(end);
    assert.equal(existsSync(file), false, end);
  }
});

test('a file that a killed process has left is removed at the next run', () => {
  during("process.kill(process.pid, 'SIGKILL');");
  assert.equal(readFileSync(file, 'utf8'), 'A=1');
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const next = `${importIt} await withSecretFile(undefined, async () => {});`;
  spawnSync(process.execPath, ['--input-type=module', '-e', next], { cwd: folder });
  assert.equal(existsSync(file), false);
});
