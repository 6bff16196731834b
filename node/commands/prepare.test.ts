import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';

const folder = mkdtempSync(join(tmpdir(), 'prepare-'));
after(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, 'package-lock.json'), '{}');

/** Runs it with a program in npm's place. */
function prepare(npm: string, nodeOptions: string[] = []) {
  writeFileSync(join(folder, 'npm.mjs'), npm);
  return spawn(process.execPath, [...nodeOptions, resolve('node/commands/prepare.mjs')], {
    cwd: folder,
    env: { ...process.env, npm_execpath: join(folder, 'npm.mjs') },
  });
}

for (const [how, npm] of [
  ['that ends when it is told to', 'setInterval(() => {}, 1000); console.log(process.pid);'],
  [
    'that does not',
    "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log(process.pid);",
  ],
] as const) {
  test(`Ctrl-C leaves no install behind, ${how}`, async () => {
    const child = prepare(npm);
    const said = new Promise<string>((done) => {
      let text = '';
      child.stderr.setEncoding('utf8').on('data', (part: string) => (text += part));
      child.stderr.once('end', () => done(text));
    });
    const pid = await new Promise<number>((done) => {
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        const line = /^\d+$/m.exec(text);
        if (line) done(Number(line[0]));
      });
    });
    child.kill('SIGINT');
    assert.deepEqual(await once(child, 'exit'), [130, null]);
    assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
    assert.equal(
      (await said).trim(),
      'Stopped. The packages are not installed yet; the next start installs them.',
    );
  });
}

test('an install that fails ends the command, and one that succeeds lets it go on', async () => {
  assert.deepEqual(await once(prepare('process.exit(7)'), 'exit'), [1, null]);
  assert.deepEqual(await once(prepare(''), 'exit'), [0, null]);
});

test('a lock file that is newer and says the same takes no packages away, one that says otherwise does', async () => {
  const locked = (version: string) => ({
    packages: {
      '': { name: 'us' },
      'node_modules/a': { version },
      'node_modules/b': { version: '1.0.0', optional: true },
    },
  });
  mkdirSync(join(folder, 'node_modules'));
  const note = join(folder, 'node_modules/.package-lock.json');
  writeFileSync(note, JSON.stringify({ packages: { 'node_modules/a': { version: '2.0.0' } } }));
  utimesSync(note, 0, 0);
  for (const [content, code] of [
    [JSON.stringify(locked('2.0.0')), 0],
    [JSON.stringify(locked('2.0.1')), 1],
    ['damaged', 1],
  ] as const) {
    writeFileSync(join(folder, 'package-lock.json'), content);
    assert.deepEqual(await once(prepare('process.exit(7)'), 'exit'), [code, null], content);
  }
});

test('an older Node gets to know where there is a newer one', async () => {
  const older = "Object.defineProperty(process, 'versions', { value: { node: '18.20.4' } });";
  const child = prepare('', ['--import', `data:text/javascript,${encodeURIComponent(older)}`]);
  const said = child.stderr.setEncoding('utf8').toArray();
  assert.deepEqual(await once(child, 'exit'), [1, null]);
  assert.match(
    (await said).join(''),
    /^\nThis needs Node 20 or newer to begin with; here is v\S+\. Get a newer one from https:\/\/nodejs\.org\/en\/download, then run this again\.\n\n$/,
  );
});
