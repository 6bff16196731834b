import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { VERSION } from '../../config/version.ts';
import { checkVersion } from './version.ts';

const TIMEOUT_MS = 10_000;
const HAS_GIT = spawnSync('git', ['--version']).status === 0;

test('the newest tag of the repository is compared by its numbers, and only when that is asked for', async (context) => {
  if (!HAS_GIT) return context.skip('git is not installed');
  const { upstream, clone, git } = newRepository(context);
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

  function judge(updates: boolean): Promise<string> {
    return judgeClone(clone, updates);
  }
});

test('a commit without the tag of its version is named as what it is, and compared with its branch', async (context) => {
  if (!HAS_GIT) return context.skip('git is not installed');
  const { upstream, clone, git, commit } = newRepository(context);
  git('-C', upstream, 'tag', `v${VERSION}`);
  commit(upstream);
  git('clone', '--quiet', upstream, clone);
  git('-C', clone, 'tag', 'nightly');
  const version = VERSION.replaceAll('.', '\\.');
  const here = `This is commit [0-9a-f]{7,} of trunk \\(\\d{4}-\\d\\d-\\d\\d\\), which is no release; its package\\.json has version ${version}`;
  assert.match(await judgeClone(clone, false), new RegExp(`^ok ${here}\\.$`));
  const same = new RegExp(`^ok ${here}\\. The repository has no newer commit of trunk\\.$`);
  assert.match(await judgeClone(clone, true), same);
  commit(clone);
  assert.match(await judgeClone(clone, true), same, 'a commit of the owner’s own');
  commit(upstream);
  const newer = `^warn ${here}\\. The repository has newer commits of trunk: see docs/hosting\\.md#update-and-back\\.$`;
  assert.match(await judgeClone(clone, true), new RegExp(newer));
  git('-C', upstream, 'tag', 'v99.9.0');
  assert.match(
    await judgeClone(clone, true),
    new RegExp(`^warn ${here}, and the repository has 99\\.9\\.0: `),
  );

  git('-C', clone, 'checkout', '--quiet', '--detach');
  assert.match(await judgeClone(clone, false), /^ok This is commit [0-9a-f]+ \(/);
  git('-C', clone, 'checkout', '--quiet', `v${VERSION}`);
  assert.equal(await judgeClone(clone, false), `ok This is version ${VERSION}.`);
  const archive = join(clone, 'archive');
  mkdirSync(archive);
  git('-C', clone, 'checkout', '--quiet', 'trunk');
  assert.equal(await judgeClone(archive, false), `ok This is version ${VERSION}.`);
});

async function judgeClone(clone: string, updates: boolean): Promise<string> {
  const { status, message } = await checkVersion(updates, TIMEOUT_MS, clone);
  return `${status} ${message}`;
}

/** A repository of one commit on the branch trunk, and the path of a clone that is to be made. */
function newRepository(context: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'version-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const upstream = join(folder, 'upstream');
  const git = (...args: string[]) => spawnSync('git', args, { cwd: folder });
  const who = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
  const commit = (where: string) =>
    git('-C', where, ...who, 'commit', '--quiet', '--allow-empty', '--message', `Change ${where}`);
  git('init', '--quiet', '--initial-branch=trunk', upstream);
  commit(upstream);
  return { upstream, clone: join(folder, 'clone'), git, commit };
}
