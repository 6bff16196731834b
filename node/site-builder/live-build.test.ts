/** Which builds stay, in a folder of the test's own: the module works in that of its process. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'live build-')));
after(() => rmSync(folder, { recursive: true }));
/** What a build writes for web servers. */
const DESCRIPTION = {
  everywhere: "default-src 'self'",
  exceptions: [],
  hosts: ['names.example.com'],
  prefixes: [],
};

test('the build that a web server reads stays until the server was reloaded', () => {
  const first = goLive();
  assert.equal(readFileSync(join(folder, '.builds/switched.txt'), 'utf8'), `${first}\n`);
  assert.equal(reload('true'), 0);
  goLive();
  const third = goLive();
  assert.ok(existsSync(first));

  assert.equal(reload('false'), 1);
  goLive();
  const fifth = goLive();
  assert.ok(existsSync(first), 'the server has not been reloaded');
  assert.ok(existsSync(third), 'or it has, in spite of the error');

  assert.equal(reload('true'), 0);
  goLive();
  goLive();
  assert.deepEqual([first, third, fifth].map(existsSync), [false, false, true]);
});

test('a build removes neither the build before it nor one that a running server reads', () => {
  const pins = join(folder, `.builds/pinned-${process.pid}`);
  const [read, unread] = [goLive(), goLive()];
  writeFileSync(pins, JSON.stringify([read]));
  const before = goLive();
  const live = goLive();
  assert.deepEqual([read, unread, before, live].map(existsSync), [true, false, true, true]);
  rmSync(pins);
  goLive();
  assert.deepEqual([read, before, live].map(existsSync), [false, false, true]);
});

test('a damaged list of pinned builds fails no build, and removes none, until it is written again', () => {
  const first = goLive();
  writeFileSync(join(folder, '.builds/pinned-web-server'), '');
  goLive();
  goLive();
  assert.ok(existsSync(first));
  assert.equal(reload('true'), 0);
  goLive();
  assert.ok(!existsSync(first));
});

test('a reload follows no link that another user put into the folder of builds', () => {
  goLive();
  const other = join(folder, 'other');
  mkdirSync(other);
  writeFileSync(join(other, 'file'), 'as it was');
  symlinkSync(join(other, 'file'), join(folder, '.builds/.pin'));
  rmSync(join(folder, '.builds/pinned-web-server'), { force: true });
  symlinkSync(other, join(folder, '.builds/pinned-web-server'));
  assert.equal(reload('true'), 0);
  assert.deepEqual(readdirSync(other), ['file']);
  assert.equal(readFileSync(join(other, 'file'), 'utf8'), 'as it was');
});

test('the server names a build in switched.txt that was killed right after its switch', () => {
  const switched = join(folder, '.builds/switched.txt');
  const before = readFileSync(switched, 'utf8');
  const build = goLive();
  writeFileSync(switched, before);
  run('completeSwitch()');
  assert.equal(readFileSync(switched, 'utf8'), `${build}\n`);
  utimesSync(switched, 0, 0);
  run('completeSwitch()');
  assert.equal(statSync(switched).mtimeMs, 0, 'written once: each change reloads the web server');
});

test('a build cannot write the configuration of a web server, nor stop its reload by a pipe', () => {
  const configurations = join(folder, 'configurations');
  const build = goLive();
  assert.equal(reload('true'), 0);
  const written = readFileSync(join(configurations, 'nginx-server.conf'), 'utf8');
  assert.ok(written.includes(`root "${build}/client";`));

  // As a program of the service's user might leave them.
  const hostile = { ...DESCRIPTION, hosts: ['a "b"; } error_log /etc/cron.d/a; map $host $c {'] };
  for (const leave of [
    (file: string) => writeFileSync(file, JSON.stringify(hostile)),
    (file: string) => symlinkSync('/etc/passwd', file),
    (file: string) => spawnSync('mkfifo', [file]),
  ]) {
    const file = join(build, 'deploy/build.json');
    rmSync(file);
    leave(file);
    assert.equal(reload('true'), 1);
    assert.equal(readFileSync(join(configurations, 'nginx-server.conf'), 'utf8'), written);
  }
  const other = join(folder, 'elsewhere');
  mkdirSync(join(other, 'deploy'), { recursive: true });
  writeFileSync(join(other, 'deploy/build.json'), JSON.stringify(DESCRIPTION));
  rmSync(join(folder, '.builds/live'));
  symlinkSync(other, join(folder, '.builds/live'));
  assert.equal(reload('true'), 1);

  goLive();
  rmSync(join(folder, '.builds/pinned-web-server'));
  spawnSync('mkfifo', [join(folder, '.builds/pinned-web-server')]);
  assert.equal(reload('true'), 0);
});

/** Returns the build's folder. All builds are old, so that only pins keep them. */
function goLive(): string {
  mkdirSync(join(folder, 'next/deploy'), { recursive: true });
  writeFileSync(join(folder, 'next/deploy/build.json'), JSON.stringify(DESCRIPTION));
  run("goLive('next')");
  const build = realpathSync(join(folder, 'dist'));
  utimesSync(build, 0, 0);
  return build;
}

/** Calls a function of the module. */
function run(call: string): void {
  const program = `import * as m from ${JSON.stringify(resolve('node/site-builder/live-build.ts'))}; m.${call};`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
}

function reload(command: string): number | null {
  return spawnSync('sh', [resolve('docs/deploy/reload-web-server.sh'), command], {
    cwd: folder,
    env: { PATH: process.env.PATH, CONFIGURATION_FOLDER: join(folder, 'configurations') },
    timeout: 20_000,
  }).status;
}
