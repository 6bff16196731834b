import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ADMIN_HEADERS } from '../src/serving/headers.ts';
import { workerOf } from './worker.ts';

const FILES = [
  '/index.html',
  '/404.html',
  '/de/404/index.html',
  '/sites/lap.app/index.html',
  '/de/sites/lap.app/index.html',
  '/admin/login/index.html',
  '/_astro/logo.svg',
];
const BUILD = {
  policies: { everywhere: "default-src 'none'", pages: {} },
  siteFacts: { names: ['lap.app'], hosts: ['names.example.com'], languages: ['en', 'de'], domainPages: 0 },
  adminHost: 'admin.example',
};
const { fetch: respond } = workerOf(BUILD);

/** Returns the status, the body and the number of files that were looked up. */
async function get(host: string, path: string, init: RequestInit = {}) {
  const lookups: string[] = [];
  const env = { ASSETS: { fetch: (request: Request) => Promise.resolve(assetOf(request, lookups)) } };
  const response = await respond(new Request(`https://${host}${path}`, init), env);
  return { response, body: await response.text(), lookups: lookups.length };
}

/** As Cloudflare finds files: it decodes each segment and removes empty ones. The body is the file's path. */
function assetOf(request: Request, lookups: string[]): Response {
  const path = new URL(request.url).pathname
    .split('/')
    .map(decodeURIComponent)
    .join('/')
    .replace(/\/+/g, '/');
  lookups.push(path);
  if (!FILES.includes(path)) return new Response(null, { status: 404 });
  if (request.headers.get('if-none-match') === '"1"') return new Response(null, { status: 304 });
  return new Response(path, { headers: { etag: '"1"' } });
}

test('a page costs one look-up of a file', async () => {
  for (const host of ['lap.app', 'www.LAP.app', 'lap.app.:8443']) {
    const { response, body, lookups } = await get(host, '/');
    assert.deepEqual([response.status, body, lookups], [200, '/sites/lap.app/index.html', 1], host);
  }
});

test('no path of a domain for sale leads to the admin area', async () => {
  const login = await get('admin.example', '/admin/login');
  assert.equal(login.body, '/admin/login/index.html');
  const paths = [
    '/admin/login',
    '//admin/login/',
    '/%61dmin/login',
    '/%2561dmin/login',
    '/admin%2Flogin',
    '/%2Fadmin/login',
    '/x%2F..%2Fadmin/login',
    '/.%2Fadmin/login',
    '/x/..%2Fadmin%2Flogin%2F',
    '/%5Cadmin/login',
    '/de/..%2Fadmin/login',
  ];
  for (const path of paths) {
    const { response, body } = await get('lap.app', path);
    assert.equal(response.status, 404, path);
    assert.match(body, /404/, path);
  }
});

test('an unknown path of the admin area has the headers of its pages', async () => {
  const { response, body } = await get('admin.example', '/admin/nothing');
  assert.deepEqual([response.status, body], [404, '/404.html']);
  for (const [name, value] of Object.entries(ADMIN_HEADERS))
    if (name !== 'cache-control') assert.equal(response.headers.get(name), value, name);
});

test('an own host is bound to https for a year, a domain for sale for a day', async () => {
  for (const [host, seconds] of [
    ['names.example.com', 31_536_000],
    ['admin.example', 31_536_000],
    ['lap.app', 86_400],
  ] as const) {
    const { headers } = (await get(host, '/')).response;
    assert.equal(headers.get('strict-transport-security'), `max-age=${seconds}`, host);
  }
});

test('/admin of a domain clears the browser’s storage for documents only', async () => {
  for (const [destination, cleared] of [
    ['document', '"storage"'],
    ['image', null],
    ['iframe', null],
  ] as const) {
    const headers = { 'sec-fetch-dest': destination };
    const { response } = await get('lap.app', '/admin/login', { headers });
    assert.deepEqual([response.status, response.headers.get('clear-site-data')], [404, cleared]);
  }
});

test('a loopback host has no admin area at the edge', async () => {
  const { fetch: respond } = workerOf({ ...BUILD, adminHost: undefined });
  const env = { ASSETS: { fetch: (request: Request) => Promise.resolve(assetOf(request, [])) } };
  for (const host of ['localhost', '127.0.0.1', '[::1]'])
    assert.equal((await respond(new Request(`https://${host}/admin/login`), env)).status, 404, host);
});

test('a page that the browser has is not sent again, and an error page always is', async () => {
  const headers = { 'if-none-match': '"1"' };
  const known = await get('lap.app', '/', { headers });
  assert.deepEqual([known.response.status, known.body], [304, '']);
  assert.equal((await get('lap.app', '/')).response.headers.get('etag'), '"1"');
  const missing = await get('lap.app', '/de/nothing', { headers });
  assert.deepEqual([missing.response.status, missing.body], [404, '/de/404/index.html']);
});

test('robots.txt of a host and the way to the sign-in cost no look-up of a file', async () => {
  const robots = await get('www.lap.app', '/robots.txt');
  assert.deepEqual([robots.response.status, robots.lookups], [200, 0]);
  assert.match(robots.body, /^Sitemap: https:\/\/lap\.app\/sitemap\.xml$/m);
  for (const path of ['/admin', '/admin/']) {
    const { response, lookups } = await get('admin.example', path);
    assert.deepEqual([response.status, lookups], [302, 0], path);
    assert.equal(response.headers.get('location'), '/admin/login');
    assert.equal(response.headers.get('cache-control'), 'no-store');
  }
});

test('a picture as SVG runs nothing when it is opened by its own URL', async () => {
  const { headers } = (await get('lap.app', '/_astro/logo.svg')).response;
  assert.equal(
    headers.get('content-security-policy'),
    "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  );
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
});

test('a buyer’s link whose # was encoded leads to the right one without a look-up of a file', async () => {
  const token = '0123456789abcdeffedcba9876543210';
  for (const method of ['GET', 'HEAD']) {
    const { response, lookups } = await get('lap.app', `/offer/%23${token}?utm_source=x`, { method });
    assert.deepEqual([response.status, lookups], [302, 0]);
    assert.equal(response.headers.get('location'), `/offer/#${token}`);
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assert.equal(response.headers.get('referrer-policy'), 'no-referrer');
  }
});

test('the backend’s paths and other methods get a sentence', async () => {
  for (const path of ['/auth/v1/token', '/rest/v1/offers', '/functions/v1/order-submit']) {
    const { response, body } = await get('lap.app', path, { method: 'POST', body: '{}' });
    assert.deepEqual([response.status, body], [404, 'The backend is not on this host.\n'], path);
    assert.equal(response.headers.get('cache-control'), 'no-store', path);
  }
  const { response } = await get('lap.app', '/', { method: 'DELETE' });
  assert.deepEqual([response.status, response.headers.get('allow')], [405, 'GET, HEAD']);
});

test('a malformed host gets 400 with the headers of every response', async () => {
  const { response } = await get('lap.app', '/', { headers: { host: 'lap.app/de' } });
  assert.equal(response.status, 400);
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
  assert.equal(response.headers.get('strict-transport-security'), 'max-age=86400');
});
