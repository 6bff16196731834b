import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createQueue, type Queue } from './queue.ts';

const WIDE = { intervalMs: 1, length: 10, lengthPerSource: 10 };

/** Undefined where the queue is full. */
const run = <Result>(queue: Queue, source: string, task: () => Promise<Result>) =>
  queue.reserve(source)?.run(task);

test('tasks of one source run one at a time and in order, also after one that fails', async () => {
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
    run(queue, '', task('a')),
    run(queue, '', task('b', true)),
    run(queue, '', task('c')),
  ]);
  assert.deepEqual(seen, ['a starts', 'a ends', 'b starts', 'b ends', 'c starts', 'c ends']);
  assert.deepEqual(
    results.map((result) => (result.status === 'fulfilled' ? result.value : 'failed')),
    ['a', 'failed', 'c'],
  );
});

test('a full queue rejects a task, and has room again afterwards', async () => {
  const queue = createQueue({ intervalMs: 0, length: 2, lengthPerSource: 2 });
  const task = async () => 'done';
  const three = await Promise.all([run(queue, 'a', task), run(queue, 'b', task), run(queue, 'c', task)]);
  assert.deepEqual(three, ['done', 'done', undefined]);
  assert.equal(await run(queue, 'd', task), 'done');
});

test('one source cannot fill the queue', async () => {
  const queue = createQueue({ intervalMs: 0, length: 10, lengthPerSource: 2 });
  const task = async () => 'done';
  const results = await Promise.all([
    ...Array.from({ length: 4 }, () => run(queue, 'flood', task)),
    run(queue, 'owner', task),
  ]);
  assert.deepEqual(results, ['done', 'done', undefined, undefined, 'done']);
  assert.equal(await run(queue, 'flood', task), 'done');
});

test('the queue chooses the source of the next task at random, however many tasks it has', async () => {
  const draws = [0.99, 0, 0.5, 0];
  const queue = createQueue(WIDE, undefined, () => draws.shift() ?? 0);
  const seen: string[] = [];
  const come = (source: string, name: string) => run(queue, source, async () => seen.push(name));
  await Promise.all([
    come('flood', 'flood 1'),
    come('flood', 'flood 2'),
    come('flood', 'flood 3'),
    come('owner', 'owner 1'),
  ]);
  assert.deepEqual(seen, ['flood 1', 'flood 2', 'owner 1', 'flood 3']);
});

test('a reserved place counts before its task runs, and can be released without one', async () => {
  const queue = createQueue({ intervalMs: 0, length: 2, lengthPerSource: 1 });
  const place = queue.reserve('a');
  assert.ok(place);
  assert.equal(queue.reserve('a'), undefined);
  assert.equal(await run(queue, 'b', async () => 'done'), 'done', 'it delays no other task');
  place.release();
  assert.equal(await run(queue, 'a', async () => 'done'), 'done');
});

test('the time in the queue does not reveal how long a task took: tasks start and return at intervals', async () => {
  const intervals: (() => void)[] = [];
  const queue = createQueue(WIDE, () => new Promise((resolve) => intervals.push(resolve)));
  const seen: string[] = [];
  const come = (name: string, end: Promise<unknown>, fails = false) =>
    run(queue, '', async () => {
      seen.push(`${name} starts`);
      await end;
      if (fails) throw new Error(name);
    })
      ?.catch(() => {})
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
