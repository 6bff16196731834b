import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, afterEach, before, describe, mock, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { listFiles } from '../../site-builder/built-site/file-index.ts';
import { fileOfPage } from '../../site-builder/built-site/page-paths.ts';
import { writePolicies } from '../../site-builder/built-site/policies.ts';
import { compressFiles } from '../../site-builder/compress.ts';
import { waitUntil } from '../../tests/support/terminal.ts';
import { openStaticPages } from '../pages/static-pages.ts';
import type { BackendProxy } from './backend-proxy.ts';
import { createGateway } from './gateway.ts';
import { HEALTHY, PAGES_OF_NOTHING, renderText } from './gateway-fakes.ts';

const PAGES = [
  '/',
  '/404',
  '/sites/lap.app/',
  '/sites/two.app/',
  '/sites/www.two.example/',
  '/admin/login/',
  '/de/',
  '/de/404/',
  '/de/sites/lap.app/',
  '/offer/',
  '/de/offer/',
];
const PICTURE = Buffer.alloc(1000, 'picture');
const page = (path: string) => `<!doctype html><title>${path}</title>${'text '.repeat(100)}`;

/** A response that is longer than any buffer on the way. */
const endless: BackendProxy = (_request, response) => {
  response.end(Buffer.alloc(64 * 1024 * 1024));
};

