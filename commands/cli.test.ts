/** The table of commands, and how `cli.mjs` runs a command, in a folder with programs of the test in place of the commands. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { COMMANDS, stepsOf } from './command-table.mjs';

const MODULES = ['cli.mjs', 'commands/command-table.mjs', 'commands/prepare.mjs', 'process/nearest.mjs'];
/** Prints how it was started, and what it reads. */
const PRINT = `
  import { readFileSync } from 'node:fs';
  const { argv, execArgv, env, pid } = process;
  const path = env.PATH.split(':')[0];
  const compiled = env.NODE_COMPILE_CACHE;
  const input = readFileSync(0, 'utf8');
  console.log(JSON.stringify({ args: argv.slice(2), execArgv, cwd: process.cwd(), pid, path, compiled, input }));
  process.exit(7);`;
const OLDER_NODE = ['--import', 'data:text/javascript,process.execve=undefined'];

/** With a space and a quote in its path. */
const folder = mkdtempSync(join(tmpdir(), "it's a cli-"));
after(() => rmSync(folder, { recursive: true }));
for (const file of MODULES) cpSync(file, join(folder, file));
put('package.json', '{ "type": "module" }');
for (const file of ['package-lock.json', 'node_modules/.package-lock.json']) put(file, '{ "packages": {} }');
mkdirSync(join(folder, 'node_modules/node/bin'), { recursive: true });
symlinkSync(process.execPath, join(folder, 'node_modules/node/bin/node'));
put('node_modules/deno/deno', '');

const commands = COMMANDS.flatMap((group) => group.commands);
const names = commands.map(({ name }) => name);

describe('the table', () => {
  test('every command has an alias in package.json, and every alias a command', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      scripts: Record<string, string>;
    };
    const aliases = ['help', ...names];
    assert.deepEqual(Object.keys(scripts).sort(), aliases.sort());
    // npm's signals reach these: the shell between them does not stay. On a Node that cannot become another one, the shell
    // goes on with the project's.
    const stays = ['start', 'dev', 'demo'];
    for (const [name, script] of Object.entries(scripts)) {
      const prefix = `test -e node_modules/.bin/node || node cli.mjs prepare ${name} && exec `;
      assert.equal(script, `${stays.includes(name) ? prefix : ''}node cli.mjs ${name}`);
    }
  });

  test('every command has its file', () => {
    for (const command of commands) {
      for (const step of stepsOf(command)) {
        const file = step.find((argument) => !argument.startsWith('--')) ?? '';
        assert.notDeepEqual(globSync(file), [], `${command.name}: ${file}`);
      }
    }
  });

  test('the help has a line of at most 80 columns for each, also without packages and anywhere', () => {
    const bare = mkdtempSync(join(folder, 'bare-'));
    for (const file of MODULES) cpSync(file, join(bare, file));
    for (const args of [[], ['help'], ['--help']]) {
      const { status, stdout, stderr } = runCli(args, { entry: join(bare, 'cli.mjs'), cwd: '/' });
      assert.deepEqual([status, stderr], [0, '']);
      for (const { name, about } of commands) assert.match(stdout, new RegExp(`^  ${name} +${about}$`, 'm'));
      assert.deepEqual(
        stdout.split('\n').filter((line) => line.length > 80),
        [],
      );
    }
    assert.ok(!existsSync(join(bare, 'node_modules')));
  });
});

for (const [node, options] of [
  ['a Node that becomes the command', []],
  ['an older Node', OLDER_NODE],
] as const) {
  describe(node, () => {
    test('the command gets arguments, input and folder as they are, and its exit code is the result', async () => {
      put('commands/backup.ts', PRINT);
      const args = ['--keep', '14', '', 'a b', "it's", '$HOME', '*', 'ü', '--', '--help'];
      const child = startCli(['backup', ...args], { options, cwd: '/' });
      const [stdout, stderr] = [child.stdout, child.stderr].map((one) => one.setEncoding('utf8').toArray());
      child.stdin.end('typed');
      assert.deepEqual(await once(child, 'exit'), [7, null]);
      const { pid, ...rest } = JSON.parse((await stdout)?.join('') ?? '') as { pid: number };
      assert.deepEqual(rest, {
        args,
        execArgv: ['--disable-warning=ExperimentalWarning'],
        cwd: folder,
        path: join(folder, 'node_modules/.bin'),
        compiled: join(folder, 'node_modules/.cache/compiled'),
        input: 'typed',
      });
      assert.deepEqual(await stderr, []);
      assert.equal(pid === child.pid, options.length === 0, 'no process stays beside the command');
    });

    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      test(`${signal} reaches the command, which ends as it wants`, async () => {
        for (const [act, end] of [
          [`process.on('${signal}', () => process.exit(5))`, [5, null]],
          ['', [null, signal]],
        ] as const) {
          put('commands/start.ts', `${act}; setInterval(() => {}, 1000); console.log(process.pid);`);
          const child = startCli(['start'], { options });
          const [pid] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
          child.kill(signal);
          assert.deepEqual(await once(child, 'exit'), end);
          assert.throws(() => process.kill(Number(pid), 0), { code: 'ESRCH' });
        }
      });
    }
  });
}

