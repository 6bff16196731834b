import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { runCommand } from '../tests/support/run-command.ts';
import { commandOf, consoleOf } from './command.ts';
import { UserError } from './user-error.ts';

const LENGTH = 1_000_000;
const PROGRAM = `
  import { commandOf, consoleOf, runAsProcess } from ${JSON.stringify(pathToFileURL(join(import.meta.dirname, 'command.ts')).href)};
  await runAsProcess(commandOf(async ([how], io) => {
    consoleOf(io).log('x'.repeat(${LENGTH}));
    setInterval(() => {}, 1_000);
    if (how === 'fails') throw Object.assign(new Error('Correct it.'), { name: 'UserError' });
    if (how === 'later') await new Promise(() => setImmediate(() => { throw new Error('of a timer'); }));
  }));
`;

function start(how: string) {
  const options = ['--disable-warning=ExperimentalWarning', '--input-type=module-typescript', '-e', PROGRAM];
  // Behind the place of a file's name.
  return spawn(process.execPath, [...options, 'program', how]);
}

test('a command returns its exit code, and reports an error', async () => {
  const fails = (error: unknown) =>
    runCommand(
      commandOf(() => Promise.reject(error)),
      [],
    );
  assert.deepEqual(await fails(new UserError('Correct it.')), { code: 1, text: 'Correct it.' });
  const { code, text } = await fails(new TypeError('of the program'));
  assert.equal(code, 1);
  assert.match(text, /^TypeError: of the program\n {4}at /);
  const run = commandOf(async ([first], io) => {
    consoleOf(io).log(first);
    return first === 'two' ? 2 : undefined;
  });
  assert.deepEqual(await runCommand(run, ['one']), { code: 0, text: 'one' });
  assert.deepEqual(await runCommand(run, ['two']), { code: 2, text: 'two' });
});

for (const [how, code, wanted] of [
  ['succeeds', 0, /^$/],
  ['fails', 1, /^\nCorrect it\.\n\n$/],
] as const) {
  test(`a process whose command ${how} ends, after a slow reader has all its output`, async () => {
    const child = start(how);
    const exited = once(child, 'exit');
    // Nothing is read until the command has ended, or until the pipe is full.
    await once(how === 'fails' ? child.stderr : child.stdout, 'readable');
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    assert.equal(output.length, LENGTH + 1);
    assert.match(errors, wanted);
    assert.deepEqual(await exited, [code, null]);
  });
}

test('an error that no command catches ends the process', async () => {
  const child = start('later');
  const [, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  assert.match(errors, /Error: of a timer\n {4}at /);
  assert.equal(code, 1);
});
