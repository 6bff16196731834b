/** The security headers of every kind of response, errors included. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { HttpRequest } from '../support/http-client.ts';
import { PUBLIC_KEY } from '../support/product.ts';
import type { AbusedProduct } from './abused-product.ts';
import { assertSecurityHeaders } from './assert-security-headers.ts';
import { sharedProduct } from './shared-product.ts';

const KEY = { apikey: PUBLIC_KEY };
const JSON_TYPE = { 'content-type': 'application/json' };
const ON_DOMAIN = { host: 'lap.app' };

/** What is sent, and the status by which the case is known to be the one that is meant. */
const CASES: [what: string, request: HttpRequest, status: number][] = [
  ['a page', { path: '/', headers: ON_DOMAIN }, 200],
  ['a page of localhost', { path: '/' }, 200],
  ['the sign-in', { path: '/admin/login' }, 200],
  ['a page that does not exist', { path: '/nothing', headers: ON_DOMAIN }, 404],
  ['a redirect', { path: '/admin' }, 302],
  ['a page by POST', { method: 'POST', path: '/', headers: ON_DOMAIN }, 405],
  ['a page by DELETE', { method: 'DELETE', path: '/admin/login' }, 405],
  ['a challenge', { path: '/functions/v1/bot-check?domain=lap.app', headers: KEY }, 200],
  ['a function by a wrong method', { method: 'PUT', path: '/functions/v1/order-submit', headers: KEY }, 405],
  [
    'a function without a key',
    { method: 'POST', path: '/functions/v1/order-submit', headers: JSON_TYPE },
    401,
  ],
  [
    'a function for a foreign origin',
    {
      method: 'POST',
      path: '/functions/v1/order-submit',
      headers: { ...KEY, origin: 'https://evil.example' },
    },
    403,
  ],
  [
    'a function for another media type',
    { method: 'POST', path: '/functions/v1/order-submit', headers: { ...KEY, 'content-type': 'text/plain' } },
    415,
  ],
  [
    'a function for a long body',
    {
      method: 'POST',
      path: '/functions/v1/order-submit',
      headers: { ...KEY, ...JSON_TYPE },
      body: 'a'.repeat(70_000),
    },
    413,
  ],
  ['the data API without a session', { path: '/rest/v1/offers', headers: KEY }, 401],
];

describe('security headers', () => {
  let product: AbusedProduct;
  before(async () => {
    product = await sharedProduct();
  });

  for (const [what, request, status] of CASES) {
    test(`security headers are on every response: ${what}, ${status}`, async () => {
      const response = await product.request(request);
      assert.equal(response.status, status, response.text.slice(0, 200));
      assertSecurityHeaders(response);
      if (/^\/(?:functions|rest|auth)\//.test(request.path)) {
        assert.equal(response.headers['cache-control'], 'no-store');
      }
    });
  }

  test('security headers are on every response: not modified, 304', async () => {
    const { etag = '' } = (await product.request({ path: '/', headers: ON_DOMAIN })).headers;
    const response = await product.request({ path: '/', headers: { ...ON_DOMAIN, 'if-none-match': etag } });
    assert.equal(response.status, 304);
    assertSecurityHeaders(response);
  });
});
