import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientAddress } from './rate-limits.ts';
import { readSettings } from './settings.ts';

const SETTINGS = readSettings({ SUPABASE_URL: 'http://localhost', SUPABASE_SECRET_KEY: 'sb_secret_t' });

const addressOf = (given: string) =>
  clientAddress(new Request('http://localhost', { headers: { [SETTINGS.addressHeader]: given } }), SETTINGS);

test('one visitor is one address, however the proxy writes it', () => {
  for (const [given, address] of [
    ['192.0.2.1', '192.0.2.1'],
    [' 192.0.2.1 ', '192.0.2.1'],
    ['192.0.2.1:5000', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['[::ffff:192.0.2.1]:5000', '192.0.2.1'],
  ] as const) {
    assert.equal(addressOf(given), address, given);
  }
});

test('a household’s network is one visitor', () => {
  for (const given of [
    '2001:db8:0:1::7',
    '2001:DB8:0:1:a:b:c:d',
    '[2001:db8:0:1::7]',
    '[2001:db8:0:1::7]:5000',
  ]) {
    assert.equal(addressOf(given), '2001:db8:0:1', given);
  }
  assert.notEqual(addressOf('2001:db8:0:2::7'), addressOf('2001:db8:0:1::7'));
});
