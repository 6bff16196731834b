import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isVisitedHost } from './turnstile.ts';

const SITE = { names: new Set(['lap.app']), hosts: ['names.example.com'], adminHost: undefined };

test('a token solved at localhost is accepted only by a server that listens on loopback', () => {
  for (const host of ['localhost', '127.0.0.1', '[::1]', 'lap.app.localhost', 'LOCALHOST']) {
    assert.equal(isVisitedHost(host, SITE, true, undefined), true, host);
    assert.equal(isVisitedHost(host, SITE, false, undefined), false, host);
  }
  for (const host of ['lap.app', 'www.lap.app', 'names.example.com']) {
    assert.equal(isVisitedHost(host, SITE, false, undefined), true, host);
  }
  for (const host of ['evil.example', 'localhost.evil.example', '']) {
    assert.equal(isVisitedHost(host, SITE, true, undefined), false, host);
  }
});

test('a token solved on the host that the offer was sent to is accepted, unless that is loopback', () => {
  for (const host of ['tunnel.example', '192.168.1.5', 'shop.lap.app']) {
    for (const loopbackOnly of [true, false]) {
      assert.equal(isVisitedHost(host, SITE, loopbackOnly, host), true, host);
      assert.equal(isVisitedHost(host, SITE, loopbackOnly, 'lap.app'), false, host);
      assert.equal(isVisitedHost(host, SITE, loopbackOnly, undefined), false, host);
    }
  }
  for (const host of ['localhost', '127.0.0.1', '[::1]', 'desk.localhost'])
    assert.equal(isVisitedHost(host, SITE, false, host), false, host);
});
