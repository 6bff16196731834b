import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isIpOrNetwork } from './ip-or-network.ts';

test('IP addresses and networks are distinguished from other texts', () => {
  for (const right of ['203.0.113.7', '203.0.113.0/24', '2001:db8::/32', '::1'])
    assert.ok(isIpOrNetwork(right), right);
  for (const wrong of ['', 'proxy', '203.0.113.0/33', '203.0.113.0/', '2001:db8::/129', '1.2.3.4/8/8'])
    assert.ok(!isIpOrNetwork(wrong), wrong);
});
