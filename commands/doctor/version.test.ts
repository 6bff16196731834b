import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { VERSION } from '../../config/version.ts';
import { checkVersion } from './version.ts';

const TIMEOUT_MS = 10_000;

test('the newest tag of the repository is compared by its numbers, and only when that is asked for', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'version-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const [upstream, clone] = [join(folder, 'upstream'), join(folder, 'clone')];
  const git = (...args: string[]) => spawnSync('git', args, { cwd: folder }).status;
  if (git('--version') !== 0) return context.skip('git is not installed');
  const who = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
  git('init', '--quiet', upstream);
  git('-C', upstream, ...who, 'commit', '--quiet', '--allow-empty', '--message', 'Begin');
  for (const tag of [`v${VERSION}`, 'v0.0.9', 'v999.0.0-rc.1', 'nightly-999'])
    git('-C', upstream, 'tag', tag);
  git('clone', '--quiet', upstream, clone);
  assert.match(await judge(true), /^ok This is version \S+, and the repository has no newer one\.$/);
  for (const tag of ['v99.9.0', 'v99.10.0']) git('-C', upstream, 'tag', tag);
  assert.match(
    await judge(true),
    /^warn .*the repository has 99\.10\.0: see docs\/hosting\.md#update-and-back\.$/,
  );

  rmSync(upstream, { recursive: true });
  assert.match(await judge(true), /^skip .* git ls-remote \(fatal: .+\)\.$/);
  assert.equal(await judge(false), `ok This is version ${VERSION}.`);

  async function judge(updates: boolean): Promise<string> {
    const { status, message } = await checkVersion(updates, TIMEOUT_MS, clone);
    return `${status} ${message}`;
  }
});
