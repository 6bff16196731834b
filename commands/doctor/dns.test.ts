import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startDnsServer } from '../../tests/support/dns-server.ts';
import { openDns } from './dns.ts';

/** A DKIM key is in parts of 255 characters. */
const KEY = `v=DKIM1; p=${'MIGf'.repeat(100)}`;

test('addresses, aliases, texts and each way to have none are distinguished', async () => {
  let queries = 0;
  await using dns = await startDnsServer({
    'lap.app': { A: ['192.0.2.1'], AAAA: ['2001:db8:0:0:0:0:0:1'], TXT: ['v=spf1 -all'] },
    'www.lap.app': { CNAME: 'lap.app' },
    'dangling.app': { CNAME: 'gone.example' },
    'mail-only.app': { TXT: ['x'] },
    'broken.app': 'SERVFAIL',
    'silent.app': 'no response',
    'half.app': { AAAA: 'SERVFAIL' },
    'long.app': { TXT: [KEY] },
    // The first query of each of the three types is lost.
    get 'lost.app'() {
      queries += 1;
      return queries <= 3 ? ('no response' as const) : { A: ['192.0.2.1'], AAAA: ['2001:db8:0:0:0:0:0:1'] };
    },
  });
  const { addressesOf, textsOf } = openDns(dns.address, 300);
  const found = { addresses: ['192.0.2.1', '2001:db8::1'], alias: undefined, code: undefined };
  assert.deepEqual(await addressesOf('lap.app'), found);
  assert.deepEqual(await addressesOf('www.lap.app'), { ...found, alias: 'lap.app' });
  const why = async (host: string) => {
    const { addresses, alias, code } = await addressesOf(host);
    assert.deepEqual(addresses, []);
    return [code, alias];
  };
  assert.deepEqual(await why('dangling.app'), ['ENOTFOUND', 'gone.example']);
  assert.deepEqual(await why('mail-only.app'), ['ENODATA', undefined]);
  assert.deepEqual(await why('nothing.app'), ['ENOTFOUND', undefined]);
  assert.deepEqual(await why('broken.app'), ['ESERVFAIL', undefined]);
  assert.deepEqual(await why('silent.app'), ['ETIMEOUT', undefined]);
  assert.deepEqual(await why('half.app'), ['ESERVFAIL', undefined]);
  assert.deepEqual(await addressesOf('lost.app'), found);
  assert.deepEqual(await textsOf('lap.app'), ['v=spf1 -all']);
  assert.deepEqual(await textsOf('long.app'), [KEY]);
  assert.deepEqual(await textsOf('nothing.app'), []);
  await assert.rejects(textsOf('broken.app'), /ESERVFAIL broken\.app/);
});

test('a DNS server that is no address is rejected', () => {
  assert.throws(() => openDns('dns.example', 300));
});
