import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFailureLimit } from './failure-limit.ts';

test('an IP has to wait after 20 failures until its window ends, and again in the next one', () => {
  let now = 5_000;
  const limit = createFailureLimit(() => now);
  for (const start of [5_000, 605_000]) {
    now = start;
    for (let failure = 0; failure < 20; failure += 1) {
      assert.equal(limit.wait('192.0.2.1'), 0);
      limit.add('192.0.2.1');
    }
    assert.equal(limit.wait('192.0.2.1'), 600);
    assert.equal(limit.wait('198.51.100.1'), 0, 'other networks do not wait');
    now = start + 1_500;
    assert.equal(limit.wait('192.0.2.1'), 599);
  }
});

test('of more than 20,000 IPs and networks those that failed last are counted', () => {
  const limit = createFailureLimit(() => 0);
  let others = 0;
  const failOthers = (count: number) => {
    for (const end = others + count; others < end; others += 1)
      limit.add(`10.${others >> 8}.${others & 255}.1`);
  };
  for (let failure = 0; failure < 20; failure += 1) limit.add('192.0.2.1');
  failOthers(6_000);
  limit.add('192.0.2.1');
  failOthers(6_000);
  assert.equal(limit.wait('192.0.2.1'), 600);
  failOthers(5_000);
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
  limit.add('192.0.2.1');
  assert.equal(limit.wait('192.0.2.1'), 600);
});
