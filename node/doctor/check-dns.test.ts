import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkDns, type Resolved } from './check-dns.ts';
import type { Addresses } from './dns-lookup.ts';

const found = (...addresses: string[]): Addresses => ({ status: 'found', addresses, alias: undefined });

function judge(answers: Record<string, Addresses>, own: string[] = [], reached: string[] = []): string[] {
  const resolved = Object.entries(answers).map(([host, answer]): Resolved => {
    const isWww = host.startsWith('www.');
    return {
      target: { host, path: '/', name: host.replace(/^www\./, ''), isWww },
      answer,
      isReached: reached.includes(host),
    };
  });
  return checkDns(resolved, new Set(own)).map(
    ({ status, subject, message }) => `${status} ${subject} ${message}`,
  );
}

test('each way to have no address has its own message', () => {
  const [unknown, missing, www, alias, timeout, servfail] = judge({
    'a.app': { status: 'unknown', alias: undefined },
    'b.app': { status: 'missing', alias: undefined },
    'www.b.app': { status: 'unknown', alias: undefined },
    'c.app': { status: 'unknown', alias: 'gone.example' },
    'd.app': { status: 'failed', code: 'ETIMEOUT' },
    'e.app': { status: 'failed', code: 'ESERVFAIL' },
  });
  assert.match(unknown ?? '', /^fail a\.app There is no such name in DNS \(NXDOMAIN\)\. Is it registered/);
  assert.match(missing ?? '', /^fail b\.app It has neither an A nor an AAAA record\. Add an A record/);
  assert.match(www ?? '', /^warn www\.b\.app .*NXDOMAIN\)\. Add a CNAME record to b\.app/);
  assert.match(alias ?? '', /^fail c\.app It is an alias \(CNAME\) of gone\.example, which has no address/);
  assert.match(timeout ?? '', /^fail d\.app The DNS server did not respond in time/);
  assert.match(servfail ?? '', /^fail e\.app .*SERVFAIL.*DNSSEC/);
});

test('a host that points elsewhere than the other names is a warning unless its page is right', () => {
  const answers = {
    'a.app': found('192.0.2.1', '2001:db8::1'),
    'b.app': found('2001:db8::1', '192.0.2.1'),
    'www.b.app': { status: 'found', addresses: ['198.51.100.9'], alias: 'parking.example' } as const,
  };
  const usual = '192.0.2.1, 2001:db8::1';
  assert.deepEqual(judge(answers), [
    `ok a.app Points to ${usual}, like other names.`,
    'ok b.app Points to 2001:db8::1, 192.0.2.1, like other names.',
    `warn www.b.app Points to 198.51.100.9, but other names to ${usual}: correct the record unless that is meant. ` +
      'It is an alias (CNAME) of parking.example.',
  ]);
  assert.match(judge(answers, [], ['www.b.app'])[2] ?? '', /^ok .*unlike other names/);
});

test('this server is recognized by its addresses, and one name has no other to be like', () => {
  const answers = { 'a.app': found('192.0.2.1'), 'www.a.app': found('198.51.100.9') };
  assert.deepEqual(judge(answers, ['192.0.2.1']), [
    'ok a.app Points to 192.0.2.1 (this server).',
    'ok www.a.app Points to 198.51.100.9.',
  ]);
});
