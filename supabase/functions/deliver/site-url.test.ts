import assert from 'node:assert/strict';
import { test } from 'node:test';
import { siteUrlOf } from './site-url.ts';

test('links begin with SITE_URL, else with the host that has the dashboard', () => {
  const urlOf = (siteUrl: string | undefined, adminHost: string | undefined, hosts: string[]) =>
    siteUrlOf({ siteUrl }, { hosts, adminHost }, 4321);
  assert.equal(urlOf('http://localhost:8080', 'admin.example', ['a.example']), 'http://localhost:8080');
  assert.equal(urlOf(undefined, 'admin.example', ['a.example']), 'https://admin.example');
  assert.equal(urlOf(undefined, undefined, ['a.example', 'b.example']), 'https://a.example');
  assert.equal(urlOf(undefined, undefined, []), 'http://localhost:4321');
  assert.equal(
    siteUrlOf({ siteUrl: undefined }, { hosts: [], adminHost: undefined }, 80),
    'http://localhost:80',
  );
});
