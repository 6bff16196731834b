import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostNameOf, isAdminHost, isOwnHost, namesOfHost, type SiteHosts } from './hosts.ts';

const SITE: SiteHosts = {
  names: new Set(['lap.app', 'xn--bcher-kva.example']),
  hosts: ['names.example.com', 'also.example.com'],
  adminHost: undefined,
};

test('a host stands for itself, for itself without www, and for both without localhost', () => {
  assert.deepEqual(namesOfHost('WWW.Lap.App.localhost:4321'), [
    'www.lap.app.localhost',
    'www.lap.app',
    'lap.app.localhost',
    'lap.app',
  ]);
  assert.deepEqual(namesOfHost('lap.app'), ['lap.app']);
  assert.deepEqual(namesOfHost('localhost:4321'), ['localhost']);
  assert.deepEqual(namesOfHost(''), ['']);
});

test('the name of a host has no port, no trailing dot and no capitals', () => {
  assert.equal(hostNameOf('LAP.app.:443'), 'lap.app');
  assert.equal(hostNameOf('lap.app:'), 'lap.app');
  assert.equal(hostNameOf('[::1]:4321'), '[::1]');
  assert.equal(hostNameOf('192.0.2.1:80'), '192.0.2.1');
});

test('a malformed host has no name', () => {
  const malformed = [
    '',
    'a, b',
    'a b',
    'a\tb',
    ' a',
    'user@lap.app',
    'lap.app:a',
    'lap.app:123456',
    'lap.app/evil',
    '..',
    '.a',
    'a..b',
    '*',
    'lap.app%00',
    '[::1',
    '::1',
    'lap.app:80:80',
    'bücher.example',
  ];
  for (const host of malformed) assert.equal(hostNameOf(host), undefined, JSON.stringify(host));
});

test('own hosts are the domains for sale, the hosts of the site, the admin host and loopback', () => {
  const own = [
    'lap.app',
    'WWW.lap.app:443',
    'lap.app.localhost:4321',
    'names.example.com',
    'also.example.com',
    'www.also.example.com',
  ];
  for (const host of [...own, 'localhost:1', '127.0.0.1', '[::1]:4321', 'any.localhost'])
    assert.ok(isOwnHost(host, SITE), host);
  for (const host of [
    'evil.example',
    'lap.app.evil.example',
    // Its owner may let others have pages there.
    'shop.lap.app',
    'shop.www.lap.app',
    'evillap.app',
    '192.0.2.1',
    'admin.example',
    '',
  ])
    assert.ok(!isOwnHost(host, SITE), host);
  assert.ok(isOwnHost('admin.example', { ...SITE, adminHost: 'admin.example' }));
});

test('without ADMIN_HOST the first of hosts and loopback have the admin area, and no domain for sale', () => {
  for (const host of ['names.example.com:443', 'localhost:4321', '127.0.0.1', '[::1]'])
    assert.ok(isAdminHost(host, SITE, true), host);
  for (const host of ['also.example.com', 'lap.app', 'lap.app.localhost', 'evil.example', '127.0.0.2', ''])
    assert.ok(!isAdminHost(host, SITE, true), host);
});

test('ADMIN_HOST alone has the admin area where it is set', () => {
  const site = { ...SITE, adminHost: 'admin.example' };
  assert.ok(isAdminHost('Admin.Example:443', site, false));
  for (const host of ['names.example.com', 'localhost', '127.0.0.1', 'www.admin.example'])
    assert.ok(!isAdminHost(host, site, true), host);
});

test('a loopback host has the admin area only for requests that this machine sends itself', () => {
  for (const host of ['localhost', 'LOCALHOST.:4321', '127.0.0.1', '[::1]:443'])
    assert.ok(!isAdminHost(host, SITE, false), host);
  assert.ok(isAdminHost('names.example.com', SITE, false));
  for (const adminHost of ['localhost', '127.0.0.1', 'desk.localhost']) {
    const site = { ...SITE, adminHost };
    assert.deepEqual(
      [isAdminHost(adminHost, site, true), isAdminHost(adminHost, site, false)],
      [true, false],
    );
  }
});
