import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFailureLimit } from './failure-limit.ts';

test('an IP has to wait after 20 failures until its window ends', () => {
  let now = 0;
  const limit = createFailureLimit(() => now);
  for (let failure = 0; failure < 20; failure += 1) {
    assert.equal(limit.wait('192.0.2.1'), 0);
    limit.add('192.0.2.1');
  }
  assert.equal(limit.wait('192.0.2.1'), 600);
  assert.equal(limit.wait('198.51.100.1'), 0, 'other networks do not wait');
  now = 600_000;
  assert.equal(limit.wait('192.0.2.1'), 0);
});

test('a network that changes its IPs has to wait as well', () => {
  const limit = createFailureLimit(() => 0);
  for (let failure = 0; failure < 80; failure += 1) limit.add(`192.0.2.${failure}`);
  assert.ok(limit.wait('192.0.2.200') > 0);
  for (let failure = 0; failure < 80; failure += 1) limit.add(`2001:db8:0:${failure.toString(16)}::1`);
  assert.ok(limit.wait('2001:db8:0:ffff::1') > 0);
});

test('a failure is removed when its request succeeds', () => {
  const limit = createFailureLimit(() => 0);
  const removals = Array.from({ length: 20 }, () => limit.add('192.0.2.1'));
  assert.equal(limit.wait('192.0.2.1'), 600);
  removals[0]?.();
  assert.equal(limit.wait('192.0.2.1'), 0);
});
