import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runLimited } from './run-limited.ts';

test('tasks run a few at a time, each once, and the results have the order of the items', async () => {
  let running = 0;
  let most = 0;
  const begun: number[] = [];
  const items = Array.from({ length: 20 }, (_, index) => index);
  const results = await runLimited(items, 3, Number.POSITIVE_INFINITY, async (item) => {
    begun.push(item);
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    return item * 2;
  });
  assert.equal(most, 3);
  assert.deepEqual(begun, items, 'each item once');
  assert.deepEqual(
    results,
    items.map((item) => item * 2),
  );
});

test('no task begins after the deadline, which passes during one', async (context) => {
  let now = 0;
  context.mock.method(performance, 'now', () => now);
  const results = await runLimited([1, 2, 3, 4, 5], 2, 1_000, async (item) => {
    if (item === 3) now = 1_000;
    return item;
  });
  assert.deepEqual(results, [1, 2, 3, undefined, undefined]);
});
