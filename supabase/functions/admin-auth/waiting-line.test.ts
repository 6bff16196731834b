import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitingLine } from './waiting-line.ts';

test('one task runs at a time, in the order they came, and a failing one holds up nobody', async () => {
  const line = waitingLine(1, 10);
  const seen: string[] = [];
  const task =
    (name: string, fails = false) =>
    async () => {
      seen.push(`${name} begins`);
      await new Promise((resolve) => setTimeout(resolve, 5));
      seen.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    };
  const results = await Promise.allSettled([
    line.take(task('a')),
    line.take(task('b', true)),
    line.take(task('c')),
  ]);
  assert.deepEqual(seen, ['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  assert.deepEqual(
    results.map((result) => (result.status === 'fulfilled' ? result.value : 'failed')),
    ['a', 'failed', 'c'],
  );
});

test('who would wait too long is sent away, and the place is free again afterwards', async () => {
  const line = waitingLine(0, 2);
  const task = async () => 'done';
  const three = await Promise.all([line.take(task), line.take(task), line.take(task)]);
  assert.deepEqual(three, ['done', 'done', undefined]);
  assert.equal(await line.take(task), 'done');
});
