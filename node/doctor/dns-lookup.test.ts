import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startDnsServer } from '../../tests/support/dns-server.ts';
import { createLookup } from './dns-lookup.ts';

test('addresses, aliases, texts and each way to have none are distinguished', async () => {
  await using dns = await startDnsServer({
    'lap.app': { A: ['192.0.2.1'], AAAA: ['2001:db8:0:0:0:0:0:1'], TXT: ['v=spf1 -all'] },
    'www.lap.app': { CNAME: 'lap.app' },
    'dangling.app': { CNAME: 'gone.example' },
    'mail-only.app': { TXT: ['x'] },
    'broken.app': 'SERVFAIL',
    'silent.app': 'no response',
  });
  const { addressesOf, textsOf } = createLookup(dns.address, 300);
  const addresses = ['192.0.2.1', '2001:db8::1'];
  assert.deepEqual(await addressesOf('lap.app'), { status: 'found', addresses, alias: undefined });
  assert.deepEqual(await addressesOf('www.lap.app'), { status: 'found', addresses, alias: 'lap.app' });
  assert.deepEqual(await addressesOf('dangling.app'), { status: 'unknown', alias: 'gone.example' });
  assert.deepEqual(await addressesOf('mail-only.app'), { status: 'missing', alias: undefined });
  assert.deepEqual(await addressesOf('nothing.app'), { status: 'unknown', alias: undefined });
  assert.deepEqual(await addressesOf('broken.app'), { status: 'failed', code: 'ESERVFAIL' });
  assert.deepEqual(await addressesOf('silent.app'), { status: 'failed', code: 'ETIMEOUT' });
  assert.deepEqual(await textsOf('lap.app'), { status: 'found', texts: ['v=spf1 -all'] });
  assert.deepEqual(await textsOf('nothing.app'), { status: 'missing' });
  assert.deepEqual(await textsOf('broken.app'), { status: 'failed', code: 'ESERVFAIL' });
});

test('a DNS server that is no address is rejected', () => {
  assert.throws(() => createLookup('dns.example', 300));
});
