import assert from 'node:assert/strict';
import { test } from 'node:test';
import { repeat } from './repeat.ts';

for (const error of [
  new TypeError('crypto.subtle is undefined'),
  new ReferenceError('Worker is not defined'),
  new DOMException('Blocked.', 'SecurityError'),
]) {
  test(`a ${error.name} is reported as an unsupported browser, at once and without a repetition`, async () => {
    const calls: string[] = [];
    const attempt = async () => {
      calls.push('attempt');
      throw error;
    };
    await repeat(attempt, reportsTo(calls), new AbortController().signal);
    assert.deepEqual(calls, ['attempt', 'unsupported']);
  });
}

test('an attempt that was given up reports nothing, whatever it fails with', async () => {
  const calls: string[] = [];
  const controller = new AbortController();
  const attempt = async () => {
    calls.push('attempt');
    controller.abort();
    throw new TypeError('the worker is gone');
  };
  await repeat(attempt, reportsTo(calls), controller.signal);
  assert.deepEqual(calls, ['attempt']);
});

test('an attempt after a success has quiet failures again', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const document = { hidden: false };
  Object.assign(globalThis, { document });
  context.after(() => Reflect.deleteProperty(globalThis, 'document'));
  const calls: string[] = [];
  const fails = [true, true, true, false, true, true, true];
  const repeated = repeat(
    async (succeeded) => {
      const failed = fails.shift();
      if (failed === undefined) return;
      calls.push('attempt');
      if (!failed) succeeded();
      throw new Error('No network.');
    },
    reportsTo(calls),
    new AbortController().signal,
  );
  for (let left = 40; left > 0; left -= 1) {
    await new Promise(setImmediate);
    context.mock.timers.tick(1_000);
  }
  await repeated;
  const failing = ['attempt', 'attempt', 'attempt', 'failed'];
  // The attempt that succeeded has failed in the end, as a token that cannot be renewed.
  assert.deepEqual(calls, [...failing, 'attempt', 'attempt', 'attempt', 'failed', 'attempt', 'failed']);
});

test('the pauses between failures that are shown grow, and each report has its end', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  Object.assign(globalThis, { document: { hidden: false } });
  context.after(() => Reflect.deleteProperty(globalThis, 'document'));
  const attempts: number[] = [];
  const announced: number[] = [];
  const controller = new AbortController();
  const repeated = repeat(
    async () => {
      attempts.push(Date.now() / 1_000);
      throw new Error('No network.');
    },
    { failed: (retryAt) => announced.push(retryAt / 1_000), unsupported: () => assert.fail() },
    controller.signal,
  );
  for (let left = 260; left > 0; left -= 1) {
    await new Promise(setImmediate);
    context.mock.timers.tick(1_000);
  }
  assert.deepEqual(attempts, [0, 1, 3, 8, 18, 38, 78, 138, 198, 258]);
  assert.deepEqual(announced, [8, 18, 38, 78, 138, 198, 258, 318]);
  controller.abort();
  context.mock.timers.tick(60_000);
  await repeated;
});

function reportsTo(calls: string[]) {
  return { failed: () => calls.push('failed'), unsupported: () => calls.push('unsupported') };
}
