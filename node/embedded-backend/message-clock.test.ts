import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startMessageClock } from './message-clock.ts';

/** A clock whose calls of `deliver` end when the test says so. */
function start(t: TestContext, configured = true) {
  t.mock.timers.enable({ apis: ['setInterval', 'setTimeout'] });
  const calls: { retry: boolean; end: (error?: Error) => Promise<void> }[] = [];
  const clock = startMessageClock({
    configured,
    deliver: (retry) =>
      new Promise((resolve, reject) => {
        const end = async (error?: Error) => {
          if (error) reject(error);
          else resolve();
          await new Promise(setImmediate);
        };
        calls.push({ retry, end });
      }),
  });
  t.after(() => clock.stop());
  return { clock, calls, pass: (seconds: number) => t.mock.timers.tick(seconds * 1_000) };
}

test('messages are delivered at the start, with a retry, and every 10 s after it', async (t) => {
  const { calls, pass } = start(t);
  assert.deepEqual(
    calls.map(({ retry }) => retry),
    [true],
  );
  await calls[0]?.end();
  pass(9);
  assert.equal(calls.length, 1);
  pass(1);
  assert.equal(calls[1]?.retry, false);
});

test('a call that fails at the start is made again, with the retry', async (t) => {
  const { calls, pass } = start(t, false);
  await calls[0]?.end(new Error('fetch failed'));
  pass(10);
  assert.equal(calls[1]?.retry, true);
  await calls[1]?.end();
  pass(60);
  assert.equal(calls.length, 2, 'nothing is configured');
});

test('requests to deliver at one time, or during a call, are one call after it', async (t) => {
  const { clock, calls, pass } = start(t);
  const request = () => {
    for (let offers = 0; offers < 5; offers += 1) clock.deliverSoon();
    pass(0.3);
  };
  request();
  request();
  assert.equal(calls.length, 1);
  await calls[0]?.end();
  assert.equal(calls.length, 2);
  await calls[1]?.end();
  assert.equal(calls.length, 2);
  clock.deliverSoon();
  pass(0.2);
  assert.equal(calls.length, 2, 'right after an offer nothing is delivered yet');
  pass(0.1);
  assert.equal(calls.length, 3);
});

test('a stopped clock delivers nothing more', async (t) => {
  const { clock, calls, pass } = start(t);
  clock.deliverSoon();
  clock.stop();
  clock.deliverSoon();
  await calls[0]?.end();
  pass(60);
  assert.equal(calls.length, 1);
});
