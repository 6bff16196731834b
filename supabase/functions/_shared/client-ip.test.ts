import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readClient } from './client-ip.ts';
import { readSettings } from './settings.ts';

const SETTINGS = readSettings({ SUPABASE_URL: 'http://localhost', SUPABASE_SECRET_KEY: 'sb_secret_t' });

const clientFrom = (header: string) =>
  readClient(new Request('http://localhost', { headers: { [SETTINGS.ipHeader]: header } }), SETTINGS);

test('an IPv4 counts as one visitor, in whatever form the proxy sends it', () => {
  for (const [header, network] of [
    ['192.0.2.1', '192.0.2.1'],
    [' 192.0.2.1 ', '192.0.2.1'],
    ['192.0.2.1:5000', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['[::ffff:192.0.2.1]:5000', '192.0.2.1'],
  ] as const) {
    const widerNetworks = [{ prefix: 24, network: '192.0.2/24' }];
    assert.deepEqual(clientFrom(header), { ip: network, network, widerNetworks }, header);
  }
});

test('an IPv6 /64 counts as one visitor', () => {
  for (const header of [
    '2001:db8:0:1::7',
    '2001:DB8:0:1:a:b:c:d',
    '2001:0db8:0000:0001::7',
    '[2001:db8:0:1::7]',
    '[2001:db8:0:1::7]:5000',
  ]) {
    assert.equal(clientFrom(header)?.network, '2001:db8:0:1', header);
  }
  assert.notEqual(clientFrom('2001:db8:0:2::7')?.network, clientFrom('2001:db8:0:1::7')?.network);
  assert.equal(clientFrom('2001:db8:0:1::7')?.ip, '2001:db8:0:1::7');
});

test('an IPv6 is part of a /56 and of a /48', () => {
  const wider = (header: string) =>
    Object.fromEntries(
      clientFrom(header)?.widerNetworks.map(({ prefix, network }) => [prefix, network]) ?? [],
    );
  assert.deepEqual(wider('2001:db8:1:ab01::7'), { 56: '2001:db8:1:ab00/56', 48: '2001:db8:1/48' });
  assert.deepEqual(wider('2001:db8:1:abff::7'), wider('2001:db8:1:ab01::7'));
  assert.notEqual(wider('2001:db8:1:ac01::7')[56], wider('2001:db8:1:ab01::7')[56]);
  assert.equal(wider('2001:db8:1:ac01::7')[48], wider('2001:db8:1:ab01::7')[48]);
  assert.notEqual(wider('2001:db8:2:ab01::7')[48], wider('2001:db8:1:ab01::7')[48]);
  assert.deepEqual(wider('::1'), { 56: '0:0:0:0/56', 48: '0:0:0/48' });
});

test('an IPv4 is part of a /24', () => {
  const wider = (header: string) => clientFrom(header)?.widerNetworks;
  assert.deepEqual(wider('192.0.2.200'), wider('192.0.2.1'));
  assert.notDeepEqual(wider('192.0.3.1'), wider('192.0.2.1'));
});

test('a request without the header has no client ip', () => {
  assert.equal(clientFrom(''), undefined);
});
