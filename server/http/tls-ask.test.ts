import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SiteHosts } from '#contract/hosts.ts';
import { tlsAskResponse } from './tls-ask.ts';

const SITE: SiteHosts = {
  names: new Set(['lap.app', 'xn--bcher-kva.example']),
  hosts: ['names.example.com'],
  adminHost: 'admin.example',
};

const statusFor = (query: string) => tlsAskResponse(query, SITE)[0];

test('own hosts may have a certificate', () => {
  for (const name of [
    'lap.app',
    'www.lap.app',
    'LAP.app',
    'xn--bcher-kva.example',
    'names.example.com',
    'www.names.example.com',
    'admin.example',
  ]) {
    assert.equal(statusFor(`domain=${name}`), 200, name);
  }
});

test('other hosts may not, nor hosts of this machine alone', () => {
  for (const name of [
    'other.example',
    'notlap.app',
    'lap.app.evil.example',
    'www.www.lap.app',
    'mail.lap.app',
    'www.admin.example',
    'lap.app.localhost',
    'www.localhost',
  ]) {
    assert.equal(statusFor(`domain=${name}`), 404, name);
  }
});

test('an IP and a malformed name are 400', () => {
  for (const query of [
    '',
    'domain=',
    'name=lap.app',
    'domain=lap.app&domain=lap.app',
    'domain=lap.app:443',
    'domain=lap.app.',
    'domain=192.0.2.1',
    'domain=[::1]',
    'domain=::1',
    'domain=localhost',
    'domain=lap..app',
    'domain=lap.app%00',
    'domain=lap.app%0d%0a',
    'domain=a/lap.app',
    'domain=*.lap.app',
    `domain=${'a.'.repeat(127)}app`,
    `domain=lap.app&${'a=b&'.repeat(4_000)}`,
  ]) {
    assert.equal(statusFor(query), 400, query);
  }
});
