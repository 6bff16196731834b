import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runQueue } from './run-queue.ts';

/** Runs tasks that end when told. Returns what was started so far, and a function that ends one. */
function startQueue(tasks: { name: string; after?: string[] }[], lanes: number) {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const finished = runQueue(
    tasks,
    ({ name }) => {
      started.push(name);
      return new Promise((end) => ends.set(name, end));
    },
    lanes,
  );
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise(setImmediate);
  };
  return { started, end, finished };
}

test('tasks start in their order, as many at a time as there are lanes', async () => {
  const { started, end, finished } = startQueue([{ name: 'a' }, { name: 'b' }, { name: 'c' }], 2);
  assert.deepEqual(started, ['a', 'b']);
  await end('b');
  assert.deepEqual(started, ['a', 'b', 'c']);
  await end('a');
  await end('c');
  await finished;
});

test('a task that waits for another one lets the next go first', async () => {
  const { started, end, finished } = startQueue(
    [{ name: 'site' }, { name: 'product', after: ['site'] }, { name: 'unit' }, { name: 'more' }],
    2,
  );
  assert.deepEqual(started, ['site', 'unit']);
  await end('site');
  assert.deepEqual(started, ['site', 'unit', 'product']);
  for (const name of ['unit', 'product', 'more']) await end(name);
  await finished;
});

test('tasks that wait for each other are named', async () => {
  await assert.rejects(startQueue([{ name: 'a', after: ['a'] }], 1).finished, /wait for each other: a/);
});
