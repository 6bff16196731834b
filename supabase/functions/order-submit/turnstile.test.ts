import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isVisitedHost } from './turnstile.ts';

const SITE = { names: new Set(['lap.app']), hosts: ['names.example.com'], adminHost: undefined };

test('a token solved at localhost is accepted only by a server that listens on loopback', () => {
  for (const host of ['localhost', '127.0.0.1', '[::1]', 'lap.app.localhost', 'LOCALHOST']) {
    assert.equal(isVisitedHost(host, SITE, true), true, host);
    assert.equal(isVisitedHost(host, SITE, false), false, host);
  }
  for (const host of ['lap.app', 'www.lap.app', 'names.example.com']) {
    assert.equal(isVisitedHost(host, SITE, false), true, host);
  }
  for (const host of ['evil.example', 'localhost.evil.example', '']) {
    assert.equal(isVisitedHost(host, SITE, true), false, host);
  }
});
