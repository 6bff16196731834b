import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { pathToFileURL } from 'node:url';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'prepare-'));
  writeFileSync(join(folder, 'package-lock.json'), '{}');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs it with a program in npm's place. */
function prepare(
  npm: string,
  {
    options = [],
    development = false,
    cwd = folder,
    env = {},
  }: { options?: string[]; development?: boolean; cwd?: string; env?: NodeJS.Dict<string> } = {},
) {
  writeFileSync(join(folder, 'npm.mjs'), npm);
  const module = JSON.stringify(pathToFileURL('commands/prepare.mjs'));
  const code = `const { prepare } = await import(${module}); await prepare(${development});`;
  return spawn(process.execPath, [...options, '--input-type=module', '-e', code], {
    cwd,
    env: { ...process.env, npm_execpath: join(folder, 'npm.mjs'), ...env },
  });
}

/** The exit code and the errors of a run. */
async function outcome(child: ReturnType<typeof prepare>): Promise<[code: number | null, errors: string]> {
  const errors = child.stderr.setEncoding('utf8').toArray();
  const [code] = (await once(child, 'exit')) as [number | null];
  return [code, (await errors).join('')];
}

/** What the scripts of the packages make. */
function addPrograms(place: string): void {
  for (const program of ['node/bin/node', 'deno/deno']) {
    const file = join(place, 'node_modules', program);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '');
  }
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
  addPrograms(folder);
  assert.deepEqual(await outcome(prepare('process.exit(7)')), [
    1,
    '\nThe packages could not be installed; see the output of npm above.\n\n',
  ]);
  assert.deepEqual(await outcome(prepare('')), [0, '']);
});

test('npm’s setting ignore-scripts is named where it keeps programs from being installed', async () => {
  const cwd = mkdtempSync(join(folder, 'without-'));
  writeFileSync(join(cwd, 'package-lock.json'), '{}');
  const remedy =
    'Run npm rebuild --ignore-scripts=false node deno (it runs no other package’s), then run this again.\n\n';
  for (const [env, cause] of [
    [{ npm_config_ignore_scripts: 'true' }, ' because npm’s setting ignore-scripts is true'],
    [{ npm_config_ignore_scripts: undefined }, ''],
  ] as const) {
    assert.deepEqual(await outcome(prepare('', { cwd, env, development: true })), [
      1,
      `\nThe scripts of the packages node and deno have not installed their programs${cause}. ${remedy}`,
    ]);
  }
  addPrograms(cwd);
  assert.deepEqual(
    await outcome(prepare('', { cwd, development: true, env: { npm_config_ignore_scripts: 'true' } })),
    [0, ''],
  );
});

test('a folder whose path Vite, Node or PATH cannot read is rejected before anything is installed', async () => {
  for (const character of ['#', '%', '?', '*', '"', ':', '\\']) {
    const cwd = join(folder, `a${character}b`);
    mkdirSync(cwd);
    const [code, errors] = await outcome(prepare("console.error('installs')", { cwd }));
    assert.equal(code, 1);
    assert.equal(
      errors,
      `\nThe path of this folder, ${cwd}, has the character ${character}, with which the site cannot be built. ` +
        'Rename or move the folder, then run this again.\n\n',
    );
  }
  const cwd = join(folder, "it's a & b, häfen [x] (y) {z} !$^+~=@<>|`");
  addPrograms(cwd);
  writeFileSync(join(cwd, 'package-lock.json'), '{}');
  assert.deepEqual(await outcome(prepare('', { cwd })), [0, '']);
});

test('a lock file that is newer and says the same takes no packages away, one that says otherwise does', async () => {
  const locked = (version: string) => ({
    packages: {
      '': { name: 'us' },
      'node_modules/a': { version },
      'node_modules/b': { version: '1.0.0', optional: true },
    },
  });
  addPrograms(folder);
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

test('the product installs what it needs, tests add the rest, and nothing takes it away again', async () => {
  const cwd = mkdtempSync(join(folder, 'development-'));
  addPrograms(cwd);
  const a = { version: '1.0.0' };
  const b = { version: '1.0.0', dev: true };
  const lock = (packages: object) => {
    writeFileSync(join(cwd, 'package-lock.json'), JSON.stringify({ packages }));
    utimesSync(join(cwd, 'package-lock.json'), 10, 10);
  };
  /** What npm is called with, or nothing. */
  const calls = async (installed: object | undefined, development = false) => {
    const record = join(cwd, 'node_modules/.package-lock.json');
    rmSync(record, { force: true });
    if (installed) {
      writeFileSync(record, JSON.stringify({ packages: installed }));
      utimesSync(record, 5, 5);
    }
    const child = prepare('console.error(process.argv.slice(2, -3).join(" "))', { cwd, development });
    return (await outcome(child))[1].trim();
  };
  lock({ 'node_modules/a': a, 'node_modules/b': b });
  assert.equal(await calls(undefined), 'ci --omit=dev');
  assert.equal(await calls({ 'node_modules/a': a }), '');
  assert.equal(await calls({ 'node_modules/a': a }, true), 'install --no-save --include=dev');
  assert.equal(await calls({ 'node_modules/a': a, 'node_modules/b': b }, true), '');
  assert.equal(await calls({ 'node_modules/a': a, 'node_modules/b': b }), '');
  assert.equal(await calls(undefined, true), 'ci --include=dev');
  // After an update.
  lock({ 'node_modules/a': { version: '2.0.0' }, 'node_modules/b': b });
  assert.equal(await calls({ 'node_modules/a': a }), 'ci --omit=dev');
  assert.equal(await calls({ 'node_modules/a': a, 'node_modules/b': b }), 'ci --include=dev');
  lock({ 'node_modules/a': a, 'node_modules/b': { version: '2.0.0', dev: true } });
  assert.equal(await calls({ 'node_modules/a': a, 'node_modules/b': b }), 'install --no-save --include=dev');
});

test('an older Node gets an error that says where there is a newer one', async () => {
  const older = "Object.defineProperty(process, 'versions', { value: { node: '18.20.4' } });";
  const options = ['--import', `data:text/javascript,${encodeURIComponent(older)}`];
  const [code, errors] = await outcome(prepare('', { options }));
  assert.equal(code, 1);
  assert.match(
    errors,
    /^\nThis needs Node 20 or newer to begin with; here is v\S+\. Get a newer one from https:\/\/nodejs\.org\/en\/download, then run this again\.\n\n$/,
  );
});
