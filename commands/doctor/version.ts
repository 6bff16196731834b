/** Which version runs and, where that is asked for, whether the repository has a newer one. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { VERSION } from '../../config/version.ts';
import { type Finding, findingsOf } from './finding.ts';

const run = promisify(execFile);

/** @param folder the clone whose remote `origin` is asked with `updates`; nothing else of the product ever does */
export async function checkVersion(updates: boolean, timeoutMs: number, folder: string): Promise<Finding> {
  const { ok, skip, warn } = findingsOf('version');
  if (!updates) return ok(`This is version ${VERSION}.`);
  // The user of the product need not be the owner of the clone.
  const listTags = ['-c', `safe.directory=${folder}`, 'ls-remote', '--tags', '--refs', 'origin', 'v*'];
  const env = { ...process.env, GIT_TERMINAL_PROMPT: '0' };
  try {
    const { stdout } = await run('git', listTags, { cwd: folder, timeout: timeoutMs, env });
    const newest = newestOf(
      [...stdout.matchAll(/refs\/tags\/v(\d+\.\d+\.\d+)$/gm)].map(([, tag = '']) => tag),
    );
    return newest === undefined || isNotNewer(newest)
      ? ok(`This is version ${VERSION}, and the repository has no newer one.`)
      : warn(
          `This is version ${VERSION}, and the repository has ${newest}: see docs/hosting.md#update-and-back.`,
        );
  } catch (error) {
    const { code, stderr = '' } = error as { code?: unknown; stderr?: string };
    const reason =
      stderr.trim().split('\n')[0] || (code === 'ENOENT' ? 'git is not installed' : 'no response in time');
    return skip(`This is version ${VERSION}. Newer ones could not be listed by git ls-remote (${reason}).`);
  }
}

function newestOf(versions: readonly string[]): string | undefined {
  return versions.toSorted(compareVersions).at(-1);
}

function isNotNewer(version: string): boolean {
  return compareVersions(version, VERSION) <= 0;
}

const { compare: compareVersions } = new Intl.Collator('en', { numeric: true });
