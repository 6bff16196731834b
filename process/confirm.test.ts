import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newIo } from '../tests/support/run-command.ts';
import { confirm } from './confirm.ts';

const WORDS = { verb: 'delete', done: 'deleted' };

for (const [typed, isWanted] of [
  ['y', true],
  ['YES', true],
  [' y ', true],
  ['', false],
  ['n', false],
  ['yesterday', false],
  ['not yes', false],
] as const) {
  test(`${JSON.stringify(typed)} ${isWanted ? 'confirms' : 'does not confirm'}`, async () => {
    const io = newIo({ typed: () => typed });
    assert.equal(await confirm('Delete?', WORDS, io), isWanted);
    assert.match(io.text(), /^Delete\? \[y\/N\]/);
  });
}

test('nothing is asked where the input or the output is no terminal', async () => {
  for (const piped of ['stdin', 'stdout'] as const) {
    const io = newIo({ typed: () => 'y' });
    Object.assign(io[piped], { isTTY: false });
    await assert.rejects(
      confirm('Delete?', WORDS, io),
      /^UserError: Nothing was deleted, because there is no terminal to ask on\. To delete without a question, add --yes\.$/,
    );
    assert.equal(io.text(), '');
  }
});
