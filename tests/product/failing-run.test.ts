import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { NODE, newFolder } from '../support/terminal.ts';

const REPORTER = '--test-reporter=./tests/support/test-reporter.ts';

/** Returns the output of a run of one test file. */
function outputOf(source: string): string {
  const file = join(newFolder(), 'made-up.test.mjs');
  writeFileSync(file, `import { test, suite } from 'node:test';\n${source}`);
  return spawnSync(NODE, ['--test', REPORTER, file], { encoding: 'utf8', env: { PATH: process.env.PATH } })
    .stdout;
}

test('a run that failed ends with its counts and the tests that failed', () => {
  const output = outputOf(`suite('a suite', () => {
    test('passes', () => {});
    test('fails', () => { throw new Error('on purpose'); });
  });`);
  assert.match(
    output,
    /on purpose[\s\S]*\nℹ tests 2\nℹ suites 1\nℹ pass 1\nℹ fail 1\n(?:ℹ .+\n)+\n✖ failed:\n {2}\S+made-up\.test\.mjs:4 {2}fails\n$/,
  );
});

test('a run that passed ends with its counts', () => {
  assert.match(outputOf("test('passes', () => {});"), /^✔ passes .+\nℹ tests 1\n(?:ℹ .+\n){7}$/);
});
