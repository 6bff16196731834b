import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { timeoutSignal } from './timeout-signal.ts';

test('a signal aborts after its time', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const signal = timeoutSignal(1_000);
  mock.timers.tick(999);
  assert.equal(signal.aborted, false);
  mock.timers.tick(1);
  assert.equal(signal.reason.name, 'TimeoutError');
  mock.timers.reset();
});

test('a signal aborts with another one, for its reason', () => {
  const other = new AbortController();
  const signal = timeoutSignal(60_000, other.signal);
  assert.equal(signal.aborted, false);
  other.abort('left');
  assert.deepEqual([signal.aborted, signal.reason], [true, 'left']);
  assert.equal(timeoutSignal(60_000, other.signal).reason, 'left');
});
