import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runLimited } from './run-limited.ts';

test('tasks run a few at a time, and the results have the order of the items', async () => {
  let running = 0;
  let most = 0;
  const items = Array.from({ length: 20 }, (_, index) => index);
  const results = await runLimited(items, 3, Number.POSITIVE_INFINITY, async (item) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    return item * 2;
  });
  assert.equal(most, 3);
  assert.deepEqual(
    results,
    items.map((item) => item * 2),
  );
});

test('no task begins after the deadline', async () => {
  const deadline = performance.now() - 1;
  assert.deepEqual(await runLimited([1, 2], 8, deadline, async (item) => item), [undefined, undefined]);
});
