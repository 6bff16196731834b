import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import type { MessageLinesApi } from '../api/message-lines.ts';
import { SessionEnded } from '../api/with-fresh-token.ts';
import { createMessageLines } from './message-lines.ts';

const settled = () => new Promise((done) => setImmediate(done));

function linesOf(read: MessageLinesApi['readMessageLines']) {
  const readMessageLines = mock.fn(read);
  const onSessionEnded = mock.fn();
  return { readMessageLines, onSessionEnded, ...createMessageLines({ readMessageLines }, onSessionEnded) };
}

test('the lines of rows drawn at one moment are read in one call, each once', async () => {
  const { $messageLines, requestMessageLine, readMessageLines } = linesOf(async () => ({ a: 'Hello' }));
  for (const id of ['a', 'b', 'a']) requestMessageLine(id);
  await settled();
  requestMessageLine('b');
  await settled();
  assert.deepEqual(
    readMessageLines.mock.calls.map(({ arguments: [ids] }) => ids),
    [['a', 'b']],
  );
  assert.deepEqual($messageLines.get(), { a: 'Hello' });
});

test('a response of the former session is dropped, and the next session reads again', async () => {
  const response = Promise.withResolvers<Record<string, string>>();
  const { $messageLines, requestMessageLine, resetMessageLines, readMessageLines } = linesOf(
    () => response.promise,
  );
  requestMessageLine('a');
  await settled();
  resetMessageLines();
  response.resolve({ a: 'Hello' });
  await settled();
  assert.deepEqual($messageLines.get(), {});
  requestMessageLine('a');
  await settled();
  assert.equal(readMessageLines.mock.callCount(), 2);
});

test('lines that could not be read are read with the next row; an ended session is reported', async () => {
  mock.method(console, 'info', () => {});
  let error: Error = new Error('resting');
  const { requestMessageLine, readMessageLines, onSessionEnded } = linesOf(() => Promise.reject(error));
  requestMessageLine('a');
  await settled();
  assert.equal(onSessionEnded.mock.callCount(), 0);
  error = new SessionEnded();
  requestMessageLine('a');
  await settled();
  assert.equal(readMessageLines.mock.callCount(), 2);
  assert.equal(onSessionEnded.mock.callCount(), 1);
});
