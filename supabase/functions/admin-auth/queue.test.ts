import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createQueue } from './queue.ts';

const WIDE = { interval: 1, length: 10, lengthPerSource: 10 };

test('tasks run one at a time, in the order they came, and a failing one delays nobody', async () => {
  const queue = createQueue(WIDE);
  const seen: string[] = [];
  const task =
    (name: string, fails = false) =>
    async () => {
      seen.push(`${name} starts`);
      await new Promise((resolve) => setTimeout(resolve, 5));
      seen.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    };
  const results = await Promise.allSettled([
    queue.run('', task('a')),
    queue.run('', task('b', true)),
    queue.run('', task('c')),
  ]);
  assert.deepEqual(seen, ['a starts', 'a ends', 'b starts', 'b ends', 'c starts', 'c ends']);
  assert.deepEqual(
    results.map((result) => (result.status === 'fulfilled' ? result.value : 'failed')),
    ['a', 'failed', 'c'],
  );
});

test('a full queue rejects a task, and has room again afterwards', async () => {
  const queue = createQueue({ interval: 0, length: 2, lengthPerSource: 2 });
  const task = async () => 'done';
  const three = await Promise.all([queue.run('a', task), queue.run('b', task), queue.run('c', task)]);
  assert.deepEqual(three, ['done', 'done', undefined]);
  assert.equal(await queue.run('d', task), 'done');
});

test('one source cannot fill the queue', async () => {
  const queue = createQueue({ interval: 0, length: 10, lengthPerSource: 2 });
  const task = async () => 'done';
  const results = await Promise.all([
    ...Array.from({ length: 4 }, () => queue.run('flood', task)),
    queue.run('owner', task),
  ]);
  assert.deepEqual(results, ['done', 'done', undefined, undefined, 'done']);
  assert.equal(await queue.run('flood', task), 'done');
});

test('waiting tells nothing of how long a task took: each starts, and each result comes, at an interval', async () => {
  const intervals: (() => void)[] = [];
  const queue = createQueue(WIDE, () => new Promise((resolve) => intervals.push(resolve)));
  const seen: string[] = [];
  const come = (name: string, end: Promise<unknown>, fails = false) =>
    queue
      .run('', async () => {
        seen.push(`${name} starts`);
        await end;
        if (fails) throw new Error(name);
      })
      .catch(() => {})
      .then(() => seen.push(`${name} returns`));
  const slow = Promise.withResolvers<void>();
  const all = [
    come('quick', Promise.resolve()),
    come('failing', Promise.resolve(), true),
    come('slow', slow.promise),
    come('last', Promise.resolve()),
  ];

  await everythingThatCan();
  assert.deepEqual(seen.splice(0), ['quick starts'], 'its end alone starts no other');
  intervals[0]?.();
  await everythingThatCan();
  assert.deepEqual(seen.splice(0).sort(), ['failing starts', 'quick returns']);
  intervals[1]?.();
  await everythingThatCan();
  assert.deepEqual(seen.splice(0).sort(), ['failing returns', 'slow starts']);
  intervals[2]?.();
  await everythingThatCan();
  assert.deepEqual(seen.splice(0), [], 'two never run at once');
  slow.resolve();
  await everythingThatCan();
  assert.deepEqual(seen.splice(0).sort(), ['last starts', 'slow returns']);
  intervals[3]?.();
  await Promise.all(all);
  assert.equal(intervals.length, 4);
});

/** Until no promise is left that settles by itself. */
function everythingThatCan(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
