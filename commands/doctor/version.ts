/** Which version or commit runs and, where that is asked for, whether the repository has a newer one. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { VERSION } from '../../config/version.ts';
import { type Finding, findingsOf } from './finding.ts';

/** A commit that is no release: the one that the tag of this version names is. */
interface Commit {
  readonly id: string;
  /** Like 2026-11-28. */
  readonly date: string;
  /** Undefined if none is checked out. */
  readonly branch: string | undefined;
}

type Git = (...args: string[]) => Promise<string>;

const GUIDE = 'see docs/hosting.md#update-and-back';
const run = promisify(execFile);

/** @param folder the clone whose remote `origin` is asked with `updates`; nothing else of the product ever does */
export async function checkVersion(updates: boolean, timeoutMs: number, folder: string): Promise<Finding> {
  const { ok, skip, warn } = findingsOf('version');
  const env = { ...process.env, GIT_TERMINAL_PROMPT: '0' };
  const git: Git = async (...args) => {
    // The user of the product need not be the owner of the clone.
    const all = ['-c', `safe.directory=${folder}`, ...args];
    return (await run('git', all, { cwd: folder, timeout: timeoutMs, env })).stdout;
  };
  const commit = await findCommit(git);
  const branch = commit?.branch;
  const here = commit
    ? `This is commit ${commit.id}${branch === undefined ? '' : ` of ${branch}`} (${commit.date}), which is no ` +
      `release; its package.json has version ${VERSION}`
    : `This is version ${VERSION}`;
  if (!updates) return ok(`${here}.`);
  try {
    const refs = ['refs/tags/v*', ...(branch === undefined ? [] : [`refs/heads/${branch}`])];
    const listed = await git('ls-remote', '--refs', 'origin', ...refs);
    const newest = newestOf(
      [...listed.matchAll(/refs\/tags\/v(\d+\.\d+\.\d+)$/gm)].map(([, tag = '']) => tag),
    );
    if (newest !== undefined && !isNotNewer(newest))
      return warn(`${here}, and the repository has ${newest}: ${GUIDE}.`);
    const [, head] = /^(\S+)\trefs\/heads\//m.exec(listed) ?? [];
    if (head === undefined) return ok(`${here}, and the repository has no newer one.`);
    return (await hasCommit(git, head))
      ? ok(`${here}. The repository has no newer commit of ${branch}.`)
      : warn(`${here}. The repository has newer commits of ${branch}: ${GUIDE}.`);
  } catch (error) {
    const { code, stderr = '' } = error as { code?: unknown; stderr?: string };
    const reason =
      stderr.trim().split('\n')[0] || (code === 'ENOENT' ? 'git is not installed' : 'no response in time');
    return skip(`${here}. Newer ones could not be listed by git ls-remote (${reason}).`);
  }
}

/** The commit that is checked out; undefined for a release, and where the folder is no clone. */
async function findCommit(git: Git): Promise<Commit | undefined> {
  try {
    // An archive that was unpacked in another repository has a prefix in that.
    if ((await git('rev-parse', '--show-prefix')).trim() !== '') return undefined;
    const text = await git('log', '-1', '--decorate=full', '--format=%h%n%cs%n%D');
    const [id = '', date = '', refs = ''] = text.split('\n');
    if (refs.split(', ').includes(`tag: refs/tags/v${VERSION}`)) return undefined;
    return { id, date, branch: /^HEAD -> refs\/heads\/([^,]+)/.exec(refs)?.[1] };
  } catch {
    return undefined;
  }
}

/** Whether a commit of the repository is, or is part of, what is checked out. */
async function hasCommit(git: Git, id: string): Promise<boolean> {
  try {
    await git('merge-base', '--is-ancestor', id, 'HEAD');
    return true;
  } catch {
    return false;
  }
}

function newestOf(versions: readonly string[]): string | undefined {
  return versions.toSorted(compareVersions).at(-1);
}

function isNotNewer(version: string): boolean {
  return compareVersions(version, VERSION) <= 0;
}

const { compare: compareVersions } = new Intl.Collator('en', { numeric: true });
