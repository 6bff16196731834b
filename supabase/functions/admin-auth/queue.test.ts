import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createQueue, QueueFull } from './queue.ts';

/** A queue whose intervals end when the test says so. */
function startQueue() {
  const intervals: { ms: number; end: () => void }[] = [];
  const queue = createQueue((ms) => new Promise((end) => intervals.push({ ms, end: () => end() })));
  const nextInterval = async () => {
    intervals.at(-1)?.end();
    await everythingThatCan();
  };
  return { queue, intervals, nextInterval };
}

test('a task starts every 500 ms, those of known devices first, also after one that fails', async () => {
  const { queue, intervals, nextInterval } = startQueue();
  const seen: string[] = [];
  const come = (name: string, isKnownDevice = false) =>
    queue
      .run(isKnownDevice, admitted, async () => {
        seen.push(name);
        if (name === 'fails') throw new Error(name);
      })
      .catch(() => {});
  const all = [come('first'), come('fails'), come('last'), come('known', true), come('known too', true)];
  await everythingThatCan();
  for (let turn = 0; turn < 5; turn += 1) await nextInterval();
  await Promise.all(all);
  assert.deepEqual(seen, ['first', 'known', 'known too', 'fails', 'last']);
  assert.deepEqual(
    intervals.map(({ ms }) => ms),
    [500, 500, 500, 500, 500],
  );
});

test('20 tasks may wait, and a known device finds room in a full queue', async () => {
  const { queue, nextInterval } = startQueue();
  const ran: number[] = [];
  const come = (number: number, isKnownDevice = false) =>
    queue.run(isKnownDevice, admitted, async () => ran.push(number));
  const early = come(99, true);
  const all = Promise.allSettled(Array.from({ length: 25 }, (_, number) => come(number)));
  const known = come(100, true);
  await everythingThatCan();
  for (let turn = 0; turn < 22; turn += 1) await nextInterval();
  await Promise.all([early, known]);
  const rejected = (await all).filter((one) => one.status === 'rejected');
  assert.equal(rejected.length, 5);
  assert.ok(rejected.every(({ reason }) => reason instanceof QueueFull));
  assert.deepEqual(ran, [99, 100, ...Array.from({ length: 20 }, (_, number) => number)]);
  const later = come(26);
  await everythingThatCan();
  await nextInterval();
  await later;
});

test('a task has its place before it is admitted, and one that is not admitted frees it', async () => {
  const { queue, nextInterval } = startQueue();
  const admissions: PromiseWithResolvers<void>[] = [];
  const come = (isKnownDevice = false) => {
    const admission = Promise.withResolvers<void>();
    const admit = () => {
      admissions.push(admission);
      return admission.promise;
    };
    return queue.run(isKnownDevice, admit, async () => 'ran');
  };
  const first = Array.from({ length: 20 }, () => come());
  await assert.rejects(come(), QueueFull);
  assert.equal(admissions.length, 20, 'a task without a place is not admitted');
  const known = come(true);
  admissions.at(-1)?.reject(new Error('not this device'));
  await assert.rejects(known, /not this device/);
  await assert.rejects(come(), QueueFull);
  admissions[0]?.reject(new Error('too many'));
  await assert.rejects(first[0] ?? known, /too many/);
  const next = come();
  await assert.rejects(come(), QueueFull);
  for (const { resolve } of admissions) resolve();
  await everythingThatCan();
  for (let turn = 0; turn < 20; turn += 1) await nextInterval();
  assert.equal(await next, 'ran');
});

test('the time in the queue does not reveal how long a task took: tasks start and return at intervals', async () => {
  const { queue, intervals } = startQueue();
  const seen: string[] = [];
  const come = (name: string, end: Promise<unknown>, fails = false) =>
    queue
      .run(false, admitted, async () => {
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
  intervals[0]?.end();
  await everythingThatCan();
  assert.deepEqual(seen.splice(0).sort(), ['failing starts', 'quick returns']);
  intervals[1]?.end();
  await everythingThatCan();
  assert.deepEqual(seen.splice(0).sort(), ['failing returns', 'slow starts']);
  intervals[2]?.end();
  await everythingThatCan();
  assert.deepEqual(seen.splice(0), [], 'two never run at once');
  slow.resolve();
  await everythingThatCan();
  assert.deepEqual(seen.splice(0).sort(), ['last starts', 'slow returns']);
  intervals[3]?.end();
  await Promise.all(all);
  assert.equal(intervals.length, 4);
});

async function admitted(): Promise<void> {}

/** Until no promise is left that settles by itself. */
function everythingThatCan(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
