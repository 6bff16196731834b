import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, afterEach, before, beforeEach, describe, mock, type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type Call,
  callTo,
  close,
  gatewayTo,
  ID,
  PUBLIC_KEY,
  type Received,
  type Respond,
  recordingBackend,
  SESSION,
  SIGNED_IN,
} from './backend-proxy.fixture.ts';

describe('the backend proxy', () => {
  const received: Received[] = [];
  const backend = recordingBackend(received);
  let gateway: Server;

  before(async () => {
    gateway = await gatewayTo(backend);
  });
  after(() => close(gateway));
  afterEach(() => {
    received.length = 0;
  });

  const call = (options: Call) => callTo(gateway, options);

  for (const method of ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'PATCH', 'POST', 'PUT']) {
    test(`the body of a ${method} cannot smuggle a request`, async () => {
      const hidden = 'GET /rest/v1/hidden HTTP/1.1\r\nHost: localhost\r\nx-client-address: 6.6.6.6\r\n\r\n';
      const chunk = `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;
      const path = method === 'GET' || method === 'HEAD' ? '/rest/v1/offers' : '/functions/v1/order-submit';
      // The last request ends the connection, after the responses to all before it.
      const last = 'GET /functions/v1/bot-check HTTP/1.1\r\nHost: localhost\r\nconnection: close\r\n\r\n';
      await open(
        `${method} ${path} HTTP/1.1\r\nHost: localhost\r\napikey: ${PUBLIC_KEY}\r\nauthorization: Bearer ${SESSION}\r\ntransfer-encoding: chunked\r\n\r\n${chunk}${last}`,
      ).text;
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

  test('a slow upload times out with 408 and does not block other requests', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const head = 'POST /functions/v1/order-submit HTTP/1.1\r\nHost: a\r\ncontent-length: 100\r\n\r\n{';
    const arrived = requestsOf(gateway, 100);
    const slow = Array.from({ length: 100 }, () => open(head));
    await arrived;
    assert.equal((await call({ path: '/functions/v1/bot-check' })).status, 200);
    t.mock.timers.tick(5_000);
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
    await exchange(`${head}${chunks}0\r\n\r\n`);
    assert.equal(received[0]?.body, 'x'.repeat(60_000));
    const now = process.memoryUsage();
    const grown = now.heapUsed + now.arrayBuffers - before.heapUsed - before.arrayBuffers;
    // Stored one by one they would take about 340 MB.
    assert.ok(grown < 180_000_000, `${grown} bytes`);
    for (const { socket } of unfinished) socket.destroy();
  });

  test('half-sent bodies of one IP leave room for other IPs', async (t) => {
    const behindProxy = await gatewayTo(backend, (incoming) => incoming.headers['x-from'] as string);
    t.after(() => close(behindProxy));
    const head = (from: string) =>
      `POST /functions/v1/order-submit HTTP/1.1\r\nHost: a\r\nx-from: ${from}\r\ncontent-length: 9\r\n\r\n`;
    const { port } = behindProxy.address() as AddressInfo;
    const arrived = requestsOf(behindProxy, 600);
    for (let upload = 0; upload < 600; upload += 1) {
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      socket.resume().write(head('192.0.2.1'));
    }
    await arrived;
    const submit = (from: string) =>
      callTo(behindProxy, {
        method: 'POST',
        path: '/functions/v1/order-submit',
        headers: { 'x-from': from },
        body: '{}',
      });
    const evicted = await submit('192.0.2.1');
    assert.deepEqual([evicted.status, evicted.headers['retry-after']], [503, '5']);
    assert.equal((await submit('198.51.100.1')).status, 200);
  });

  test('IPs that send only the start of bodies do not take the slots of others', async (t) => {
    const behindProxy = await gatewayTo(backend, (incoming) => incoming.headers['x-from'] as string);
    t.after(() => close(behindProxy));
    const { port } = behindProxy.address() as AddressInfo;
    const arrived = requestsOf(behindProxy, 2_100);
    for (let upload = 0; upload < 2_100; upload += 1) {
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      const from = `192.0.${upload % 9}.1`;
      socket
        .resume()
        .write(
          `POST /functions/v1/order-submit HTTP/1.1\r\nHost: a\r\nx-from: ${from}\r\ncontent-length: 9\r\n\r\n`,
        );
    }
    await arrived;
    const offer = {
      method: 'POST',
      path: '/functions/v1/order-submit',
      headers: { 'x-from': '198.51.100.1' },
      body: '{}',
    };
    for (let time = 0; time < 20; time += 1) assert.equal((await callTo(behindProxy, offer)).status, 200);
  });

  test('the times of a call for new offers are as the data API writes them', async () => {
    const poll = (since: string) =>
      call({
        method: 'POST',
        path: '/rest/v1/rpc/new_offers',
        headers: { ...SIGNED_IN, 'content-type': 'application/json' },
        body: JSON.stringify({ since }),
      });
    for (const since of ['2026-11-20T13:37:07.282001+00:00', '1970-01-01T00:00:00Z']) {
      assert.equal((await poll(since)).status, 200, since);
    }
    for (const since of ['now', '2026-11-20', '2026-11-20 13:37:07+00', '2026-11-20T13:37:07Z; select']) {
      assert.equal((await poll(since)).status, 400, since);
    }
  });

  test('a response is compressed for a session, where it is long and the client takes it', async (t) => {
    const body = JSON.stringify(Array.from({ length: 60 }, (_, offer) => ({ offer, status: 'Pending' })));
    const long = await gatewayTo(async () => ({ headers: [['content-type', 'application/json']], body }));
    t.after(() => close(long));
    /** What `fetch` makes of it, and what came. */
    const read = async (server: Server, path: string, accepts: string, headers: object = SIGNED_IN) => {
      const { port } = server.address() as AddressInfo;
      const response = await fetch(`http://localhost:${port}${path}`, {
        headers: { ...headers, 'accept-encoding': accepts },
      });
      const encoding = response.headers.get('content-encoding');
      return {
        encoding,
        length: Number(response.headers.get('content-length')),
        text: await response.text(),
      };
    };

    for (const [accepts, encoding] of [
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip, deflate', 'gzip'],
    ] as const) {
      const offers = await read(long, '/rest/v1/offers', accepts);
      assert.deepEqual([offers.encoding, offers.text], [encoding, body]);
      assert.ok(offers.length < body.length / 4, `${offers.length} of ${body.length} bytes`);
    }
    assert.deepEqual(await read(long, '/rest/v1/offers', 'identity'), {
      encoding: null,
      length: body.length,
      text: body,
    });
    assert.equal((await read(gateway, '/rest/v1/offers', 'gzip')).encoding, null);
    const visitors = { apikey: PUBLIC_KEY };
    assert.equal((await read(long, '/functions/v1/bot-check', 'gzip', visitors)).encoding, null);
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

  /** Resolves when a server has the headers of so many more uploads; other requests may be left of the test before. */
  function requestsOf(server: Server, count: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    let seen = 0;
    server.on('request', ({ method }) => {
      if (method === 'POST') seen += 1;
      if (seen === count) resolve();
    });
    return promise;
  }

  /** Sends one request on a new connection and returns the text of its response, which ends the connection. */
  async function exchange(text: string): Promise<string> {
    const { socket, text: response } = open(text);
    let soFar = '';
    socket.on('data', (more: string) => {
      soFar += more;
      const [head = '', body] = soFar.split('\r\n\r\n');
      const length = /content-length: (\d+)/i.exec(head)?.[1];
      if (body !== undefined && Buffer.byteLength(body) >= Number(length)) socket.end();
    });
    return await response;
  }

  function open(text: string): { socket: Socket; text: Promise<string> } {
    const socket = connect((gateway.address() as AddressInfo).port, '127.0.0.1');
    let response = '';
    socket.setEncoding('utf8').on('data', (more: string) => {
      response += more;
    });
    socket.on('error', () => {});
    socket.write(text);
    return { socket, text: once(socket, 'close').then(() => response) };
  }
});

