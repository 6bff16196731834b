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

function reportsTo(calls: string[]) {
  return { failed: () => calls.push('failed'), unsupported: () => calls.push('unsupported') };
}
