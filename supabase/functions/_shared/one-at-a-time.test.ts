import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneAtATime } from './one-at-a-time.ts';

/** Runs end when the test says so. */
function start() {
  const runs: PromiseWithResolvers<number>[] = [];
  const call = oneAtATime(() => {
    const run = Promise.withResolvers<number>();
    runs.push(run);
    return run.promise;
  });
  return { call, runs };
}

const settled = () => new Promise(setImmediate);

test('calls during a run share one run after it, and its result', async () => {
  const { call, runs } = start();
  const first = call();
  await settled();
  const later = [call(), call(), call()];
  await settled();
  assert.equal(runs.length, 1);
  runs[0]?.resolve(1);
  assert.equal(await first, 1);
  await settled();
  assert.equal(runs.length, 2);
  runs[1]?.resolve(2);
  assert.deepEqual(await Promise.all(later), [2, 2, 2]);
  await settled();
  assert.equal(runs.length, 2);
});

test('a run that fails rejects its own calls alone', async () => {
  const { call, runs } = start();
  const first = call();
  await settled();
  const second = call();
  runs[0]?.reject(new Error('no'));
  await assert.rejects(first, /no/);
  await settled();
  runs[1]?.resolve(2);
  assert.equal(await second, 2);
});