test('a request whose backend ends before its response gets 503, with a logged error', async () => {
  const gateway = await gatewayTo(() => Promise.reject(new TypeError('with ada@example.com')));
  const logged = mock.method(console, 'error', () => {});
  for (const [method, path] of [
    ['POST', '/functions/v1/order-submit'],
    ['GET', '/rest/v1/offers?select=*'],
  ] as const) {
    const { status, code, headers } = await callTo(gateway, { method, path, headers: SIGNED_IN });
    assert.deepEqual([status, code, headers['retry-after']], [503, 'unavailable', '5']);
    const [line] = logged.mock.calls.at(-1)?.arguments ?? [];
    assert.equal(line, `The backend did not respond to ${method} ${path.split('?')[0]} (TypeError).`);
  }
  logged.mock.restore();
  close(gateway);
});

test('a POST whose backend ends before its response is sent to it once', async (t) => {
  t.mock.method(console, 'error', () => {});
  const backend = mock.fn<Respond>(() => Promise.reject(new TypeError()));
  const gateway = await gatewayTo(backend);
  t.after(() => close(gateway));
  const offer = { method: 'POST', path: '/functions/v1/order-submit', body: '{}' };
  assert.equal((await callTo(gateway, offer)).status, 503);
  assert.equal(backend.mock.callCount(), 1);
});