test('each process of a command starts after the one before, and the first that fails is the last', () => {
  const steps = ['node_modules/.bin/biome', 'commands/check-imports.ts', 'commands/check-documents.ts'];
  const knip = 'node_modules/.bin/knip';
  for (const file of steps) put(file, `console.log(process.argv.slice(1).join(' '))`);
  put(knip, 'process.exit(3)');
  put('node_modules/.bin/astro', "console.log('not reached')");
  const check = () => runCli(['check', 'more']);
  const printed = steps.map((file) => join(folder, file));
  printed[0] += ' check --error-on-warnings .';
  assert.deepEqual(check(), { status: 3, stdout: `${printed.join('\n')}\n`, stderr: '' });
  put(knip, 'process.kill(process.pid, "SIGKILL")');
  assert.equal(check().status, null);
  put(knip, '');
  put('node_modules/.bin/astro', `console.log(process.argv.slice(2).join(' '))`);
  const last = 'check --minimumFailingSeverity warning more';
  assert.deepEqual(check(), { status: 0, stdout: `${[...printed, last].join('\n')}\n`, stderr: '' });
});

test('prepare makes the project ready for a command, and does not run it', () => {
  put('commands/start.ts', "console.log('runs')");
  assert.deepEqual(runCli(['prepare', 'start']), { status: 0, stdout: '', stderr: '' });
  rmSync(join(folder, 'node_modules/deno'), { recursive: true });
  try {
    assert.equal(runCli(['prepare', 'start']).status, 0);
    const { status, stderr } = runCli(['prepare', 'dev']);
    assert.equal(status, 1);
    assert.match(stderr, /packages deno have not installed/, 'development needs more');
  } finally {
    put('node_modules/deno/deno', '');
  }
});

test('an unknown command is named after the list, with the nearest one, and nothing is installed', () => {
  for (const [given, remedy] of [
    ['bakcup', 'Did you mean backup?'],
    ['catalog', 'Did you mean catalogue?'],
    ['test:hostd', 'Did you mean test:hosted?'],
    ['toString', 'The commands are listed above.'],
  ] as const) {
    const { status, stdout, stderr } = runCli([given, 'x'], { entry: 'cli.mjs' });
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(stderr, /^ {2}backup +copies/m);
    assert.ok(stderr.endsWith(`\nThere is no command "${given}". ${remedy}\n\n`), stderr);
  }
});

test('a socket that systemd passes is reported, since the command would not get it', () => {
  const script = 'LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" cli.mjs start';
  const { status, stderr } = spawnSync('sh', ['-c', script, process.execPath], { encoding: 'utf8' });
  assert.equal(status, 1);
  assert.match(stderr, /A socket of systemd .* has to start commands\/start\.ts/);
});

interface Options {
  /** Absent: the one in the folder with programs of the test. */
  readonly entry?: string;
  /** The folder from which it is started. */
  readonly cwd?: string;
  /** Of Node. */
  readonly options?: readonly string[];
}

function startCli(
  args: readonly string[],
  { entry = join(folder, 'cli.mjs'), cwd = '.', options = [] }: Options,
) {
  const env = { ...process.env, NODE_COMPILE_CACHE: undefined };
  return spawn(process.execPath, [...options, entry, ...args], { cwd, env });
}

function runCli(args: readonly string[], { entry = join(folder, 'cli.mjs'), cwd = '.' }: Options = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [entry, ...args], { cwd, encoding: 'utf8' });
  return { status, stdout, stderr };
}

/** @param file path in the project of the test */
function put(file: string, content: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), content);
}
