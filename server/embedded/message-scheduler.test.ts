import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { runMessageScheduler } from './message-scheduler.ts';

const settled = () => new Promise(setImmediate);

/** A scheduler whose calls of `deliver` end when the test says so. */
function start(t: TestContext, configured = true) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const calls: { retry: boolean; end: (error?: Error) => Promise<void> }[] = [];
  const failures: string[] = [];
  const stop = new AbortController();
  const ended = runMessageScheduler({
    configured,
    signal: stop.signal,
    onFailure: (error) => failures.push((error as Error).message),
    deliver: ({ retry = false }) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const end = async (error?: Error) => {
        if (error) reject(error);
        else resolve();
        await settled();
      };
      calls.push({ retry, end });
      return promise;
    },
  });
  t.after(() => stop.abort());
  const pass = async (seconds: number) => {
    t.mock.timers.tick(seconds * 1_000);
    await settled();
  };
  return { calls, failures, stop, ended, pass };
}

test('messages are delivered at the start, with a retry, and every 10 s after it', async (t) => {
  const { calls, pass } = start(t);
  assert.equal(calls[0]?.retry, true);
  await pass(60);
  assert.equal(calls.length, 1, 'one call at a time');
  await calls[0]?.end();
  await pass(9);
  assert.equal(calls.length, 1);
  await pass(1);
  assert.equal(calls[1]?.retry, false);
});

test('a call that fails at the start is made again, with the retry', async (t) => {
  const { calls, failures, ended, pass } = start(t, false);
  await calls[0]?.end(new Error('no response'));
  assert.deepEqual(failures, ['no response']);
  await pass(10);
  assert.equal(calls[1]?.retry, true);
  await calls[1]?.end();
  await pass(60);
  assert.equal(calls.length, 2, 'nothing is configured');
  await ended;
});

test('a stopped scheduler delivers nothing more', async (t) => {
  const { calls, stop, ended, pass } = start(t);
  await calls[0]?.end();
  stop.abort();
  await pass(60);
  assert.equal(calls.length, 1);
  await ended;
});
