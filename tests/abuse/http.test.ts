/** HTTP itself: other methods, origins, types, lengths, addresses and claims than a browser on the site would send. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import type { Offer } from '#contract/offer.ts';
import { jsonOf, sendBytes } from '../support/http-client.ts';
import { PUBLIC_KEY } from '../support/product.ts';
import { headlineOf } from '../support/terminal.ts';
import type { AbusedProduct } from './abused-product.ts';
import { badInput } from './bad-input.ts';
import { checkInBatches } from './check-in-batches.ts';
import { dataKeys } from './data-keys.ts';
import { PLANTED_OFFER } from './leaks.ts';
import { mapConcurrently } from './map-concurrently.ts';
import { encodeProof, proofMaker } from './proofs.ts';
import { count } from './report.ts';
import { roomInWindow } from './room-in-window.ts';
import { sharedProduct } from './shared-product.ts';
import { fastCheckSettings, runsOf } from './short-form.ts';
import { storedOffers } from './stored-offers.ts';

const FUNCTIONS = ['order-submit', 'admin-auth', 'bot-check', 'negotiation'] as const;
const OFFER = { ...PLANTED_OFFER, turnstile_token: 'no token' };

describe('HTTP', () => {
  let product: AbusedProduct;
  let stored: Offer[];
  before(async () => {
    product = await sharedProduct();
    stored = await storedOffers(product);
  });
  after(async () => {
    assert.deepEqual(await storedOffers(product), stored, 'nothing of all this was an offer');
  });

  const raw = (text: string) => badInput(text.slice(0, 80), sendBytes(product.port, text));
  const submitRaw = (headers: string, body: string) =>
    raw(
      `POST /functions/v1/order-submit HTTP/1.1\r\nHost: a\r\napikey: ${PUBLIC_KEY}\r\n${headers}\r\n\r\n${body}`,
    );

  test('methods that a path does not allow are rejected', async () => {
    const methods = [
      'GET',
      'POST',
      'PUT',
      'PATCH',
      'DELETE',
      'TRACE',
      'PROPFIND',
      'QUERY',
      'LOCK',
      'PURGE',
      'LINK',
    ];
    const paths = [
      '/',
      '/admin/login',
      '/sites/lap.app/',
      '/rest/v1/offers',
      '/auth/v1/user',
      '/auth/v1/token',
    ];
    for (const path of [...paths, ...FUNCTIONS.map((name) => `/functions/v1/${name}`)]) {
      for (const method of methods) {
        const response = await badInput(
          `${method} ${path}`,
          product.request({ method, path, headers: { apikey: PUBLIC_KEY } }),
        );
        const isPage = !/^\/(?:rest|auth|functions)/.test(path);
        if (isPage && method !== 'GET') assert.equal(response.status, 405, `${method} ${path}`);
        if (method === 'TRACE') assert.doesNotMatch(response.text, /sb_publishable/, 'no echo of headers');
      }
    }
    for (const line of ['CONNECT 127.0.0.1:22', 'get /', 'GETT /', 'PRI *', '\x16\x03\x01', 'OPTIONS *']) {
      await raw(`${line} HTTP/1.1\r\nHost: a\r\n\r\n`);
    }
  });

  test('pages of other origins are rejected, and cannot read the response', async () => {
    const origins = [
      ...[
        'null',
        'https://evil.example',
        'http://lap.app.evil.example',
        'https://evillap.app',
        'file://',
        '',
      ],
      ...[
        'https://lap.app@evil.example',
        'https://evil.example#lap.app',
        'javascript:lap.app',
        'lap.app',
        '*',
      ],
      ...['https://evil.example, https://lap.app', 'http://127.0.0.2:1', 'chrome-extension://lap.app'],
    ];
    for (const origin of origins) {
      for (const name of FUNCTIONS) {
        for (const method of ['POST', 'GET', 'OPTIONS']) {
          const response = await badInput(
            origin,
            product.request({
              ...{ method, path: `/functions/v1/${name}` },
              headers: { origin, apikey: PUBLIC_KEY },
            }),
          );
          assert.equal(response.headers['access-control-allow-origin'], undefined, origin);
          // A method that is not on the list never reaches the function.
          const isTaken = method === 'OPTIONS' || (method === 'GET') === (name === 'bot-check');
          assert.equal(response.status, isTaken ? 403 : 405, `${method} ${name} for ${origin}`);
        }
      }
    }
  });

  test('a spoofed host header does not make a foreign origin an own one, even with a solved bot check', async () => {
    const makeProof = proofMaker(dataKeys(product.dataDir).secretKey);
    const origin = 'https://evil.example';
    const claims: Record<string, string>[] = [
      { 'x-request-host': 'evil.example' },
      { 'x-forwarded-host': 'evil.example' },
      { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', 'x-forwarded-port': '443' },
      { forwarded: 'host=evil.example;proto=https' },
      { 'x-original-host': 'evil.example' },
      { 'x-host': 'evil.example', 'x-rewrite-url': '/control/backup', 'x-original-url': '/control/backup' },
      { referer: 'https://lap.app/', 'sec-fetch-site': 'same-origin' },
    ];
    for (const claim of claims) {
      // A token that would be accepted: otherwise the 403 of the bot check would hide a missing check of the origin.
      const offer = { ...PLANTED_OFFER, turnstile_token: encodeProof(await makeProof()) };
      const response = await badInput('a claim', product.call('order-submit', offer, { origin, ...claim }));
      assert.equal(jsonOf(response).code, 'foreign_origin', JSON.stringify(claim));
    }
  });

  test('content types other than JSON are rejected', async () => {
    const types = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=a',
      '',
      'a',
    ];
    const near = [
      'application/jsonp',
      'application/json-seq',
      'text/json',
      'application/ld+json',
      '*/*',
      'json',
    ];
    for (const type of [...types, ...near, 'application/json/x', 'text/plain; application/json']) {
      for (const name of ['order-submit', 'admin-auth']) {
        const response = await badInput(type, product.call(name, OFFER, { 'content-type': type }));
        assert.equal(jsonOf(response).code, 'not_json', type);
      }
    }
    const encoded = await badInput(
      'gzip',
      product.call('order-submit', OFFER, { 'content-encoding': 'gzip' }),
    );
    assert.ok(encoded.status >= 400);
  });

  test('bodies that are too large are rejected, with and without Content-Length', async () => {
    for (const name of ['order-submit', 'admin-auth']) {
      const response = await badInput('70 kB', product.call(name, 'a'.repeat(70_000)));
      assert.equal(jsonOf(response).code, 'too_large');
    }
    const chunk = `ffff\r\n${'a'.repeat(0xffff)}\r\n`;
    const chunked = await submitRaw(
      'content-type: application/json\r\ntransfer-encoding: chunked',
      chunk.repeat(20),
    );
    assert.equal(chunked.status, 413, chunked.text.slice(0, 200));
    const claimed = await submitRaw('content-type: application/json\r\ncontent-length: 99999999999', '{');
    assert.equal(claimed.status, 413);
    const rest = await badInput(
      'a long question',
      product
        .request({
          method: 'PATCH',
          path: '/rest/v1/offers?id=not.is.null',
          headers: { apikey: PUBLIC_KEY, 'content-type': 'application/json' },
          body: 'a'.repeat(5_000_000),
        })
        // Rejected before the body is read, so the connection may close while it is still being sent.
        .catch(() => ({ status: 401, headers: {}, text: '' })),
    );
    assert.equal(rest.status, 401);
  });

  test('requests with conflicting or malformed lengths are rejected', async () => {
    const heads = [
      'content-length: 2\r\ntransfer-encoding: chunked',
      'content-length: 2\r\ncontent-length: 3',
      'content-length: -1',
      'content-length: 1e3',
      'transfer-encoding: chunked, identity',
      'transfer-encoding: xchunked',
      'transfer-encoding:\x0bchunked',
      'expect: 100-continue\r\ncontent-length: 2',
      'expect: the unexpected\r\ncontent-length: 2',
      'content-length: 2\r\nbad header: a',
      'content-length: 2\r\na: b\0c',
      ' content-length: 2',
      'content-length : 2',
    ];
    for (const head of heads) await submitRaw(`content-type: application/json\r\n${head}`, '{}');
    await submitRaw('content-type: application/json\r\ntransfer-encoding: chunked', 'zz\r\n{}\r\n0\r\n\r\n');
    await raw('GET / HTTP/1.1\r\n\r\n');
    await raw('GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n');
    await raw('GET / HTTP/9.9\r\nHost: a\r\n\r\n');
    await raw('GET /\r\n\r\n');
    await raw(`GET / HTTP/1.1\r\nHost: a\r\n${'x: y\r\n'.repeat(3_000)}\r\n`);
    await raw(`GET / HTTP/1.1\r\nHost: a\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`);
    // A request smuggled in the body of another: the second one gets its own response or none.
    const hidden = 'GET /control/backup HTTP/1.1\r\nHost: a\r\n\r\n';
    await submitRaw('content-length: 5\r\ntransfer-encoding: chunked', `0\r\n\r\n${hidden}`);
    const chunk = `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;
    for (const method of ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'PATCH', 'POST']) {
      for (const path of ['/rest/v1/offers', '/auth/v1/user', '/functions/v1/order-submit']) {
        await raw(`${method} ${path} HTTP/1.1\r\nHost: a\r\ntransfer-encoding: chunked\r\n\r\n${chunk}`);
        const next = await product.request({
          method: 'GET',
          path: '/auth/v1/health',
          headers: { apikey: PUBLIC_KEY },
        });
        assert.doesNotMatch(next.text, /control/, `the response after a ${method} to ${path} is its own`);
      }
    }
  });

  test('slow and missing bodies time out', async () => {
    const head = `POST /functions/v1/order-submit HTTP/1.1\r\nHost: a\r\napikey: ${PUBLIC_KEY}\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{"domain`;
    const slow = badInput('a slow body', sendBytes(product.port, head));
    const idle = Array.from({ length: 150 }, () => {
      const socket = connect(product.port, '127.0.0.1');
      socket.on('error', () => {});
      socket.write('GET / HTTP/1.1\r\nHost: a\r\nx: ');
      return socket;
    });
    const aborted = Array.from({ length: runsOf(100, 30) }, async (_, number) => {
      count('badInputs');
      const socket = connect(product.port, '127.0.0.1');
      socket.on('error', () => {});
      await new Promise((resolve) => socket.write(head, resolve));
      await new Promise((resolve) => setTimeout(resolve, number % 20));
      socket.resetAndDestroy();
    });
    await Promise.all(aborted);
    // Meanwhile others are served.
    assert.equal((await product.request({ path: '/' })).status, 200);
    assert.equal((await product.call('order-submit', {})).status, 400);
    const response = await slow;
    assert.equal(response.status, 408, response.text);
    for (const socket of idle) socket.destroy();
  });

  test('path traversal returns no file outside the site', async () => {
    const tricks = [
      ...['/..%2f..%2fetc/passwd', '/../../etc/passwd', '/%2e%2e/%2e%2e/etc/passwd', '/..;/..;/etc/passwd'],
      ...[
        '/_astro/..%5c..%5c..%5cetc%5cpasswd',
        '/_astro/%2e%2e/%2e%2e/build-hash.txt',
        '/policies.json',
        '/site-facts.json',
        '/build-hash.txt',
      ],
      ...[
        '//etc/passwd',
        '//evil.example/',
        '/\\evil.example',
        '/%00',
        '/%',
        '/%zz',
        '/%c0%ae%c0%ae/',
        '/%ff',
        '/.env',
      ],
      ...['/.git/config', '/commands/start.ts', '/.data/secrets.json', '/data/secrets.json', '/package.json'],
      ...[
        '/sites/',
        '/sites/..',
        '/sites/lap.app/..%2f..%2findex.html.br',
        '/index.html%00.js',
        `/${'a'.repeat(8_000)}`,
      ],
      ...[
        '/__proto__',
        '/constructor',
        '/toString',
        '/*',
        '/?',
        '/#',
        '/;',
        '/admin/..%2f',
        '/admin%2flogin',
      ],
    ];
    await mapConcurrently(tricks, async (path) => {
      const response = await raw(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
      assert.doesNotMatch(response.text, /root:.*:0:0|"jwtSecret"|\[core\]/, path);
    });
    for (const path of [
      'http://evil.example/',
      'http://127.0.0.1:22/',
      'ftp://a/',
      'localhost',
      '',
      '?',
      '/ /',
    ]) {
      await raw(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    }
    await raw(`GET /${'a'.repeat(100_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  });

  test('control calls, accounts, the studio and the schema description are not reachable', async () => {
    const { secretKey } = dataKeys(product.dataDir);
    const inside = [
      ...[
        '/control/ping',
        '/control/backup',
        '/auth/v1/admin/users',
        '/_system',
        '/_system/',
        '/_studio',
        '/studio',
        '/sql',
      ],
      ...[
        '/rest/v1/',
        '/rest/v1',
        '/rest/v1/?',
        '/auth/v1/',
        '/auth/v1/admin/users',
        '/functions/v1/',
        '/functions/v1/a',
      ],
      ...['/storage/v1/bucket', '/realtime/v1/websocket', '/graphql/v1', '/pg/query', '/mcp', '/metrics'],
    ];
    const detours = ['rest', 'auth', 'functions'].flatMap((door) =>
      ['..', '%2e%2e', '.%2e', '..%2f..', '..;', '.', '%2f'].flatMap((step) =>
        ['control/backup', 'auth/v1/admin/users', '_system', 'control/ping'].map(
          (room) => `/${door}/v1/${step}/${step}/${room}`,
        ),
      ),
    );
    for (const path of [...inside, ...detours]) {
      for (const key of [PUBLIC_KEY, '']) {
        const response = await badInput(path, sendBytes(product.port, requestText(path, key)));
        if (response.status < 400) count('unauthorised');
        assert.ok(response.status >= 400, `${path} got ${response.status}`);
      }
    }
    // Even the secret key, should it ever be known, opens no tool through the gateway.
    for (const path of ['/rest/v1/../../control/ping', '/rest/v1/../../control/backup', '/control/ping']) {
      const response = await badInput(path, sendBytes(product.port, requestText(path, secretKey)));
      assert.ok(response.status >= 400, `${path} with the secret key got ${response.status}`);
    }
  });

  test('upgrades to other protocols are rejected', async () => {
    for (const path of ['/', '/rest/v1/offers', '/realtime/v1/websocket', '/functions/v1/order-submit']) {
      const upgrade =
        'Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
      for (const protocol of ['websocket', 'h2c', 'TLS/1.0']) {
        const response = await raw(
          `GET ${path} HTTP/1.1\r\nHost: a\r\nUpgrade: ${protocol}\r\n${upgrade}\r\n\r\n`,
        );
        assert.notEqual(response.status, 101);
      }
    }
  });

  test('random hosts get a page, and never another host’s', async () => {
    const hosts = [
      'lap.app.evil.example',
      'evil.example/lap.app',
      'lap.app@evil',
      '../lap.app',
      'lap.app%00',
      '[::1]',
    ];
    for (const host of [
      ...hosts,
      '*',
      '..',
      'a'.repeat(5_000),
      'lap.app:99999999',
      'lap.app:a',
      'x lap.app',
      '__proto__',
    ]) {
      const response = await raw(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      if (response.status === 200 && !/^lap\.app:\d*$/.test(host)) {
        assert.match(response.text, headlineOf(undefined), host);
      }
    }
  });

  test('random paths, queries and headers cause no server error', async () => {
    const bytes = fc
      .uint8Array({ minLength: 1, maxLength: 60 })
      .map((all) =>
        Buffer.from(all.map((byte) => (byte === 10 || byte === 13 || byte === 32 ? 65 : byte))).toString(
          'latin1',
        ),
      );
    const door = fc.constantFrom(
      '/',
      '/rest/v1/',
      '/auth/v1/',
      '/functions/v1/',
      '/functions/v1/order-submit?',
      '/sites/',
    );
    await checkInBatches(
      fc.tuple(door, bytes, bytes),
      fastCheckSettings(50, 3),
      async ([path, rest, value]) => {
        const request = `GET ${path}${rest} HTTP/1.1\r\nHost: a\r\napikey: ${PUBLIC_KEY}\r\nx-b: ${value}\r\nConnection: close\r\n\r\n`;
        await badInput(`${path}…`, sendBytes(product.port, Buffer.from(request, 'latin1')));
      },
    );
  });

  test('random tokens and headers cause no server error', async () => {
    const names = [
      'range',
      'if-none-match',
      'accept-encoding',
      'accept',
      'prefer',
      'origin',
      'authorization',
      'apikey',
    ];
    const header = fc.tuple(
      fc.constantFrom(
        ...names,
        'content-type',
        'x-client-info',
        'accept-profile',
        'cookie',
        'x-forwarded-for',
      ),
      fc.string({
        unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)),
        maxLength: 60,
      }),
    );
    const path = fc.constantFrom(
      '/',
      '/rest/v1/offers?select=id',
      '/auth/v1/user',
      '/functions/v1/bot-check',
    );
    await checkInBatches(
      fc.tuple(path, fc.array(header, { maxLength: 4 })),
      fastCheckSettings(40, 3),
      async ([to, headers]) => {
        await badInput(to, product.request({ path: to, headers: Object.fromEntries(headers) }));
      },
    );
  });
});

describe('the client’s IP address', () => {
  let product: AbusedProduct;
  before(async () => {
    product = await sharedProduct('with limits');
  });

  test('a spoofed X-Forwarded-For does not bypass the rate limit: after 20 offers the sender is rejected', async () => {
    const makeProof = proofMaker(dataKeys(product.dataDir).secretKey);
    const headers = [
      'x-forwarded-for',
      'x-client-address',
      'cf-connecting-ip',
      'x-real-ip',
      'forwarded',
      'sb-forwarded-for',
    ];
    await roomInWindow(30);
    const before = (await storedOffers(product)).length;
    const responses = await Promise.all(
      Array.from({ length: 30 }, async (_, number) => {
        const claims = Object.fromEntries(headers.map((name) => [name, `203.0.113.${number}`]));
        const body = { ...PLANTED_OFFER, customer_email: `v${number}@example.com`, domain_name: 'lap.app' };
        const turnstile_token = encodeProof(await makeProof());
        return await badInput('a claim', product.call('order-submit', { ...body, turnstile_token }, claims));
      }),
    );
    assert.equal(responses.filter(({ status }) => status === 201).length, 20);
    assert.equal(responses.filter(({ status }) => status === 429).length, 10);
    count('acknowledged', 20);
    const stored = (await storedOffers(product)).length - before;
    count('lost', Math.max(0, 20 - stored));
    count('doubled', Math.max(0, stored - 20));
    assert.equal(stored, 20);
    for (const { status, headers, text } of responses) {
      if (status === 201) continue;
      const wait = Number(headers['retry-after']);
      assert.ok(wait > 0 && wait <= 600, `${wait} s`);
      assert.deepEqual(
        [JSON.parse(text).code, JSON.parse(text).minutes],
        ['too_many_offers', Math.ceil(wait / 60)],
      );
    }
  });
});

function requestText(path: string, key: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\napikey: ${key}\r\nauthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`;
}
