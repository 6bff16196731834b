/** Which host has what: the sign-in and the session exist on the admin hosts alone, and a Host header is one name. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { jsonOf, sendBytes } from '../support/http-client.ts';
import { ADMIN, PUBLIC_KEY } from '../support/product.ts';
import type { AbusedProduct } from './abused-product.ts';
import { badInput } from './bad-input.ts';
import { dataKeys } from './data-keys.ts';
import { PLANTED_OFFER } from './leaks.ts';
import { encodeProof, proofMaker } from './proofs.ts';
import { count } from './report.ts';
import { sharedProduct } from './shared-product.ts';

/** Names for sale and foreign ones; a port, capitals and a dot at the end make no other host. */
const OTHER_HOSTS = [
  ...['lap.app', 'www.lap.app', 'lap.app.localhost', 'www.lap.app.localhost', 'LAP.app.', 'lap.app:4321'],
  ...['evil.example', 'localhost.evil.example', 'evil.localhost', '127.0.0.2', '192.168.1.5', '[::2]'],
];
const ADMIN_HOSTS = ['localhost', 'localhost:4321', 'LOCALHOST', '127.0.0.1', '[::1]', '[::1]:4321'];

const ADMIN_PAGES = ['/admin', '/admin/', '/admin/login', '/admin/dashboard'];
/** Other spellings of them, which some hop may resolve. */
const ADMIN_SPELLINGS = [
  '/admin%2flogin',
  '/%61dmin/login',
  '/x/../admin/login',
  '//admin/login',
  '/ADMIN/login',
];

/** Host headers that are no host, which are rejected wherever they lead. */
const MALFORMED_HOSTS = [
  ...[
    'localhost, evil.example',
    'localhost,localhost',
    'owner@localhost',
    'owner:secret@localhost',
    'http://localhost',
  ],
  ...[
    'local host',
    'localhost evil.example',
    'localhost\tevil',
    'localhost/',
    'localhost/admin',
    'localhost?a',
    'localhost#a',
  ],
  ...[
    'localhost:port',
    'localhost:80:80',
    'localhost:999999',
    '::1',
    '[::1',
    '::1]',
    '',
    '..',
    '.',
    'a..b',
    '*',
    '%6cocalhost',
  ],
  ...[
    'localhost\\@evil.example',
    'lap.app%00',
    'lap.app\x7f',
    'lap.äpp',
    '"localhost"',
    "localhost'",
    'localhost;a',
  ],
];

