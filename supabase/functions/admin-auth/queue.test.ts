import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { createLanes } from './lanes.ts';
import { createQueue, type Queue, QueueFull } from './queue.ts';

const WIDE = { intervalMs: 1, length: 10 };

const run = <Result>(queue: Queue, source: string, task: () => Promise<Result>) => queue.run([source], task);

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

test('a full queue rejects a task without running it, and has room again afterwards', async () => {
  const queue = createQueue({ intervalMs: 0, length: 2 });
  const ran: string[] = [];
  const come = (source: string) => run(queue, source, async () => ran.push(source));
  const results = await Promise.allSettled(['running', 'a', 'b', 'c'].map(come));
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'fulfilled', 'rejected'],
  );
  assert.ok((results[3] as PromiseRejectedResult).reason instanceof QueueFull);
  assert.deepEqual(ran, ['running', 'a', 'b']);
  await come('d');
});

test('in a full queue a crowded network loses its newest task to another network', async () => {
  const queue = createQueue({ intervalMs: 0, length: 3 });
  const ran: string[] = [];
  const come = (source: string[], name: string) => queue.run(source, async () => ran.push(name));
  const flood = [0, 1, 2, 3, 4].map((number) => come(['192.0.2/24', `192.0.2.${number}`], `flood ${number}`));
  const owner = come(['198.51.100/24', '198.51.100.1'], 'owner');
  const statuses = (await Promise.allSettled(flood)).map(({ status }) => status);
  await owner;
  assert.deepEqual(statuses, ['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected']);
  assert.deepEqual(ran, ['flood 0', 'flood 1', 'owner', 'flood 2']);
});

test('a queue is as full for a network as its own tasks and the other networks make it', async () => {
  const queue = createQueue({ intervalMs: 0, length: 10 });
  const come = (source: string[]) => queue.run(source, async () => {});
  assert.equal(queue.fullnessFor(['a']), 0);
  const all = [['running'], ['a', '1'], ['a', '2'], ['a', '3'], ['b', '1']].map(come);
  assert.equal(queue.fullnessFor(['a', '4']), 0.4);
  assert.equal(queue.fullnessFor(['b', '2']), 0.2);
  assert.equal(queue.fullnessFor(['c']), 0.2);
  await Promise.all(all);
});

test('a task that has waited 15 s is rejected without running', async () => {
  let time = 0;
  const queue = createQueue(
    WIDE,
    async () => {
      time += 7_501;
    },
    () => time,
  );
  const ran: string[] = [];
  const come = (name: string) => run(queue, name, async () => ran.push(name));
  const results = await Promise.allSettled(['a', 'b', 'c', 'd'].map(come));
  assert.deepEqual(ran, ['a', 'b', 'c']);
  assert.ok(results.slice(3).every((one) => one.status === 'rejected' && one.reason instanceof QueueFull));
  await come('e');
});

test('every lane runs a full queue before its longest wait is over', async () => {
  mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  for (const [lane, queue] of Object.entries(createLanes())) {
    let ran = 0;
    let rejected = 0;
    for (let task = 0; task < 200; task += 1) {
      void queue
        .run([String(task)], async () => {
          ran += 1;
        })
        .catch(() => {
          rejected += 1;
        });
    }
    await everythingThatCan();
    const full = rejected;
    for (let tenths = 0; tenths < 250; tenths += 1) {
      mock.timers.tick(100);
      await everythingThatCan();
    }
    assert.ok(full > 0, `${lane} has an end`);
    assert.equal(ran + full, 200, lane);
  }
  mock.timers.reset();
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
