import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { createClientIpOf, isSentFrom, PRIVATE_NETWORKS } from './client-ip.ts';

const request = (remoteAddress: string, forwarded?: string) =>
  ({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage;

const addressOf = (
  trustedProxies: number,
  trustedProxyAddresses: string[],
  ...incoming: Parameters<typeof request>
) => createClientIpOf({ trustedProxies, trustedProxyAddresses }, () => {})(request(...incoming));

test('the client’s IP is that of the connection without trusted proxies', () => {
  assert.equal(addressOf(0, [], '192.0.2.1', '6.6.6.6'), '192.0.2.1');
  assert.equal(addressOf(0, [], '::ffff:192.0.2.1'), '192.0.2.1');
});

test('the client’s IP is the entry of the outermost trusted proxy', () => {
  assert.equal(addressOf(1, [], '127.0.0.1', '6.6.6.6, 192.0.2.1'), '192.0.2.1');
  assert.equal(addressOf(2, [], '::ffff:10.0.0.1', '6.6.6.6, 192.0.2.1, 10.0.0.2'), '192.0.2.1');
  assert.equal(addressOf(1, [], '::1', '[2001:db8::1]:5000'), '2001:db8::1');
});

test('the client’s IP is unknown when its entry is missing or malformed', () => {
  for (const forwarded of [undefined, '', 'unknown', '192.0.2.1, ', '<script>'])
    assert.equal(addressOf(1, [], '127.0.0.1', forwarded), undefined);
  assert.equal(addressOf(2, [], '127.0.0.1', '192.0.2.1'), undefined);
});

test('a peer outside private networks is not trusted as proxy unless its IP is configured', () => {
  assert.equal(addressOf(1, [], '203.0.113.7', '6.6.6.6'), '203.0.113.7');
  assert.equal(addressOf(1, ['203.0.113.0/24'], '203.0.113.7', '192.0.2.1'), '192.0.2.1');
  assert.equal(addressOf(1, ['2001:db8::7'], '2001:db8::7', '192.0.2.1'), '192.0.2.1');
  // Once addresses are named, they are all there are.
  assert.equal(addressOf(1, ['203.0.113.7'], '127.0.0.1', '192.0.2.1'), '127.0.0.1');
});

test('a proxy in front without the setting is reported once', () => {
  const warnings: string[] = [];
  const find = createClientIpOf({ trustedProxies: 0, trustedProxyAddresses: [] }, (one) =>
    warnings.push(one),
  );
  find(request('203.0.113.7', '6.6.6.6'));
  assert.equal(warnings.length, 0);
  find(request('127.0.0.1', '192.0.2.1'));
  find(request('127.0.0.1', '192.0.2.2'));
  assert.equal(warnings.length, 1);
  assert.match(warnings[0] ?? '', /Set TRUSTED_PROXIES=1/);
});

test('a private peer is a program on this machine or in a private network, without a client of its own', () => {
  for (const ip of [
    ...[
      '127.0.0.1',
      '::ffff:172.18.0.3',
      '172.31.0.1',
      '10.1.2.3',
      '192.168.1.2',
      '100.64.1.1',
      '169.254.1.1',
    ],
    ...['::1', 'fd00::3', 'fe80::1'],
  ])
    assert.ok(isSentFrom(PRIVATE_NETWORKS, request(ip)), ip);
  for (const ip of ['203.0.113.7', '172.32.0.1', '11.0.0.1', '192.169.1.1', '2001:db8::1'])
    assert.equal(isSentFrom(PRIVATE_NETWORKS, request(ip)), false, ip);
  for (const name of [
    'forwarded',
    'via',
    'x-forwarded-for',
    'x-forwarded-host',
    'x-forwarded-proto',
    'x-real-ip',
  ])
    assert.equal(
      isSentFrom(PRIVATE_NETWORKS, { ...request('127.0.0.1'), headers: { [name]: 'x' } } as IncomingMessage),
      false,
      name,
    );
});