test('a request that waits for its turn is not sent once its client has left, or its time is over', async (t) => {
  t.mock.method(console, 'error', () => {});
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const held: ((response: { body: string }) => void)[] = [];
  let networks = 0;
  const gateway = await gatewayTo(
    () => new Promise((resolve) => held.push(resolve)),
    () => {
      networks += 1;
      return `10.0.${networks}.1`;
    },
  );
  t.after(() => close(gateway));
  const path = '/functions/v1/bot-check';
  const sent = async (count: number) => {
    while (held.length < count) await nextTurn();
  };
  const turns = async () => {
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
  };
  // As many as the backend has at one time.
  const begun = Array.from({ length: 8 }, () => callTo(gateway, { path }));
  await sent(8);

  const socket = connect((gateway.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {}).write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  const [, response] = await once(gateway, 'request');
  const left = once(response, 'close');
  socket.destroy();
  await left;
  held[0]?.({ body: '[]' });
  assert.equal((await begun[0])?.status, 200);
  await turns();
  assert.equal(held.length, 8, 'its client has left');

  begun.push(callTo(gateway, { path }));
  await sent(9);
  const arrived = once(gateway, 'request');
  const late = callTo(gateway, { path });
  await arrived;
  await turns();
  t.mock.timers.tick(25_000);
  for (const { status } of await Promise.all([...begun.slice(1), late])) assert.equal(status, 503);
  await turns();
  assert.equal(held.length, 9, 'its client has the rejection');
});

test('the first bot check of a page is counted, for the names of the site and where one was given out', async (t) => {
  const onBotCheck = mock.fn((_name: string) => {});
  let status = 410;
  const gateway = await gatewayTo(async () => ({ status }), undefined, undefined, undefined, onBotCheck);
  t.after(() => close(gateway));
  assert.equal((await callTo(gateway, { path: '/functions/v1/bot-check?domain=lap.app' })).status, 410);
  status = 200;
  for (const query of [
    '?domain=lap.app',
    '?domain=lap.app&show=provider',
    '?domain=made-up.example&show=provider',
    '?domain=made-up.example',
    '?show=provider',
    '',
  ])
    assert.equal((await callTo(gateway, { path: `/functions/v1/bot-check${query}` })).status, 200);
  await callTo(gateway, {
    path: '/functions/v1/bot-check?domain=lap.app',
    headers: { 'x-client-info': 'again' },
  });
  assert.deepEqual(
    onBotCheck.mock.calls.map(({ arguments: [name] }) => name),
    ['lap.app'],
  );
});

describe('overload of one upstream', () => {
  /** Responses that the backend delays, by the last part of their path. */
  const held: Record<string, ((response: { body: string }) => void)[]> = {
    'admin-auth': [],
    offers: [],
    'bot-check': [],
  };
  let gateway: Server;
  let ip = 0;

  before(async () => {
    const backend: Respond = async ({ line }) => {
      const waiting = held[line.split('/').at(-1) ?? ''];
      return waiting ? await new Promise((resolve) => waiting.push(resolve)) : { body: 'at once' };
    };
    // Every request comes from another network.
    gateway = await gatewayTo(backend, () => {
      ip += 1;
      return `10.${ip >> 8}.${ip & 255}.1`;
    });
  });
  after(() => close(gateway));

  const callOf = (path: string) =>
    callTo(gateway, {
      method: path.includes('rest') || path.includes('bot') ? 'GET' : 'POST',
      path,
      headers: SIGNED_IN,
    });

  test('sign-ins, challenges and reads that hang do not delay an offer', async () => {
    const floods = {
      '/functions/v1/admin-auth': 200,
      '/rest/v1/offers': 200,
      '/functions/v1/bot-check': 400,
    };
    for (const [path, count] of Object.entries(floods))
      for (let time = 0; time < count; time += 1) void callOf(path);
    const counts = () => Object.values(held).map(({ length }) => length);
    while (counts().join() !== '200,64,8') await new Promise((later) => setTimeout(later, 5));
    assert.equal((await callOf('/functions/v1/order-submit')).text, 'at once');
  });

  test('requests beyond the limit get 503 until one finishes', async () => {
    const flood = Array.from({ length: 825 }, () => callOf('/functions/v1/admin-auth'));
    const first = await Promise.race(flood);
    assert.deepEqual([first.status, first.code, first.headers['retry-after']], [503, 'unavailable', '5']);
    const responding = setInterval(() => {
      for (const respond of held['admin-auth']?.splice(0) ?? []) respond({ body: 'late' });
    }, 5);
    await Promise.all(flood);
    assert.equal((await callOf('/functions/v1/admin-auth')).text, 'late');
    clearInterval(responding);
  });
});

describe('slots of an upstream that every client may use', () => {
  /** Requests that the backend holds back. */
  let held: ((response: { body: string }) => void)[] = [];
  const backend: Respond = () => new Promise((resolve) => held.push(resolve));
  beforeEach(() => {
    held = [];
  });

  /** Sends requests until the test ends: from each of these IPs one. */
  async function flood(t: TestContext, path: string, ips: readonly string[], isBehindProxy = false) {
    const gateway = await gatewayTo(backend, ({ headers }) => String(headers['x-from']), isBehindProxy);
    t.after(() => close(gateway));
    const callFrom = (from: string, more = {}) =>
      callTo(gateway, {
        path,
        headers: { apikey: PUBLIC_KEY, 'content-type': 'application/json', 'x-from': from, ...more },
        ...(!/bot-check|rest/.test(path) && { method: 'POST', body: JSON.stringify({ refresh_token: ID }) }),
      });
    const statuses: number[] = [];
    for (const ip of ips) void callFrom(ip).then(({ status }) => statuses.push(status));
    const until = async (isDone: () => boolean) => {
      while (!isDone()) await new Promise((later) => setTimeout(later, 5));
    };
    /** Responds to all requests and to this one, also to those that waited for their turn. */
    const respondToAll = async (other?: Promise<unknown>) => {
      let isLeft = !!other;
      void other?.then(() => {
        isLeft = false;
      });
      await until(() => {
        for (const respond of held.splice(0)) respond({ body: '[]' });
        return statuses.length === ips.length && !isLeft;
      });
      return statuses.filter((status) => status === 200).length;
    };
    return { callFrom, statuses, until, respondToAll };
  }

  for (const path of [
    '/functions/v1/admin-auth',
    '/functions/v1/bot-check',
    '/functions/v1/negotiation',
    '/functions/v1/order-submit',
    '/auth/v1/token?grant_type=refresh_token',
  ]) {
    test(`40 networks leave slots of ${path} to others`, async (t) => {
      const ips = Array.from({ length: 40 * 13 }, (_, at) => `10.1.${at % 40}.${at}`);
      const { callFrom, statuses, until, respondToAll } = await flood(t, path, ips);
      // As many do not fit into 512 slots.
      await until(() => statuses.length >= 8);
      const honest = callFrom('198.51.100.1');
      await Promise.race([honest, until(() => statuses.length === 40)]);
      assert.equal(await respondToAll(honest), 40 * 12);
      assert.equal((await honest).status, 200);
    });
  }

  test('the owner’s calls of negotiation get a response while its public slots are full', async (t) => {
    const ips = Array.from({ length: 43 * 12 }, (_, at) => `10.1.${at % 43}.${at}`);
    const { callFrom, statuses, until, respondToAll } = await flood(t, '/functions/v1/negotiation', ips);
    await until(() => statuses.length === ips.length - 512 && held.length === 16);
    assert.equal((await callFrom('198.51.100.1')).status, 503);
    const reached = held.length;
    const owners = callFrom('10.1.0.1', SIGNED_IN);
    await Promise.race([owners, until(() => held.length > reached)]);
    assert.equal(await respondToAll(owners), 512);
    assert.equal((await owners).status, 200);
  });

  test('one IP leaves slots of what signed-in users call to others', async (t) => {
    for (const [path, count] of [
      ['/rest/v1/offers', 48],
      ['/functions/v1/negotiation', 12],
    ] as const) {
      held = [];
      const { callFrom, until } = await flood(t, path, []);
      const call = (from: string) => callFrom(from, SIGNED_IN).then(({ status }) => status);
      let rejected = 0;
      const calls = Array.from({ length: count + 2 }, async () => {
        if ((await call('192.0.2.1')) === 503) rejected += 1;
      });
      await until(() => held.length + rejected === count + 2);
      assert.deepEqual([path, held.length], [path, count]);
      const other = call('198.51.100.1');
      await until(() => held.length === count + 1);
      for (const respond of held) respond({ body: '[]' });
      await Promise.all(calls);
      assert.equal(await other, 200);
    }
  });

  test('50 copies of one offer from this machine all get a response, from another IP 8', async (t) => {
    for (const [ip, isBehindProxy, count] of [
      ['127.0.0.1', false, 50],
      ['::1', false, 50],
      ['127.0.0.1', true, 8],
      ['192.0.2.1', false, 8],
    ] as const) {
      const ips = Array<string>(50).fill(ip);
      const { until, statuses, respondToAll } = await flood(
        t,
        '/functions/v1/order-submit',
        ips,
        isBehindProxy,
      );
      await until(() => held.length + statuses.length >= 50);
      assert.equal(await respondToAll(), count, `${ip}, ${isBehindProxy}`);
    }
  });
});
