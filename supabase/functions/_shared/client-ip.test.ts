import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readClient } from './client-ip.ts';
import { readSettings } from './settings.ts';

const SETTINGS = readSettings({ SUPABASE_URL: 'http://localhost', SUPABASE_SECRET_KEY: 'sb_secret_t' });

const clientFrom = (header: string) =>
  readClient(new Request('http://localhost', { headers: { [SETTINGS.ipHeader]: header } }), SETTINGS);

test('an IPv4 is one sender of its /24, in whatever form the proxy sends it', () => {
  for (const header of [
    '192.0.2.1',
    ' 192.0.2.1 ',
    '192.0.2.1:5000',
    '::ffff:192.0.2.1',
    '::FFFF:192.0.2.1',
    '[::ffff:192.0.2.1]:5000',
  ]) {
    const wanted = { address: '192.0.2.1', ip: '192.0.2.1', network: '192.0.2/24' };
    assert.deepEqual(clientFrom(header), wanted, header);
  }
});

test('an IPv6 /64 is one sender of its /48', () => {
  for (const header of [
    '2001:db8:0:1::7',
    '2001:DB8:0:1:a:b:c:d',
    '2001:0db8:0000:0001::7',
    '2001:db8::1:0:0:192.0.2.1',
    '[2001:db8:0:1::7]',
    '[2001:db8:0:1::7]:5000',
  ]) {
    const { ip, network } = clientFrom(header);
    assert.deepEqual([ip, network], ['2001:db8:0:1::/64', '2001:db8:0::/48'], header);
  }
  assert.equal(clientFrom('2001:db8:0:1::7').address, '2001:db8:0:1::7');
  assert.deepEqual(clientFrom('::1'), { address: '::1', ip: '0:0:0:0::/64', network: '0:0:0::/48' });
});

test('senders without a readable IP count as one', () => {
  assert.deepEqual(clientFrom(''), { address: undefined, ip: 'unknown', network: 'unknown' });
  for (const header of ['unknown', '_hidden', ':::::', '2001:db8::zz']) {
    assert.deepEqual([clientFrom(header).ip, clientFrom(header).network], ['unknown', 'unknown'], header);
  }
});
