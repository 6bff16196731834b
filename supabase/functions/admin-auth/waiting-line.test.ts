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

test('the waits tell nobody how long a task took: each begins, and each result comes, at the beat', async () => {
  const beats: (() => void)[] = [];
  const line = waitingLine(200, 10, () => new Promise((resolve) => beats.push(resolve)));
  const seen: string[] = [];
  const come = (name: string, end: Promise<unknown>, fails = false) =>
    line
      .take(async () => {
        seen.push(`${name} begins`);
        await end;
        if (fails) throw new Error(name);
      })
      .catch(() => {})
      .then(() => seen.push(`${name} is answered`));
  const slow = Promise.withResolvers<void>();
  const all = [
    come('quick', Promise.resolve()),
    come('failing', Promise.resolve(), true),
    come('slow', slow.promise),
    come('last', Promise.resolve()),
  ];

  await everythingThatCan();
  assert.deepEqual(seen.splice(0), ['quick begins'], 'its end alone lets nobody through');
  beats[0]?.();
  await everythingThatCan();
  assert.deepEqual(seen.splice(0).sort(), ['failing begins', 'quick is answered']);
  beats[1]?.();
  await everythingThatCan();
  assert.deepEqual(seen.splice(0).sort(), ['failing is answered', 'slow begins']);
  beats[2]?.();
  await everythingThatCan();
  assert.deepEqual(seen.splice(0), [], 'two at once are never let through');
  slow.resolve();
  await everythingThatCan();
  assert.deepEqual(seen.splice(0).sort(), ['last begins', 'slow is answered']);
  beats[3]?.();
  await Promise.all(all);
  assert.equal(beats.length, 4);
});

/** Until no promise is left that settles by itself. */
function everythingThatCan(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