describe('the gateway', () => {
  const dist = mkdtempSync(join(tmpdir(), 'gateway-'));
  let open: Server;
  let withAdminHost: Server;

  before(async () => {
    const client = join(dist, 'client');
    for (const path of PAGES) {
      const sitePath = path.endsWith('/') ? path : `${path}.html`;
      const file = fileOfPage(client, sitePath);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, page(path));
    }
    writePolicies(dist, {}, listFiles(dist));
    mkdirSync(join(client, '_astro'));
    writeFileSync(join(client, '_astro/island.abc123.js'), 'export {};\n'.repeat(50));
    mkdirSync(join(client, 'share'));
    writeFileSync(join(client, 'share/lap.app.png'), PICTURE);
    compressFiles(client, PAGES.length);
    const siteFacts = {
      names: ['lap.app', 'www.two.example'],
      hosts: ['names.example.com'],
      languages: ['en', 'de'],
      domainPages: 0,
    };
    writeFileSync(join(dist, 'site-facts.json'), JSON.stringify(siteFacts));
    const serve = (adminHost: string | undefined) =>
      createGateway({
        pages: openStaticPages(dist, adminHost, renderText),
        backend: undefined,
        health: HEALTHY,
      }).listen(0, '127.0.0.1');
    open = serve(undefined);
    withAdminHost = serve('admin.example');
    await Promise.all([open, withAdminHost].map((server) => once(server, 'listening')));
  });
  after(() => {
    open.close();
    withAdminHost.close();
    rmSync(dist, { recursive: true });
  });

  const started: Server[] = [];
  /** Closed after its test, also one that fails. */
  async function start(options: Omit<Parameters<typeof createGateway>[0], 'console'>): Promise<Server> {
    const server = createGateway(options).listen(0, '127.0.0.1');
    started.push(server);
    await once(server, 'listening');
    return server;
  }
  afterEach(() => {
    for (const server of started.splice(0)) {
      server.close();
      server.closeAllConnections();
    }
  });

  const get = (path: string, headers: Record<string, string> = {}, method = 'GET', server = open) =>
    new Promise<{ status: number; headers: IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
      const { port } = server.address() as AddressInfo;
      request({ port, path, method, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks),
          }),
        );
      })
        .on('error', reject)
        .end();
    });

  const HOSTS: [host: string, shows: string][] = [
    ['lap.app', '/sites/lap.app/'],
    ['www.lap.app', '/sites/lap.app/'],
    ['LAP.app:4321', '/sites/lap.app/'],
    ['lap.app.', '/sites/lap.app/'],
    ['lap.app.localhost:4321', '/sites/lap.app/'],
    ['www.lap.app.localhost', '/sites/lap.app/'],
    ['www.two.example', '/sites/www.two.example/'],
    ['two.example', '/'],
    ['localhost:4321', '/'],
    ['other.example', '/'],
    ['notlap.app', '/'],
    ['lap.app.evil.example', '/'],
    ['[::1]:4321', '/'],
  ];
  for (const [host, shows] of HOSTS) {
    test(`the host ${host} shows ${shows}`, async () => {
      const { status, body } = await get('/', { host });
      assert.equal(status, 200);
      assert.equal(body.toString(), page(shows));
    });
  }

  const GERMAN: [host: string, path: string, shows: string][] = [
    ['lap.app', '/de/', '/de/sites/lap.app/'],
    ['www.lap.app.localhost:4321', '/de', '/de/sites/lap.app/'],
    ['lap.app', '/de/?from=mail', '/de/sites/lap.app/'],
    ['other.example', '/de/', '/de/'],
    ['localhost', '/admin/login/', '/admin/login/'],
  ];
  for (const [host, path, shows] of GERMAN) {
    test(`on the host ${host}, ${path} shows ${shows}`, async () => {
      const { status, body } = await get(path, { host });
      assert.equal(status, 200);
      assert.equal(body.toString(), page(shows));
    });
  }

  test('an unknown path below a language is a 404 in that language', async () => {
    for (const path of ['/de/nothing', '/de/sites/unknown.example/']) {
      const { status, body } = await get(path);
      assert.equal(status, 404, path);
      assert.equal(body.toString(), page('/de/404/'), path);
    }
    assert.equal((await get('/fr/nothing')).body.toString(), page('/404'));
  });

  test('a page is found with and without its trailing slash, and with a query', async () => {
    for (const path of [
      '/sites/lap.app/',
      '/sites/lap.app',
      '/sites/lap.app/?from=mail',
      '/sites/lap%2Eapp/',
    ]) {
      assert.equal((await get(path)).body.toString(), page('/sites/lap.app/'), path);
    }
  });

  test('an unknown path gets the 404 page', async () => {
    for (const path of [
      '/nothing',
      '/sites/unknown.example/',
      '/%',
      '/..%2f..%2fetc/passwd',
      '//',
      '/policies.json',
      '/site-facts.json',
    ]) {
      const { status, body } = await get(path);
      assert.equal(status, 404, path);
      assert.equal(body.toString(), page('/404'), path);
    }
  });

  test('each client gets the smallest accepted encoding, with its length', async () => {
    const br = await get('/', { 'accept-encoding': 'gzip, deflate, br, zstd' });
    assert.equal(br.headers['content-encoding'], 'br');
    assert.equal(brotliDecompressSync(br.body).toString(), page('/'));
    const gzip = await get('/', { 'accept-encoding': 'gzip;q=1.0, br;q=0' });
    assert.equal(gzip.headers['content-encoding'], 'gzip');
    assert.equal(gunzipSync(gzip.body).toString(), page('/'));
    const plain = await get('/', { 'accept-encoding': 'identity' });
    assert.equal(plain.headers['content-encoding'], undefined);
    for (const { headers, body } of [br, gzip, plain]) {
      assert.equal(Number(headers['content-length']), body.length);
      assert.equal(headers.vary, 'accept-encoding');
    }
  });

  test('a page that the client has cached gets 304', async () => {
    const { headers } = await get('/');
    const again = await get('/', { 'if-none-match': `"other", W/${headers.etag}` });
    assert.equal(again.status, 304);
    assert.equal(again.body.length, 0);
    for (const name of ['etag', 'vary', 'cache-control', 'content-security-policy'])
      assert.equal(again.headers[name], headers[name], name);
    assert.equal((await get('/', { 'if-none-match': '"other"' })).status, 200);
    assert.equal((await get('/', { 'if-none-match': '*' })).status, 304);
    const unknown = await get('/unknown');
    const { etag = '' } = unknown.headers;
    assert.equal((await get('/unknown', { 'if-none-match': etag })).status, 404, 'an error page');
  });

  test('pages of the same length have different ETags', async () => {
    const [lap, two] = await Promise.all(['/sites/lap.app/', '/sites/two.app/'].map((path) => get(path)));
    assert.equal(lap?.headers['content-length'], two?.headers['content-length']);
    assert.notEqual(lap?.headers.etag, two?.headers.etag);
  });

  test('HEAD returns the headers of GET without a body', async () => {
    const { headers, body } = await get('/', {}, 'HEAD');
    assert.equal(body.length, 0);
    assert.equal(headers['content-length'], String(Buffer.byteLength(page('/'))));
  });

  test('pages are revalidated, scripts are immutable, admin pages are neither stored nor indexed', async () => {
    assert.equal((await get('/')).headers['cache-control'], 'public, max-age=0, must-revalidate');
    const script = await get('/_astro/island.abc123.js');
    assert.equal(script.headers['cache-control'], 'public, max-age=31536000, immutable');
    const admin = await get('/admin/login', { host: 'localhost' });
    assert.equal(admin.headers['cache-control'], 'no-store');
    assert.equal(admin.headers['x-robots-tag'], 'noindex');
  });

  test('the buyer’s page is not stored or indexed, and its URL is sent to no other site, in each language', async () => {
    for (const path of ['/offer/', '/offer', '/de/offer/']) {
      const { status, headers } = await get(path, { host: 'lap.app' });
      assert.deepEqual(
        [status, headers['cache-control'], headers['referrer-policy'], headers['x-robots-tag']],
        [200, 'no-store', 'no-referrer', 'noindex'],
        path,
      );
    }
  });

  test('share images are cached for a day, revalidated by ETag, and not compressed again', async () => {
    const { headers, body } = await get('/share/lap.app.png', { 'accept-encoding': 'gzip, br' });
    assert.deepEqual(body, PICTURE);
    assert.equal(headers['content-type'], 'image/png');
    assert.equal(headers['content-encoding'], undefined);
    assert.equal(headers['cache-control'], 'public, max-age=86400');
    assert.equal((await get('/share/lap.app.png', { 'if-none-match': headers.etag ?? '' })).status, 304);
  });

  test('every response carries the security headers, every page its policy', async () => {
    for (const path of ['/', '/nothing', '/admin/login', '/_astro/island.abc123.js']) {
      const { headers } = await get(path, { host: 'localhost' });
      assert.equal(headers['x-content-type-options'], 'nosniff', path);
      assert.equal(headers['x-frame-options'], 'DENY', path);
      assert.ok(headers['referrer-policy'] && headers['permissions-policy'], path);
      if (!path.endsWith('.js'))
        assert.match(
          String(headers['content-security-policy']),
          /^default-src 'none'; script-src 'self'; /,
          path,
        );
    }
  });

  test('pages allow GET and HEAD only, listed in Allow', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const { status, headers } = await get('/', {}, method);
      assert.equal(status, 405);
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers.allow, 'GET, HEAD');
    }
  });

  for (const host of ['lap.app', 'www.lap.app', 'lap.app.localhost:4321', 'other.example']) {
    test(`the host ${host} has no admin pages, and its browser storage is cleared`, async () => {
      for (const path of ['/admin', '/admin/', '/admin/login', '/%61dmin/login', '/admin/login/?a=b']) {
        const { status, headers, body } = await get(path, { host, 'sec-fetch-dest': 'document' });
        assert.equal(status, 404, path);
        assert.equal(headers['clear-site-data'], '"storage"', path);
        assert.equal(body.toString(), page('/404'), path);
      }
      for (const path of ['/', '/administrators']) {
        const { headers } = await get(path, { host, 'sec-fetch-dest': 'document' });
        assert.equal(headers['clear-site-data'], undefined, path);
      }
    });
  }

  test('a picture or frame of another page does not clear the browser’s storage of a domain', async () => {
    for (const destination of ['image', 'iframe', 'script', 'empty', '']) {
      const found = await get('/admin/x', { host: 'lap.app', 'sec-fetch-dest': destination });
      assert.deepEqual([found.status, found.headers['clear-site-data']], [404, undefined], destination);
    }
  });

  test('the first of hosts and localhost have the admin pages without ADMIN_HOST', async () => {
    for (const host of ['localhost:4321', '127.0.0.1', '[::1]:4321', 'names.example.com'])
      assert.equal((await get('/admin/login', { host })).status, 200, host);
  });

  test('a proxy does not lead to the admin pages of a loopback host', async () => {
    const proxies: Record<string, string>[] = [
      { 'x-forwarded-for': '203.0.113.9' },
      { 'x-forwarded-for': '127.0.0.1' },
      { forwarded: 'for=203.0.113.9' },
      { via: '1.1 proxy' },
    ];
    for (const proxy of proxies) {
      for (const host of ['localhost', 'LOCALHOST:443', '127.0.0.1', '[::1]', '[::1]:4321']) {
        for (const path of ['/admin', '/admin/login', '/%61dmin/login'])
          assert.equal((await get(path, { ...proxy, host })).status, 404, host);
      }
      assert.equal((await get('/admin/login', { ...proxy, host: 'names.example.com' })).status, 200);
    }
  });

  test('admin pages are isolated from other origins', async () => {
    const { headers } = await get('/admin/login', { host: 'localhost' });
    assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
    assert.equal(headers['cross-origin-resource-policy'], 'same-origin');
    assert.match(String(headers['content-security-policy']), /require-trusted-types-for 'script'/);
    const visitors = await get('/', { host: 'localhost' });
    assert.doesNotMatch(String(visitors.headers['content-security-policy']), /trusted-types/);
  });

  const HSTS: [host: string, server: () => Server, seconds: number][] = [
    ['lap.app', () => open, 86_400],
    ['other.example', () => open, 86_400],
    ['names.example.com', () => open, 31_536_000],
    ['www.names.example.com', () => open, 31_536_000],
    ['admin.example', () => withAdminHost, 31_536_000],
    ['ADMIN.example:4321', () => withAdminHost, 31_536_000],
  ];
  for (const [host, server, seconds] of HSTS) {
    test(`HSTS on ${host} lasts ${seconds} s, with every status`, async () => {
      const tries: [path: string, method: string, status: number][] = [
        ['/', 'GET', 200],
        ['/nothing', 'GET', 404],
        ['/', 'POST', 405],
        ['/robots.txt', 'GET', 200],
      ];
      for (const [path, method, status] of tries) {
        const response = await get(path, { host }, method, server());
        assert.equal(response.status, status);
        assert.equal(
          response.headers['strict-transport-security'],
          `max-age=${seconds}`,
          `${method} ${path}`,
        );
        assert.match(String(response.headers['permissions-policy']), /camera=\(\)/);
      }
      const redirected = await get('/admin', { host: 'admin.example' }, 'GET', withAdminHost);
      assert.deepEqual([redirected.status, redirected.headers['x-content-type-options']], [302, 'nosniff']);
      assert.equal(redirected.headers['strict-transport-security'], 'max-age=31536000');
    });
  }

  test('health reports its parts on admin hosts, elsewhere only the status', async () => {
    const inside = await get('/health', { host: 'localhost:4321' });
    assert.equal(inside.status, 200);
    assert.equal(inside.headers['cache-control'], 'no-store');
    assert.deepEqual(JSON.parse(inside.body.toString()), await HEALTHY());
    for (const host of ['lap.app', 'other.example'])
      assert.deepEqual(JSON.parse((await get('/health', { host })).body.toString()), { status: 'ok' });
  });

  test('a health report is whole in any letters, with the status of what does not work', async () => {
    const reasons = { database: 'The folder “/srv/dömäns” cannot be written.' };
    const report = { ...(await HEALTHY()), status: 'degraded', database: 'degraded', reasons } as const;
    const server = await start({ pages: PAGES_OF_NOTHING, backend: undefined, health: async () => report });
    const { status, body } = await get('/health', { host: 'localhost' }, 'GET', server);
    assert.equal(status, 503);
    assert.deepEqual(JSON.parse(body.toString()), report);
  });

  test('health reports its parts on a loopback host only to this machine', async () => {
    const proxy = { 'x-forwarded-for': '203.0.113.9' };
    for (const host of ['localhost', 'LOCALHOST:1', '127.0.0.1', '[::1]:4321']) {
      const { body } = await get('/health', { host, ...proxy });
      assert.deepEqual(JSON.parse(body.toString()), { status: 'ok' }, host);
    }
    const admin = await get('/health', { host: 'admin.example', ...proxy }, 'GET', withAdminHost);
    assert.deepEqual(JSON.parse(admin.body.toString()), await HEALTHY());
  });

  test('/tls/ask responds to proxies in private networks, and is an unknown path for their clients', async () => {
    const STATUSES: [domain: string, status: number][] = [
      ['www.lap.app', 200],
      ['other.example', 404],
      ['192.0.2.1', 400],
    ];
    for (const [domain, status] of STATUSES) {
      const response = await get(`/tls/ask?domain=${domain}`, { host: '127.0.0.1:4321' });
      assert.deepEqual(
        [response.status, response.headers['content-type']],
        [status, 'text/plain; charset=utf-8'],
      );
    }
    for (const [name, value] of [
      ['x-forwarded-for', '127.0.0.1'],
      ['forwarded', 'for=127.0.0.1'],
      ['via', '1.1 proxy'],
      ['x-real-ip', '127.0.0.1'],
    ] as const) {
      const { status, body } = await get('/tls/ask?domain=lap.app', { [name]: value });
      assert.deepEqual([status, body.toString()], [404, page('/404')], name);
    }
    assert.equal((await get('/tls/ask/?domain=lap.app')).body.toString(), page('/404'));
    assert.equal((await get('/tls/ask?domain=lap.app', {}, 'POST')).status, 405);
  });

  test('each host has its own robots.txt, sitemap.xml and security.txt, with a tag and the headers of a page', async () => {
    for (const host of ['lap.app', 'www.lap.app', 'LAP.app:4321']) {
      const { status, body, headers } = await get('/robots.txt?a=b', { host });
      assert.equal(status, 200);
      assert.match(body.toString(), /^Sitemap: https:\/\/lap\.app\/sitemap\.xml$/m, host);
      assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
      assert.equal(headers['cache-control'], 'public, max-age=0, must-revalidate');
      assert.equal(headers['x-content-type-options'], 'nosniff');
      const known = await get('/robots.txt', { host, 'if-none-match': headers.etag ?? '' });
      assert.deepEqual([known.status, known.body.length], [304, 0]);
    }
    for (const host of ['other.example', 'lap.app:99999', '[1:2]', '1.2.3.4.5']) {
      const { status, body } = await get('/robots.txt', { host });
      assert.deepEqual([status, body.toString().includes('Sitemap')], [200, host === 'lap.app:99999'], host);
    }
    const sitemap = await get('/sitemap.xml', { host: 'names.example.com' });
    assert.equal(sitemap.headers['content-type'], 'application/xml; charset=utf-8');
    assert.match(sitemap.body.toString(), /<loc>https:\/\/names\.example\.com\/<\/loc>/);
    assert.equal((await get('/sitemap.xml', { host: 'other.example' })).status, 404);
    assert.equal((await get('/.well-known/security.txt', { host: 'lap.app' })).status, 404, 'no contact');
  });

  test('a connection with more than 16 requests without a response is closed, and others are served', async () => {
    const held: ServerResponse[] = [];
    const backend: BackendProxy = (_request, response) => void held.push(response);
    const server = await start({ pages: PAGES_OF_NOTHING, backend, health: HEALTHY });
    const { port } = server.address() as AddressInfo;
    const pipeline = async (number: number, path: string, header = '') => {
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n${header}\r\n`.repeat(number));
      return { socket, responses: () => text.match(/HTTP\/1\.1 \d/g)?.length ?? 0 };
    };
    const most = await pipeline(16, '/rest/v1/offers');
    await waitUntil(() => held.length === 16, 'requests that reached the backend');
    assert.equal((await get('/', {}, 'GET', server)).status, 200);
    for (const response of held.splice(0)) response.end();
    await waitUntil(() => most.responses() === 16, 'responses');
    // Answered ones count no more.
    most.socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(16));
    await waitUntil(() => most.responses() === 32, 'responses to requests after those with one');
    most.socket.destroy();
    for (const [path, header] of [
      ...['/rest/v1/offers', '/', '/robots.txt', '/health'].map((one) => [one, ''] as const),
      ['/', 'Expect: more\r\n'],
    ] as const) {
      const { socket, responses } = await pipeline(17, path, header);
      await once(socket, 'close', { signal: AbortSignal.timeout(30_000) }).catch((cause) => {
        throw new Error(`the connection stayed open: ${path} ${header}`, { cause });
      });
      assert.ok(responses() <= 16, path + header);
      assert.ok(held.splice(0).length <= 16);
    }
  });

  test('an error page below /admin is isolated from other origins', async () => {
    const { status, headers } = await get('/admin/nothing');
    assert.equal(status, 404);
    assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
    assert.equal(headers['cross-origin-resource-policy'], 'same-origin');
  });

  test('ADMIN_HOST is the only host with the admin pages', async () => {
    assert.equal((await get('/admin/login', { host: 'lap.app' }, 'GET', withAdminHost)).status, 404);
    assert.equal((await get('/admin%2flogin', { host: 'lap.app' }, 'GET', withAdminHost)).status, 404);
    assert.equal(
      (await get('/admin/login', { host: 'ADMIN.example:4321' }, 'GET', withAdminHost)).status,
      200,
    );
  });

  test('/admin redirects to the login page on admin hosts', async () => {
    for (const path of ['/admin', '/admin/', '/admin?a=b']) {
      const { status, headers } = await get(path);
      assert.deepEqual(
        [status, headers.location, headers['cache-control']],
        [302, '/admin/login', 'no-store'],
        path,
      );
    }
    assert.equal((await get('/admin', { host: 'lap.app' }, 'GET', withAdminHost)).status, 404);
  });

  const ABSOLUTE: [line: string, status: number, shows: string][] = [
    ['http://lap.app/', 200, '/sites/lap.app/'],
    ['HTTP://LAP.app:80', 200, '/sites/lap.app/'],
    ['https://lap.app?from=mail', 200, '/sites/lap.app/'],
    ['http://lap.app/de/', 200, '/de/sites/lap.app/'],
    ['http://[::1]:4321/', 200, '/'],
    ['http://lap.app/nothing', 404, '/404'],
    ['http://owner@lap.app/', 400, ''],
    ['http:///lap.app', 400, ''],
    ['ftp://lap.app/', 400, ''],
    ['lap.app/', 400, ''],
  ];
  for (const [line, status, shows] of ABSOLUTE) {
    test(`GET ${line} in absolute form ${status === 200 ? `shows ${shows}` : `is ${status}`}`, async () => {
      const response = await get(line, { host: 'two.example' });
      assert.equal(response.status, status);
      if (shows) assert.equal(response.body.toString(), page(shows));
    });
  }

  test('a backend path in absolute form reaches the backend with the host of its URL', async () => {
    const received: string[] = [];
    const backend: BackendProxy = (_request, response, { host, path, query }) => {
      received.push(`${host} ${path}?${query}`);
      response.end();
    };
    const server = await start({ pages: PAGES_OF_NOTHING, backend, health: HEALTHY });
    await get('http://lap.app/rest/v1/offers?limit=1', { host: 'two.example' }, 'GET', server);
    assert.deepEqual(received, ['lap.app /rest/v1/offers?limit=1']);
  });

  test('a buyer’s link whose # was encoded leads to the right one, is not logged, and reaches no backend', async () => {
    const TOKEN = '0123456789abcdeffedcba9876543210';
    const logged = mock.method(console, 'error', () => {});
    const unused = () => assert.fail('nothing but the path is used');
    const pages = { ...PAGES_OF_NOTHING, find: unused, notFound: unused };
    const server = await start({ pages, backend: unused, health: HEALTHY });
    for (const method of ['GET', 'HEAD'])
      for (const path of [`/offer/%23${TOKEN}`, `http://lap.app/offer%2523${TOKEN}?x=y`]) {
        const { status, headers } = await get(path, { host: 'lap.app' }, method, server);
        assert.deepEqual(
          [status, headers.location, headers['cache-control'], headers['referrer-policy']],
          [302, `/offer/#${TOKEN}`, 'no-store', 'no-referrer'],
        );
      }
    assert.equal(logged.mock.callCount(), 0);
    logged.mock.restore();
  });

  test('the absolute form does not reveal the admin pages of ADMIN_HOST', async () => {
    const admin = { host: 'admin.example' };
    assert.equal((await get('http://lap.app/admin/login', admin, 'GET', withAdminHost)).status, 404);
    assert.equal(
      (await get('http://admin.example/admin/login', { host: 'lap.app' }, 'GET', withAdminHost)).status,
      200,
    );
  });

  test('a connection that never reads its response is closed', async () => {
    const server = await start({ pages: PAGES_OF_NOTHING, backend: endless, health: HEALTHY });
    assert.equal(server.timeout, 120_000);
    // The same, sooner.
    server.timeout = 100;
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => {});
    const [served] = (await Promise.all([once(server, 'connection'), once(socket, 'connect')]))[0];
    socket.pause().write('GET /rest/v1/offers HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(served, 'close');
    socket.destroy();
  });

  test('a file that cannot be read is a 503, and other pages are still served', async () => {
    const logged = mock.method(console, 'error', () => {});
    rmSync(join(dist, 'client/de/sites/lap.app/index.html.gz'));
    const { status, headers } = await get('/de/sites/lap.app/', { 'accept-encoding': 'gzip' });
    assert.deepEqual([status, headers['retry-after']], [503, '5']);
    assert.equal((await get('/')).status, 200);
    assert.equal(logged.mock.callCount(), 1);
    logged.mock.restore();
  });
});
