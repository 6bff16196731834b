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
