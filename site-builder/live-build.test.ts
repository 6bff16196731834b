/** Which builds stay, in a folder of the test's own: the module works in that of its process. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';

const MODULE = JSON.stringify(resolve('site-builder/live-build.ts'));

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'live build-')));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a build removes neither the build before it nor one that a running server reads', async (t) => {
  const read = goLive();
  const server = spawn(
    process.execPath,
    programOf("m.keepBuilds([m.liveBuild()]); console.log('kept')", true),
    {
      cwd: folder,
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  t.after(() => server.kill('SIGKILL'));
  await once(server.stdout, 'data');
  const unread = goLive();
  const before = goLive();
  const live = goLive();
  assert.deepEqual([read, unread, before, live].map(existsSync), [true, false, true, true]);

  server.kill('SIGKILL');
  await once(server, 'exit');
  goLive();
  assert.deepEqual([read, before, live].map(existsSync), [false, false, true]);
  assert.deepEqual(marks(), []);
});

test('a build stays no longer than all its servers read it, and for a minute', () => {
  const read = goLive();
  run('m.keepBuilds([m.liveBuild()])()');
  assert.deepEqual(marks(), []);
  run('const [end] = [1, 2].map(() => m.keepBuilds([m.liveBuild()])); end(); end()');
  assert.equal(marks().length, 1, 'the other one of the same process');
  const now = Date.now() / 1_000;
  const [aged, recent] = [goLive(now - 61), goLive(now - 20)];
  goLive();
  goLive();
  assert.deepEqual([read, aged, recent].map(existsSync), [false, false, true]);
});

test('a build that a server of another user reads stays', () => {
  const read = goLive();
  goLive();
  run(`m.keepBuilds([${JSON.stringify(read)}])`);
  // As the system answers for a process of another user; tests may run as root, who has every right.
  goLive(0, "process.kill = () => { throw Object.assign(new Error('kill'), { code: 'EPERM' }) }; ");
  assert.ok(existsSync(read));
});

test('a build goes live after one that was killed while it did', () => {
  const last = goLive();
  // Half of a change of each link.
  for (const link of ['.builds/.next-live', '.next-dist']) symlinkSync('nowhere', join(folder, link));
  rmSync(join(folder, 'dist'));
  const live = goLive();
  assert.notEqual(live, last);
  assert.equal(realpathSync(join(folder, '.builds/live')), live);
});

test('the build of a clone that was moved is served, and the next one takes its place', () => {
  const last = goLive();
  const former = folder;
  folder = `${former} moved`;
  renameSync(former, folder);
  assert.equal(realpathSync(join(folder, 'dist')), last.replace(former, folder));
  assert.notEqual(goLive(), last.replace(former, folder));
});

test('a server that may not write in the folder of builds serves on', () => {
  assert.ok(!existsSync(join(folder, '.builds')));
  run("m.keepBuilds(['/nowhere/1-2'])");
});

/**
 * Returns the build's folder. Builds are old if nothing else is said, so that only marks keep them.
 * @param before statements that run first
 */
function goLive(madeAt = 0, before = ''): string {
  mkdirSync(join(folder, 'next'));
  run(`${before}m.goLive('next')`);
  const build = realpathSync(join(folder, 'dist'));
  utimesSync(build, madeAt, madeAt);
  return build;
}

function marks(): string[] {
  return readdirSync(join(folder, '.builds')).filter((name) => /\.\d+$/.test(name));
}

/** Runs statements, to which the module is `m`. */
function run(statements: string): void {
  const { status, stderr } = spawnSync(process.execPath, programOf(statements), {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
}

/** @param stays until its input ends */
function programOf(statements: string, stays = false): string[] {
  const program = `import * as m from ${MODULE}; ${statements}; ${stays ? 'process.stdin.resume();' : ''}`;
  return ['--input-type=module', '-e', program];
}