describe('hosts', () => {
  let product: AbusedProduct;
  before(async () => {
    product = await sharedProduct();
  });

  for (const host of OTHER_HOSTS) {
    test(`${host} has no /admin, and its browser storage is cleared there`, async () => {
      for (const path of ADMIN_PAGES) {
        const headers = { host, 'sec-fetch-dest': 'document' };
        const response = await badInput(`${host}${path}`, product.request({ path, headers }));
        assert.equal(response.status, 404, path);
        assert.equal(response.headers['clear-site-data'], '"storage"', path);
      }
      for (const path of ADMIN_SPELLINGS) {
        const response = await badInput(`${host}${path}`, product.request({ path, headers: { host } }));
        assert.equal(response.status, 404, path);
      }
    });

    test(`${host} has no sign-in and no session, not even for the right password`, async () => {
      const headers = { host, apikey: PUBLIC_KEY, 'content-type': 'application/json' };
      const requests = [
        { method: 'POST', path: '/functions/v1/admin-auth', body: JSON.stringify(ADMIN) },
        { method: 'GET', path: '/functions/v1/admin-auth' },
        { method: 'OPTIONS', path: '/functions/v1/admin-auth' },
        { method: 'GET', path: '/auth/v1/user' },
        { method: 'POST', path: '/auth/v1/token?grant_type=refresh_token', body: '{"refresh_token":"a"}' },
        { method: 'POST', path: '/auth/v1/logout?scope=local' },
      ];
      for (const request of requests) {
        const response = await badInput(`${host}${request.path}`, product.request({ ...request, headers }));
        if (response.status < 400) count('unauthorised');
        assert.equal(response.status, 404, `${request.method} ${request.path}`);
      }
    });
  }

  for (const host of ADMIN_HOSTS) {
    test(`${host} has the sign-in and the session`, async () => {
      const redirect = await product.request({ path: '/admin', headers: { host } });
      assert.deepEqual([redirect.status, redirect.headers.location], [302, '/admin/login']);
      const page = await product.request({ path: '/admin/login', headers: { host } });
      assert.equal(page.status, 200);
      assert.equal(page.headers['clear-site-data'], undefined);
      const origins: Record<string, string>[] = [{}, { origin: `http://${host.toLowerCase()}` }];
      for (const origin of origins) {
        const headers = { host, ...origin };
        const response = await product.call('admin-auth', ADMIN, headers);
        assert.equal(response.status, 200, response.text);
        const { access_token, refresh_token } = jsonOf(response).session as Record<string, string>;
        const own = { host, apikey: PUBLIC_KEY, 'content-type': 'application/json' };
        const bearer = { ...own, authorization: `Bearer ${access_token}` };
        assert.equal((await product.request({ path: '/auth/v1/user', headers: bearer })).status, 200);
        const renewal = await product.request({
          method: 'POST',
          path: '/auth/v1/token?grant_type=refresh_token',
          headers: own,
          body: JSON.stringify({ refresh_token }),
        });
        assert.equal(renewal.status, 200, renewal.text);
      }
    });
  }

  test('a loopback host has no /admin and no sign-in through a proxy, not even for the right password', async () => {
    for (const host of ADMIN_HOSTS) {
      const proxy = { host, 'x-forwarded-for': '127.0.0.1' };
      for (const path of ADMIN_PAGES) {
        const response = await badInput(`${host}${path}`, product.request({ path, headers: proxy }));
        assert.equal(response.status, 404, path);
      }
      for (const origin of [{}, { origin: `http://${host.toLowerCase()}` }]) {
        const response = await badInput(host, product.call('admin-auth', ADMIN, { ...proxy, ...origin }));
        if (response.status < 400) count('unauthorised');
        assert.equal(response.status, 404, response.text);
      }
    }
  });

  test('a page of a domain for sale cannot sign in on any host', async () => {
    for (const origin of [
      'https://lap.app',
      'http://lap.app.localhost',
      'https://www.lap.app',
      'http://evil.localhost',
    ]) {
      const response = await badInput(
        origin,
        product.call('admin-auth', ADMIN, { host: 'localhost', origin }),
      );
      if (response.status < 400) count('unauthorised');
      assert.deepEqual([response.status, jsonOf(response).code], [403, 'foreign_origin'], origin);
    }
  });

  test('pages of an unknown host make offers on that host, and have no sign-in', async () => {
    const makeProof = proofMaker(dataKeys(product.dataDir).secretKey);
    for (const host of ['192.168.1.5:4321', '[fd00::5]:4321', 'tunnel.example', 'shop.lap.app']) {
      const headers = { host, origin: `https://${host}` };
      const challenge = await product.request({
        path: '/functions/v1/bot-check?domain=lap.app',
        headers: { ...headers, apikey: PUBLIC_KEY },
      });
      assert.equal(challenge.status, 200, challenge.text);
      const offer = { ...PLANTED_OFFER, turnstile_token: encodeProof(await makeProof()) };
      const stored = await product.call('order-submit', offer, headers);
      assert.equal(stored.status, 201, stored.text);
      count('acknowledged');
      const signIn = await badInput(host, product.call('admin-auth', ADMIN, headers));
      assert.equal(signIn.status, 404, signIn.text);
    }
  });

  test('two Host headers are rejected, also when equal', async () => {
    for (const second of ['localhost', 'lap.app', 'evil.example', '']) {
      for (const [one, other] of [
        ['localhost', second],
        [second, 'localhost'],
      ]) {
        for (const path of ['/', '/admin/login', '/rest/v1/offers', '/functions/v1/bot-check']) {
          const text = `GET ${path} HTTP/1.1\r\nHost: ${one}\r\nHOST: ${other}\r\n\r\n`;
          const response = await badInput(text, sendBytes(product.port, text));
          assert.equal(response.status, 400, text);
        }
      }
    }
  });

  for (const host of MALFORMED_HOSTS) {
    test(`the Host header ${JSON.stringify(host)} is rejected`, async () => {
      for (const path of ['/', '/admin/login', '/rest/v1/offers']) {
        const text = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
        const response = await badInput(text, sendBytes(product.port, Buffer.from(text, 'latin1')));
        assert.equal(response.status, 400, path);
      }
    });
  }
});
