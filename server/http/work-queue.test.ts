import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createWorkQueue } from './work-queue.ts';

test('calls beyond the limit begin in their order, each when one ends', async () => {
  const queue = createWorkQueue(2);
  const { signal } = new AbortController();
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  for (const number of [1, 2, 3, 4]) {
    void queue.enter(signal).then((end) => {
      begun.push(number);
      if (end) ends.push(end);
    });
  }
  await nextTurn();
  assert.deepEqual(begun, [1, 2]);
  ends[1]?.();
  await nextTurn();
  assert.deepEqual(begun, [1, 2, 3]);
  ends[0]?.();
  await nextTurn();
  assert.deepEqual(begun, [1, 2, 3, 4]);
  for (const end of ends.slice(2)) end();
  for (const number of [5, 6, 7]) void queue.enter(signal).then(() => begun.push(number));
  await nextTurn();
  assert.deepEqual(begun.slice(4), [5, 6], 'as many as at the start');
});

test('a call that is aborted while it waits never begins, and holds up no other', async () => {
  const queue = createWorkQueue(1);
  const end = await queue.enter(new AbortController().signal);
  const gone = new AbortController();
  const left = queue.enter(gone.signal);
  let hasBegun = false;
  void queue.enter(new AbortController().signal).then(() => {
    hasBegun = true;
  });
  gone.abort();
  assert.equal(await left, undefined);
  assert.equal(await queue.enter(gone.signal), undefined);
  end?.();
  await nextTurn();
  assert.ok(hasBegun, 'the next one');
});
