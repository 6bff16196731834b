import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';

const folder = mkdtempSync(join(tmpdir(), 'runner-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a test file of this source, and options of the runner. */
function run(source: string, ...options: string[]) {
  const file = join(folder, 'made-up.test.ts');
  writeFileSync(file, `import { test } from 'node:test';\n${source}`);
  const { status, stdout, stderr } = spawnSync(process.execPath, ['tests/runner/run.ts', file, ...options], {
    encoding: 'utf8',
    // Without it the run would count as a part of this one.
    env: { ...process.env, NODE_TEST_CONTEXT: undefined },
  });
  return { status, file, output: stripVTControlCharacters(stdout + stderr) };
}

test('a run that failed ends with what failed, the command that runs it alone, and the counts', () => {
  const { status, file, output } = run(
    `test('passes', () => {});
     test('fails', () => { console.log('seen'); throw new Error('on purpose'); });`,
    '--seed',
    '7',
  );
  assert.equal(status, 1);
  const end = output.slice(output.indexOf(`✖ ${file}\n`));
  assert.match(end, /✖ failing tests:[\s\S]*on purpose/);
  assert.ok(end.includes(`Alone: npm test -- ${file} --seed 7\n`), end);
  assert.match(end, /\nunit +1 +2 +0 +\d+\n\n1 of 1 failed, \d+ s\. Seed 7\.\n$/);
});

test('a run that passed ends with its counts, and shows no output of its tests', () => {
  const { status, output } = run("test('passes', () => console.log('seen'));");
  assert.equal(status, 0);
  assert.doesNotMatch(output, /seen|Alone/);
  assert.match(output, /\nunit +1 +1 +0 +\d+\n\nAll passed, \d+ s\. Seed \d+\.\n$/);
});

test('the tests of a file run in an order that the seed gives', () => {
  const orders = ['1', '1', '2'].map((seed) => {
    const order = join(folder, 'order.txt');
    rmSync(order, { force: true });
    const { status } = run(
      `import { appendFileSync } from 'node:fs';
       for (let at = 0; at < 9; at += 1) test('is ' + at, () => appendFileSync(${JSON.stringify(order)}, at + ' '));`,
      '--seed',
      seed,
    );
    assert.equal(status, 0);
    return readFileSync(order, 'utf8');
  });
  assert.equal(orders[0], orders[1]);
  assert.notEqual(orders[0], orders[2]);
});

test('of files in one process none sees what another one left in a module, and a failure names its file', () => {
  const files = runTogether([
    "import { seen } from './state.ts'; test('is the first', () => assert.equal(seen.push(1), 1));",
    "import { seen } from './state.ts'; test('is the first', () => assert.equal(seen.push(1), 1));",
  ]);
  assert.equal(files.status, 0, files.output);
  const failed = runTogether(['', "test('fails', () => assert.fail('on purpose'));"]);
  assert.equal(failed.status, 1);
  assert.match(failed.output, /✖ failing tests:\n\ntest at \S+1\.test\.ts:/);
  const thrown = runTogether(["test('passes', () => {}); throw new Error('on purpose');", '']);
  assert.equal(thrown.status, 1);
  assert.match(thrown.output, /on purpose/);
});

test('a file that changes its process fails where others share it', () => {
  for (const [change, name] of [
    ["process.env.LEFT = '1'", 'process.env.LEFT'],
    ['globalThis.fetch = () => {}', 'globalThis.fetch'],
    ["process.on('exit', () => {})", 'listeners of exit'],
    ["process.chdir('/')", 'process.cwd()'],
  ] as const) {
    const { status, output } = runTogether([`test('changes', () => { ${change}; });`, '']);
    assert.equal(status, 1, change);
    assert.match(output, /A file changed these of the process: it has to run alone/);
    assert.ok(output.includes(`'${name}'`), output);
  }
});

/** Runs test files of these sources in one process. */
function runTogether(sources: readonly string[]) {
  writeFileSync(join(folder, 'state.ts'), 'export const seen: number[] = [];');
  const files = sources.map((source, at) => {
    const file = join(folder, `${at}.test.ts`);
    writeFileSync(
      file,
      `import assert from 'node:assert/strict'; import { test } from 'node:test';\n${source}`,
    );
    return file;
  });
  const args = ['--disable-warning=ExperimentalWarning', '--test-reporter=spec', 'tests/runner/together.ts'];
  const { status, stdout, stderr } = spawnSync(process.execPath, [...args, ...files], {
    encoding: 'utf8',
    env: { ...process.env, NODE_TEST_CONTEXT: undefined },
  });
  return { status, output: stripVTControlCharacters(stdout + stderr) };
}

test('a wrong part, file or seed is rejected', () => {
  for (const wrong of [['nothing'], ['tests/missing.test.ts'], ['--seed', 'x'], ['--all']]) {
    const { status, output } = run('', ...wrong);
    assert.equal(status, 1, wrong.join(' '));
    assert.match(
      output,
      /Name parts \(daily, rest, check, unit, product, browser, abuse\) or test files, a seed/,
    );
  }
});
