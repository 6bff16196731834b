import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, afterEach, before, describe, mock, test } from 'node:test';
import { createBackendProxy } from './backend-proxy.ts';
import { createGateway } from './gateway.ts';
import { HEALTHY, NOTHING_ON_DEMAND, PAGES_OF_NOTHING } from './gateway-fakes.ts';

const PUBLIC_KEY = 'sb_publishable_test';
const GATEWAY_KEY = 'key of this start';
const ID = '0190a5b0-1111-4222-8333-444455556666';
const SITE = { names: new Set(['lap.app']), hosts: ['names.example.com'], adminHost: undefined };

const TOKEN_SECRET = 'secret of the tokens';

/** A token with these claims, signed as the auth server signs them. */
const tokenWith = (claims: object, header: object = { alg: 'HS256', typ: 'JWT' }, secret = TOKEN_SECRET) => {
  const parts = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  const signature = createHmac('sha256', secret).update(parts.join('.')).digest('base64url');
  return [...parts, signature].join('.');
};
const CLAIMS = { role: 'authenticated', aud: 'authenticated', exp: 4_000_000_000 };
const SESSION = tokenWith(CLAIMS);
const SIGNED_IN = { apikey: PUBLIC_KEY, authorization: `Bearer ${SESSION}` };

/** A request as a backend received it. */
interface Received {
  readonly line: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Call {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

const NOTHING: Received = { line: '', headers: {}, body: '' };

/** A response, with the `code` of its JSON where it has one. */
interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly code: unknown;
}

describe('the backend proxy', () => {
  const received: Received[] = [];
  let backend: Server;
  let gateway: Server;

  before(async () => {
    backend = createServer(async (asked: IncomingMessage, response: ServerResponse) => {
      const body = (await asked.setEncoding('utf8').toArray()).join('');
      received.push({ line: `${asked.method} ${asked.url}`, headers: asked.headers, body });
      response.writeHead(200, {
        'content-type': 'application/json',
        'x-powered-by': 'someone',
        server: 'other',
      });
      response.end('[]');
    });
    gateway = await gatewayTo(backend);
  });
  after(() => close(gateway, backend));
  afterEach(() => {
    received.length = 0;
  });

  const call = (asked: Call) => callTo(gateway, asked);
  const patch = (body: unknown, more: Partial<Call> = {}): Call => ({
    method: 'PATCH',
    path: `/rest/v1/offers?id=eq.${ID}`,
    headers: { ...SIGNED_IN, 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...more,
  });

  test('the calls of the specification reach the backend, rewritten', async () => {
    await call({ path: '/rest/v1/offers?select=*&order=created_at.desc', headers: SIGNED_IN });
    await call(
      patch('{ "status" : "accepted" }', {
        headers: { ...SIGNED_IN, 'content-type': 'application/json', prefer: 'return=representation' },
      }),
    );
    assert.deepEqual(
      received.map(({ line, body }) => [line, body]),
      [
        ['GET /rest/v1/offers?select=*&order=created_at.desc', ''],
        [`PATCH /rest/v1/offers?id=eq.${ID}`, '{"status":"accepted"}'],
      ],
    );
    const [{ headers } = NOTHING, patched] = received;
    assert.equal(headers['x-gateway-key'], GATEWAY_KEY);
    assert.equal(headers.apikey, PUBLIC_KEY);
    assert.equal(headers.authorization, SIGNED_IN.authorization);
    assert.equal(headers['x-client-address'], '127.0.0.1');
    assert.equal(patched?.headers.prefer, 'return=representation');
  });

  test('only listed headers are forwarded', async () => {
    const claims = {
      'x-forwarded-for': '6.6.6.6',
      'x-forwarded-host': 'evil.example',
      'x-client-address': '6.6.6.6',
      'x-gateway-key': 'guess',
      'sb-forwarded-for': '6.6.6.6',
      cookie: 'a=b',
      'x-anything': 'a',
    };
    await call({ path: '/rest/v1/offers', headers: { ...SIGNED_IN, ...claims } });
    await call({
      method: 'POST',
      path: '/functions/v1/order-submit',
      headers: { ...claims, apikey: PUBLIC_KEY, 'content-type': 'application/json' },
      body: '{}',
    });
    const ours = [
      'host',
      'connection',
      'content-length',
      'x-client-address',
      'apikey',
      'authorization',
      'accept',
      'x-gateway-key',
      'content-type',
    ];
    for (const { headers } of received) {
      assert.deepEqual(
        Object.keys(headers).filter((name) => !ours.includes(name)),
        [],
      );
      assert.equal(headers['x-client-address'], '127.0.0.1');
      assert.notEqual(headers['x-gateway-key'], 'guess');
    }
    assert.equal(received[1]?.headers['x-gateway-key'], undefined, 'the functions need no such key');
  });

  test('responses carry no header of the backend’s server, are not stored, and have the security headers', async () => {
    const { headers } = await call({ path: '/rest/v1/offers', headers: SIGNED_IN });
    assert.equal(headers['x-powered-by'], undefined);
    assert.equal(headers.server, undefined);
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.match(String(headers['permissions-policy']), /camera=\(\)/);
    assert.match(String(headers['strict-transport-security']), /^max-age=\d+$/);
  });

  const REJECTED: [name: string, call: Call, status: number, code: string][] = [
    ['a table off the list', { path: '/rest/v1/admins', headers: SIGNED_IN }, 404, 'unknown_route'],
    [
      'a function of the database for the functions',
      { method: 'POST', path: '/rest/v1/rpc/submit_offer', headers: SIGNED_IN },
      404,
      'unknown_route',
    ],
    ['sign-up', { method: 'POST', path: '/auth/v1/signup', headers: SIGNED_IN }, 404, 'unknown_route'],
    ['a path with dots', { path: '/rest/v1/x/../offers', headers: SIGNED_IN }, 404, 'unknown_route'],
    ['a path with two slashes', { path: '/rest/v1//offers', headers: SIGNED_IN }, 404, 'unknown_route'],
    ['an encoded path', { path: '/rest/v1/%6fffers', headers: SIGNED_IN }, 404, 'unknown_route'],
    [
      'a path with a slash at its end',
      { path: '/rest/v1/offers/', headers: SIGNED_IN },
      404,
      'unknown_route',
    ],
    ['inserting', { method: 'POST', path: '/rest/v1/offers', headers: SIGNED_IN }, 405, 'method_not_allowed'],
    [
      'deleting',
      { method: 'DELETE', path: '/rest/v1/offers', headers: SIGNED_IN },
      405,
      'method_not_allowed',
    ],
    ['a method before a key', { method: 'PUT', path: '/auth/v1/user' }, 405, 'method_not_allowed'],
    ['no key', { path: '/rest/v1/offers?nonsense' }, 401, 'unauthorized'],
    [
      'a secret key',
      { path: '/rest/v1/offers', headers: { apikey: 'sb_secret_right' } },
      401,
      'unauthorized',
    ],
    ['a visitor', { path: '/rest/v1/offers', headers: { apikey: PUBLIC_KEY } }, 401, 'not_signed_in'],
    [
      'a visitor before the query',
      { path: '/rest/v1/offers?nonsense=1', headers: { apikey: PUBLIC_KEY } },
      401,
      'not_signed_in',
    ],
    [
      'an unknown query',
      { path: '/rest/v1/offers?and=(id.is.null)', headers: SIGNED_IN },
      400,
      'unsupported_query',
    ],
    [
      'a change of every row',
      patch({ status: 'accepted' }, { path: '/rest/v1/offers' }),
      400,
      'unsupported_query',
    ],
    [
      'a planner’s count',
      { path: '/rest/v1/offers', headers: { ...SIGNED_IN, prefer: 'count = planned' } },
      400,
      'unsupported_query',
    ],
    [
      'another schema',
      { path: '/rest/v1/offers', headers: { ...SIGNED_IN, 'accept-profile': 'private' } },
      400,
      'unsupported_query',
    ],
    [
      'a range',
      { path: '/rest/v1/offers', headers: { ...SIGNED_IN, range: '0-9' } },
      400,
      'unsupported_query',
    ],
    [
      'an overridden method',
      { path: '/rest/v1/offers', headers: { ...SIGNED_IN, 'x-http-method-override': 'DELETE' } },
      400,
      'unsupported_query',
    ],
    [
      'another type of response',
      { path: '/rest/v1/offers', headers: { ...SIGNED_IN, accept: 'text/csv' } },
      400,
      'unsupported_query',
    ],
    [
      'CSV',
      patch('status\naccepted', { headers: { ...SIGNED_IN, 'content-type': 'text/csv' } }),
      415,
      'not_json',
    ],
    [
      'JSON in another charset',
      patch(
        { status: 'accepted' },
        { headers: { ...SIGNED_IN, 'content-type': 'application/json; charset=utf-16' } },
      ),
      415,
      'not_json',
    ],
    ['another column', patch({ status: 'accepted', customer_name: 'changed' }), 400, 'malformed'],
    ['another status', patch({ status: 'sold' }), 400, 'malformed'],
    ['a list of changes', patch([{ status: 'accepted' }]), 400, 'malformed'],
    ['no JSON', patch('{"status":'), 400, 'malformed'],
    [
      'a password as a refresh',
      {
        method: 'POST',
        path: '/auth/v1/token?grant_type=password',
        headers: { apikey: PUBLIC_KEY },
        body: '{}',
      },
      400,
      'unsupported_query',
    ],
    [
      'an encoded name of the grant',
      {
        method: 'POST',
        path: '/auth/v1/token?grant%5Ftype=refresh_token&grant_type=password',
        headers: { apikey: PUBLIC_KEY },
      },
      400,
      'unsupported_query',
    ],
    [
      'two grants',
      {
        method: 'POST',
        path: '/auth/v1/token?grant_type=refresh_token&grant_type=refresh_token',
        headers: { apikey: PUBLIC_KEY },
      },
      400,
      'unsupported_query',
    ],
    [
      'a refresh token that is none',
      {
        method: 'POST',
        path: '/auth/v1/token?grant_type=refresh_token',
        headers: { apikey: PUBLIC_KEY, 'content-type': 'application/json' },
        body: '{"refresh_token":["a"]}',
      },
      400,
      'malformed',
    ],
    [
      'a refresh with a password beside',
      {
        method: 'POST',
        path: '/auth/v1/token?grant_type=refresh_token',
        headers: { apikey: PUBLIC_KEY, 'content-type': 'application/json' },
        body: `{"refresh_token":"${ID}","password":"b"}`,
      },
      400,
      'malformed',
    ],
    [
      'a query for a function',
      { method: 'POST', path: '/functions/v1/order-submit?a=b', headers: { apikey: PUBLIC_KEY } },
      400,
      'unsupported_query',
    ],
    [
      'a challenge to sign in, which comes with a rejection only',
      { path: '/functions/v1/bot-check?purpose=sign-in', headers: { apikey: PUBLIC_KEY } },
      400,
      'unsupported_query',
    ],
    [
      'a compressed body',
      {
        method: 'POST',
        path: '/functions/v1/order-submit',
        headers: { 'content-encoding': 'gzip' },
        body: 'x',
      },
      415,
      'not_json',
    ],
    [
      'a function by another path',
      { method: 'POST', path: '/functions/v1/any/order-submit' },
      404,
      'unknown_route',
    ],
  ];
  for (const [name, asked, status, code] of REJECTED) {
    test(`${name} is rejected with ${status} before it reaches the backend`, async () => {
      const answered = await call(asked);
      assert.deepEqual([answered.status, answered.code], [status, code], answered.text);
      assert.deepEqual(received, []);
    });
  }

  test('a wrong method gets 405 with the allowed ones', async () => {
    const { headers, text } = await call({ method: 'PUT', path: '/rest/v1/offers' });
    assert.equal(headers.allow, 'GET, HEAD, PATCH');
    assert.match(text, /takes GET, HEAD, PATCH requests only/);
  });

  const TOKENS: [name: string, token: string][] = [
    ['with role service_role', tokenWith({ role: 'service_role', exp: 4_000_000_000 })],
    ['with role postgres', tokenWith({ role: 'postgres', exp: 4_000_000_000 })],
    ['without a role', tokenWith({ exp: 4_000_000_000 })],
    ['without exp', tokenWith({ role: 'authenticated', aud: 'authenticated' })],
    ['with role anon', tokenWith({ role: 'anon', aud: 'authenticated', exp: 4_000_000_000 })],
    ['for another audience', tokenWith({ role: 'authenticated', aud: 'other', exp: 4_000_000_000 })],
    ['with an infinite exp', tokenWith({ role: 'authenticated', aud: 'authenticated', exp: 1e308 })],
    ['with an exp that is not a number', tokenWith({ role: 'authenticated', exp: 'never' })],
    ['with another signature', tokenWith(CLAIMS, undefined, 'guess')],
    ['without a signature', SESSION.replace(/\.[^.]+$/, '.')],
    ['with another algorithm', tokenWith(CLAIMS, { alg: 'none' })],
    ['that has expired', tokenWith({ ...CLAIMS, exp: 1_000_000_000 })],
    ['with four parts', `${SESSION}.c2ln`],
    ['with padding', `${SESSION}=`],
    ['that is not a JWT', 'token'],
  ];
  for (const [name, token] of TOKENS) {
    test(`a token ${name} is rejected with 401`, async () => {
      const headers = { apikey: PUBLIC_KEY, authorization: `Bearer ${token}` };
      assert.equal((await call({ path: '/rest/v1/offers', headers })).status, 401);
      assert.deepEqual(received, []);
    });
  }

  const HOSTS: [path: string, method: string, elsewhere: number][] = [
    ['/rest/v1/offers', 'GET', 401],
    ['/rest/v1/rpc/offer_pages', 'POST', 401],
    ['/auth/v1/user', 'GET', 404],
    ['/auth/v1/token?grant_type=refresh_token', 'POST', 404],
    ['/auth/v1/logout?scope=local', 'POST', 404],
    ['/functions/v1/admin-auth', 'POST', 404],
  ];
  for (const [path, method, elsewhere] of HOSTS) {
    test(`${path} exists on admin hosts; elsewhere ${elsewhere}`, async () => {
      for (const host of ['lap.app', 'www.lap.app', 'lap.app.localhost:4321', 'evil.example']) {
        const { status } = await call({ method, path, headers: { ...SIGNED_IN, host } });
        assert.equal(status, elsewhere, host);
      }
      assert.deepEqual(received, []);
      for (const host of ['localhost:4321', '127.0.0.1', '[::1]:4321', 'names.example.com']) {
        const headers = { ...SIGNED_IN, host, 'content-type': 'application/json' };
        const body = path.includes('token')
          ? `{"refresh_token":"${ID}"}`
          : path.includes('pages')
            ? '{"page_size":100}'
            : '';
        const { status, text } = await call({
          method,
          path,
          headers,
          ...(method === 'POST' ? { body } : {}),
        });
        assert.equal(status, 200, `${host}: ${text}`);
      }
    });
  }

  for (const method of ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'PATCH', 'POST', 'PUT']) {
    test(`the body of a ${method} cannot smuggle a request`, async () => {
      const hidden = 'GET /rest/v1/hidden HTTP/1.1\r\nHost: localhost\r\nx-client-address: 6.6.6.6\r\n\r\n';
      const chunk = `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;
      const path = method === 'GET' || method === 'HEAD' ? '/rest/v1/offers' : '/functions/v1/order-submit';
      await exchange(
        `${method} ${path} HTTP/1.1\r\nHost: localhost\r\napikey: ${PUBLIC_KEY}\r\nauthorization: Bearer ${SESSION}\r\ntransfer-encoding: chunked\r\n\r\n${chunk}`,
      );
      const next = await call({ path: '/functions/v1/bot-check' });
      assert.equal(next.text, '[]');
      const lines = received.map(({ line }) => line);
      assert.ok(
        lines.every((line) => !line.includes('hidden')),
        lines.join(),
      );
      assert.equal(lines.at(-1), 'GET /functions/v1/bot-check');
      for (const { headers } of received) assert.equal(headers['x-client-address'], '127.0.0.1');
    });
  }

  test('a slow upload times out with 408 and does not block other requests', async () => {
    const head = 'POST /functions/v1/order-submit HTTP/1.1\r\nHost: a\r\ncontent-length: 100\r\n\r\n{';
    const slow = Array.from({ length: 100 }, () => open(head));
    await new Promise((later) => setTimeout(later, 200));
    assert.equal((await call({ path: '/functions/v1/bot-check' })).status, 200);
    assert.match((await slow[0]?.text) ?? '', /^HTTP\/1\.1 408 .*"code":"too_slow"/s);
    for (const { socket } of slow) socket.destroy();
  });

  test('a body of more than 64 kB is rejected with 413, declared or not', async () => {
    const rejected = /^HTTP\/1\.1 413 .*"code":"too_large"/s;
    const head = 'POST /functions/v1/order-submit HTTP/1.1\r\nHost: a\r\n';
    assert.match(await exchange(`${head}content-length: 99999999\r\n\r\n{`), rejected);
    const chunk = `ffff\r\n${'a'.repeat(0xffff)}\r\n`;
    assert.match(
      await exchange(`${head}transfer-encoding: chunked\r\n\r\n${chunk.repeat(3)}0\r\n\r\n`),
      rejected,
    );
  });

  test('a body in chunks of one byte arrives whole and takes no more memory than its bytes', async () => {
    const chunks = '1\r\nx\r\n'.repeat(60_000);
    const head = 'POST /functions/v1/order-submit HTTP/1.1\r\nHost: a\r\ntransfer-encoding: chunked\r\n\r\n';
    const before = process.memoryUsage();
    const unfinished = Array.from({ length: 20 }, () => open(`${head}${chunks}`));
    await exchange(`${head}${chunks}0\r\n\r\n`, 2_000);
    assert.equal(received[0]?.body, 'x'.repeat(60_000));
    const now = process.memoryUsage();
    const grown = now.heapUsed + now.arrayBuffers - before.heapUsed - before.arrayBuffers;
    // One by one they would take some 340 MB.
    assert.ok(grown < 180_000_000, `${grown} bytes`);
    for (const { socket } of unfinished) socket.destroy();
  });

  test('half-sent bodies of one IP leave room for other IPs', async () => {
    const behindProxy = await gatewayTo(backend, (asked) => asked.headers['x-from'] as string);
    const head = (from: string) =>
      `POST /functions/v1/order-submit HTTP/1.1\r\nHost: a\r\nx-from: ${from}\r\ncontent-length: 9\r\n\r\n`;
    const { port } = behindProxy.address() as AddressInfo;
    const sockets = Array.from({ length: 600 }, () => {
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      socket.write(head('192.0.2.1'));
      return socket.resume();
    });
    await new Promise((later) => setTimeout(later, 500));
    const asked = (from: string) =>
      callTo(behindProxy, {
        method: 'POST',
        path: '/functions/v1/order-submit',
        headers: { 'x-from': from },
        body: '{}',
      });
    const crowded = await asked('192.0.2.1');
    assert.deepEqual([crowded.status, crowded.headers['retry-after']], [503, '5']);
    assert.equal((await asked('198.51.100.1')).status, 200);
    for (const socket of sockets) socket.destroy();
    close(behindProxy);
  });

  test('IPs that send only the start of bodies do not take the places of others', async () => {
    const behindProxy = await gatewayTo(backend, (asked) => asked.headers['x-from'] as string);
    const { port } = behindProxy.address() as AddressInfo;
    const sockets = Array.from({ length: 2_100 }, (_, number) => {
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      const from = `192.0.${number % 9}.1`;
      socket.write(
        `POST /functions/v1/order-submit HTTP/1.1\r\nHost: a\r\nx-from: ${from}\r\ncontent-length: 9\r\n\r\n`,
      );
      return socket.resume();
    });
    await new Promise((later) => setTimeout(later, 700));
    const asked = {
      method: 'POST',
      path: '/functions/v1/order-submit',
      headers: { 'x-from': '198.51.100.1' },
      body: '{}',
    };
    for (let time = 0; time < 20; time += 1) assert.equal((await callTo(behindProxy, asked)).status, 200);
    for (const socket of sockets) socket.destroy();
    close(behindProxy);
  });

  test('an IP whose refreshes fail has to wait, and others do not', async () => {
    const refusing = createServer((_request, response) => response.writeHead(400).end('{}'));
    const behindProxy = await gatewayTo(refusing, (asked) => asked.headers['x-from'] as string);
    const refresh = (from: string) =>
      callTo(behindProxy, {
        method: 'POST',
        path: '/auth/v1/token?grant_type=refresh_token',
        headers: { apikey: PUBLIC_KEY, 'content-type': 'application/json', 'x-from': from },
        body: JSON.stringify({ refresh_token: ID }),
      });
    for (let time = 0; time < 20; time += 1) assert.equal((await refresh('192.0.2.1')).status, 400);
    const limited = await refresh('192.0.2.1');
    assert.deepEqual([limited.status, limited.code], [429, 'too_many_requests']);
    assert.ok(Number(limited.headers['retry-after']) > 0);
    assert.equal((await refresh('198.51.100.1')).status, 400);
    close(behindProxy, refusing);
  });

  test('a request to upgrade the protocol gets an HTTP/1.1 response', async () => {
    const offer = 'Host: localhost\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n';
    assert.match(await exchange(`GET /functions/v1/bot-check HTTP/1.1\r\n${offer}`), /^HTTP\/1\.1 200 /);
    for (let attempt = 0; attempt < 100; attempt += 1) {
      const { socket } = open(`GET / HTTP/1.1\r\n${offer}`);
      await once(socket, 'connect');
      await new Promise((later) => setTimeout(later, attempt % 3));
      socket.resetAndDestroy();
    }
    assert.equal((await call({ path: '/functions/v1/bot-check' })).status, 200);
  });

  /** One request on a connection of its own, and the response's text once nothing more comes. */
  async function exchange(text: string, silence = 300): Promise<string> {
    const opened = open(text);
    const quiet = setTimeout(() => opened.socket.end(), silence);
    const answered = await opened.text;
    clearTimeout(quiet);
    return answered;
  }

  function open(text: string): { socket: Socket; text: Promise<string> } {
    const socket = connect((gateway.address() as AddressInfo).port, '127.0.0.1');
    let answered = '';
    socket.setEncoding('utf8').on('data', (more: string) => {
      answered += more;
    });
    socket.on('error', () => {});
    socket.write(text);
    return { socket, text: once(socket, 'close').then(() => answered) };
  }
});

describe('a keep-alive connection that the backend closes during a request', () => {
  let backend: Server;
  let gateway: Server;

  before(async () => {
    const used = new WeakSet<Socket>();
    backend = createServer(({ socket }, response) => {
      if (used.has(socket)) socket.destroy();
      else response.end('the first');
      used.add(socket);
    });
    gateway = await gatewayTo(backend);
  });
  after(() => close(gateway, backend));

  test('a read is repeated when the backend closes its keep-alive connections', async () => {
    const read = () => callTo(gateway, { path: '/rest/v1/offers', headers: SIGNED_IN });
    await Promise.all(Array.from({ length: 5 }, read));
    for (let time = 0; time < 10; time += 1) assert.equal((await read()).text, 'the first');
  });

  test('a write fails with a logged error when the backend closes its connection', async () => {
    const logged = mock.method(console, 'error', () => {});
    const write = () => callTo(gateway, { method: 'POST', path: '/functions/v1/order-submit', body: '{}' });
    // One of them finds a kept connection.
    const answers = [await write(), await write()];
    const failed = answers.find(({ status }) => status !== 200);
    assert.deepEqual([failed?.status, failed?.code], [503, 'unavailable']);
    assert.deepEqual(logged.mock.calls[0]?.arguments, [
      'The backend did not respond to POST /functions/v1/order-submit (ECONNRESET).',
    ]);
    logged.mock.restore();
  });
});

describe('overload of one upstream', () => {
  /** Responses that the backend holds back, by the last part of their path. */
  const held: Record<string, ServerResponse[]> = { 'admin-auth': [], offers: [], 'bot-check': [] };
  let backend: Server;
  let gateway: Server;
  let address = 0;

  before(async () => {
    backend = createServer((asked, response) => {
      const waiting = held[asked.url?.split('/').at(-1) ?? ''];
      if (waiting) waiting.push(response);
      else response.end('at once');
    });
    // Every request from a network of its own.
    gateway = await gatewayTo(backend, () => {
      address += 1;
      return `10.${address >> 8}.${address & 255}.1`;
    });
  });
  after(() => close(gateway, backend));

  const callOf = (path: string) =>
    callTo(gateway, {
      method: path.includes('rest') || path.includes('bot') ? 'GET' : 'POST',
      path,
      headers: SIGNED_IN,
    });

  test('sign-ins, challenges and reads that hang do not delay an offer', {
    timeout: 10_000,
  }, async () => {
    const crowds = {
      '/functions/v1/admin-auth': 200,
      '/rest/v1/offers': 200,
      '/functions/v1/bot-check': 400,
    };
    for (const [path, count] of Object.entries(crowds))
      for (let time = 0; time < count; time += 1) void callOf(path);
    const counts = () => Object.values(held).map(({ length }) => length);
    while (counts().join() !== '128,64,8') await new Promise((later) => setTimeout(later, 5));
    assert.equal((await callOf('/functions/v1/order-submit')).text, 'at once');
  });

  test('requests beyond the limit get 503 until one finishes', {
    timeout: 10_000,
  }, async () => {
    const crowd = Array.from({ length: 825 }, () => callOf('/functions/v1/admin-auth'));
    const first = await Promise.race(crowd);
    assert.deepEqual([first.status, first.code, first.headers['retry-after']], [503, 'unavailable', '5']);
    const answering = setInterval(() => {
      for (const response of held['admin-auth']?.splice(0) ?? []) response.end('late');
    }, 5);
    await Promise.all(crowd);
    assert.equal((await callOf('/functions/v1/admin-auth')).text, 'late');
    clearInterval(answering);
  });
});

function callTo(gateway: Server, { method = 'GET', path, headers = {}, body }: Call): Promise<Answered> {
  const { port } = gateway.address() as AddressInfo;
  return new Promise((resolve) => {
    request(
      { port, path, method, headers: { host: 'localhost', ...headers }, agent: false },
      async (response) => {
        const text = (await response.setEncoding('utf8').toArray()).join('');
        let code: unknown;
        try {
          code = (JSON.parse(text) as { code?: unknown }).code;
        } catch {
          // No JSON, no code.
        }
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, code });
      },
    )
      // The test is over, and the server with it.
      .on('error', () => {})
      .end(body);
  });
}

async function portOf(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

async function gatewayTo(
  backend: Server,
  clientAddressOf: (request: IncomingMessage) => string = () => '127.0.0.1',
): Promise<Server> {
  const port = (backend.address() as AddressInfo | null)?.port ?? (await portOf(backend));
  const origin = () => `http://127.0.0.1:${port}`;
  const gateway = createGateway({
    pages: { ...PAGES_OF_NOTHING, siteHosts: () => SITE },
    backend: createBackendProxy({
      databaseOrigin: origin,
      functionsOrigin: origin,
      gatewayKey: GATEWAY_KEY,
      publishableKey: PUBLIC_KEY,
      tokenSecret: TOKEN_SECRET,
      siteHosts: () => SITE,
      clientAddressOf,
    }),
    health: HEALTHY,
    onDemand: NOTHING_ON_DEMAND,
  });
  await portOf(gateway);
  return gateway;
}

function close(...servers: Server[]): void {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
}
