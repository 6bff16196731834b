/** An update of the product by `git pull`, with a real repository to pull from. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { SAMPLE_CATALOGUE } from '../../src/catalogue/catalogue-file.ts';
import { BASE_ENV } from '../support/base-environment.ts';
import { NODE, newFolder } from '../support/terminal.ts';

const OWN_NAME = 'owned.example';
const UPSTREAM_NAME = 'upstream.example';

test('git pull over a changed sample works with an own/ folder, and fails over an edited sample', (context) => {
  if (spawnSync('git', ['--version']).error) return context.skip('git is not installed');
  const upstream = repository();
  const [owner, editor] = [clone(upstream), clone(upstream)];
  const ownFile = join(owner, 'own/catalogue.yaml');
  mkdirSync(join(owner, 'own'));
  writeFileSync(ownFile, withEntry(readFileSync(join(owner, SAMPLE_CATALOGUE), 'utf8'), OWN_NAME));
  const ownText = readFileSync(ownFile, 'utf8');
  appendFileSync(join(editor, SAMPLE_CATALOGUE), entry(OWN_NAME));
  appendFileSync(join(upstream, SAMPLE_CATALOGUE), entry(UPSTREAM_NAME));
  commitAll(upstream, 'Change the sample');

  assert.match(git(owner, 'pull').text, /Fast-forward/);
  assert.equal(git(owner, 'status', '--porcelain').text, '');
  assert.ok(readFileSync(join(owner, SAMPLE_CATALOGUE), 'utf8').includes(UPSTREAM_NAME));
  assert.equal(readFileSync(ownFile, 'utf8'), ownText);
  assert.ok(namesFor(owner).includes(OWN_NAME));
  assert.ok(!namesFor(owner).includes(UPSTREAM_NAME));

  const failed = git(editor, 'pull');
  assert.notEqual(failed.code, 0);
  assert.match(
    failed.text,
    /local changes .* would be overwritten by merge:\s+src\/content\/catalogue\.yaml/,
  );
});

/** A repository with what an update can change of the owner's: the ignored files and the sample. */
function repository(): string {
  const folder = newFolder();
  for (const name of ['.gitignore', SAMPLE_CATALOGUE]) {
    cpSync(name, join(folder, name));
  }
  git(folder, 'init', '--quiet', '--initial-branch=main');
  commitAll(folder, 'Begin');
  return folder;
}

function clone(upstream: string): string {
  const folder = newFolder();
  assert.equal(git(folder, 'clone', '--quiet', upstream, '.').code, 0);
  return folder;
}

function commitAll(folder: string, message: string): void {
  assert.equal(git(folder, 'add', '--all').code, 0);
  const { code, text } = git(folder, 'commit', '--quiet', '--message', message);
  assert.equal(code, 0, text);
}

/** Git without this machine's settings. */
function git(folder: string, ...args: string[]): { code: number | null; text: string } {
  const { status, stdout, stderr } = spawnSync('git', args, {
    cwd: folder,
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      LC_ALL: 'C',
      GIT_CONFIG_NOSYSTEM: '1',
      ...identity('AUTHOR'),
      ...identity('COMMITTER'),
    },
  });
  return { code: status, text: `${stdout}${stderr}`.trim() };
}

function identity(role: 'AUTHOR' | 'COMMITTER'): Record<string, string> {
  return { [`GIT_${role}_NAME`]: 'Test', [`GIT_${role}_EMAIL`]: 'test@example.com' };
}

/** The names in the catalogue that the product would read in a folder. */
function namesFor(folder: string): string[] {
  const script = `import(${JSON.stringify(resolve('src/catalogue/load.ts'))}).then(({ loadCatalogue }) =>
    console.log(JSON.stringify(loadCatalogue().domains.map(({ name }) => name))))`;
  const { stdout, stderr } = spawnSync(NODE, ['--disable-warning=ExperimentalWarning', '-e', script], {
    cwd: folder,
    encoding: 'utf8',
    env: BASE_ENV,
  });
  assert.notEqual(stdout, '', stderr);
  return JSON.parse(stdout) as string[];
}

/** The sample's entries stand at the end of the file. */
function withEntry(catalogue: string, name: string): string {
  return `${catalogue.trimEnd()}\n${entry(name)}`;
}

function entry(name: string): string {
  return `\n  - name: ${name}\n    price: $1\n    description: One.\n    hasBroker: true\n`;
}
