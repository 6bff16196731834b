import assert from 'node:assert/strict';
import { test } from 'node:test';
import { siteUrlOf } from './site-url.ts';

const settings = (siteUrl?: string, adminHost?: string) => ({
  messages: { mail: undefined, webhooks: { urls: [], secret: undefined }, siteUrl },
  adminHost,
  port: 4321,
});

test('links in messages lead to SITE_URL, the admin host, the first own host or this machine', () => {
  assert.equal(siteUrlOf(settings('http://x.example', 'admin.example'), ['own.example']), 'http://x.example');
  assert.equal(siteUrlOf(settings(undefined, 'admin.example'), ['own.example']), 'https://admin.example');
  assert.equal(siteUrlOf(settings(), ['own.example', 'two.example']), 'https://own.example');
  assert.equal(siteUrlOf(settings(), []), 'http://localhost:4321');
});
