import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, before, describe, mock, test } from 'node:test';
import { createForward } from './forward.ts';
import { createGateway } from './gateway.ts';
import { PreparedAnswer } from './prepared-answer.ts';
import type { Site, SiteFile } from './site.ts';

const PAGE: SiteFile = { address: '/', source: Buffer.from('page'), encodings: new Set() };
const ANSWER = new PreparedAnswer([], Buffer.from('page'));
const NO_SITE: Site = {
  find: () => PAGE,
  notFound: () => PAGE,
  read: () => ANSWER,
  answer: () => ANSWER,
};

/** What a backend hears of one request. */
interface Heard {
  readonly line: string;
  readonly address: string | undefined;
  readonly body: string;
}

describe('the way to the backend', () => {
  const heard: Heard[] = [];
  let backend: Server;
  let gateway: Server;

  before(async () => {
    backend = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        const line = `${request.method} ${request.url}`;
        heard.push({ line, address: String(request.headers['x-client-address']), body });
        response.end(`answer to ${line}`);
      });
    });
    gateway = await gatewayTo(backend);
  });
  after(() => close(gateway, backend));

  for (const method of ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'PATCH', 'POST', 'PUT']) {
    test(`no request hides in the body of a ${method}`, async () => {
      heard.length = 0;
      const hidden = 'GET /rest/v1/hidden HTTP/1.1\r\nHost: a\r\nx-client-address: 6.6.6.6\r\n\r\n';
      const chunk = `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;
      await exchange(
        `${method} /rest/v1/offers HTTP/1.1\r\nHost: a\r\ntransfer-encoding: chunked\r\n\r\n${chunk}`,
      );
      const next = await exchange('GET /rest/v1/next HTTP/1.1\r\nHost: a\r\n\r\n');
      assert.match(next, /answer to GET \/rest\/v1\/next$/);
      assert.deepEqual(
        heard.map(({ line }) => line),
        [`${method} /rest/v1/offers`, 'GET /rest/v1/next'],
      );
      assert.equal(heard[0]?.body, hidden);
      assert.doesNotMatch(heard[0]?.address ?? '', /6\.6/);
    });
  }

  test('whoever sends a body slowly keeps nobody waiting, and is refused in the end', async () => {
    const head = 'POST /auth/v1/token HTTP/1.1\r\nHost: a\r\ncontent-length: 100\r\n\r\n{';
    const slow = Array.from({ length: 100 }, () => open(head));
    await new Promise((later) => setTimeout(later, 200));
    assert.match(await exchange('GET /rest/v1/quick HTTP/1.1\r\nHost: a\r\n\r\n'), /answer to GET/);
    assert.match((await slow[0]?.text) ?? '', /^HTTP\/1\.1 408 .*"code":"too_slow"/s);
    for (const { socket } of slow) socket.destroy();
  });

  test('more than any form takes is refused, said beforehand or not', async () => {
    const refused = /^HTTP\/1\.1 413 .*"code":"too_large"/s;
    const head = 'POST /functions/v1/order-submit HTTP/1.1\r\nHost: a\r\n';
    assert.match(await exchange(`${head}content-length: 99999999\r\n\r\n{`), refused);
    const chunk = `ffff\r\n${'a'.repeat(0xffff)}\r\n`;
    assert.match(
      await exchange(`${head}transfer-encoding: chunked\r\n\r\n${chunk.repeat(3)}0\r\n\r\n`),
      refused,
    );
  });

  test('a body of the smallest chunks arrives whole, and takes no more room than its bytes', async () => {
    heard.length = 0;
    const chunks = '1\r\nx\r\n'.repeat(60_000);
    const head = 'POST /rest/v1/small HTTP/1.1\r\nHost: a\r\ntransfer-encoding: chunked\r\n\r\n';
    const before = process.memoryUsage();
    const unfinished = Array.from({ length: 20 }, () => open(`${head}${chunks}`));
    await exchange(`${head}${chunks}0\r\n\r\n`, 2_000);
    assert.equal(heard[0]?.body, 'x'.repeat(60_000));
    const after = process.memoryUsage();
    const grown = after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers;
    // One by one they would take some 340 MB.
    assert.ok(grown < 180_000_000, `${grown} bytes`);
    for (const { socket } of unfinished) socket.destroy();
  });

  test('whoever offers another protocol is answered in this one, and may be gone by then', async () => {
    const offer = 'Host: a\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n';
    assert.match(await exchange(`GET /rest/v1/upgraded HTTP/1.1\r\n${offer}`), /answer to GET \S+upgraded$/);
    for (let attempt = 0; attempt < 100; attempt += 1) {
      const { socket } = open(`GET / HTTP/1.1\r\n${offer}`);
      await once(socket, 'connect');
      await new Promise((later) => setTimeout(later, attempt % 3));
      socket.resetAndDestroy();
    }
    assert.match(await exchange('GET /rest/v1/after HTTP/1.1\r\nHost: a\r\n\r\n'), /answer to GET/);
  });

  /** One request on a connection of its own, and the answer's text once nothing more comes. */
  async function exchange(request: string, patience = 300): Promise<string> {
    const { socket, text } = open(request);
    const quiet = setTimeout(() => socket.end(), patience);
    const answer = await text;
    clearTimeout(quiet);
    return answer;
  }

  function open(request: string): { socket: Socket; text: Promise<string> } {
    const socket = connect((gateway.address() as AddressInfo).port, '127.0.0.1');
    let said = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    socket.on('error', () => {});
    socket.write(request);
    return { socket, text: once(socket, 'close').then(() => said) };
  }
});

describe('a connection that the backend closes while it is asked again', () => {
  let backend: Server;
  let gateway: Server;

  before(async () => {
    const asked = new WeakSet<Socket>();
    backend = createServer(({ socket }, response) => {
      if (asked.has(socket)) socket.destroy();
      else response.end('the first');
      asked.add(socket);
    });
    gateway = await gatewayTo(backend);
  });
  after(() => close(gateway, backend));

  test('costs a reader nothing, also where there are many of them', async () => {
    await Promise.all(Array.from({ length: 5 }, () => call('GET')));
    for (let time = 0; time < 10; time += 1) assert.deepEqual(await call('GET'), [200, 'the first']);
  });

  test('is told to a writer, who knows whether to write again, and to the owner', async () => {
    const told = mock.method(console, 'error', () => {});
    // One of them finds a kept connection.
    const answers = [await call('POST'), await call('POST')];
    const [status, body] = answers.find(([one]) => one !== 200) ?? [200, ''];
    assert.deepEqual([status, JSON.parse(body).code], [503, 'unavailable']);
    assert.deepEqual(told.mock.calls[0]?.arguments, [
      'The backend did not answer POST /rest/v1/offers (ECONNRESET).',
    ]);
    told.mock.restore();
  });

  const call = (method: string) => callTo(gateway, '/rest/v1/offers?customer_email=eq.a', method);
});

describe('a crowd at one door of the backend', () => {
  /** Answers of requests that the backend keeps waiting, by the last part of their address. */
  const hanging: Record<string, ServerResponse[]> = { 'admin-auth': [], offers: [] };
  let backend: Server;
  let gateway: Server;

  before(async () => {
    backend = createServer((request, response) => {
      const held = hanging[request.url?.split('/').at(-1) ?? ''];
      if (held) held.push(response);
      else response.end('at once');
    });
    gateway = await gatewayTo(backend);
  });
  after(() => close(gateway, backend));

  test('neither sign-ins that hang nor a slow data API keep an offer waiting', {
    timeout: 10_000,
  }, async () => {
    for (const path of [
      ...Array<string>(100).fill('/functions/v1/admin-auth'),
      // The same function, by other names.
      ...Array<string>(50).fill('/functions/v1/any/admin-auth'),
      ...Array<string>(50).fill('/functions/v1/order-submit/../admin-auth'),
      ...Array<string>(200).fill('/rest/v1/offers'),
    ]) {
      void call(path);
    }
    await until(() => held('admin-auth') === 40 && held('offers') === 64);
    assert.deepEqual(await call('/functions/v1/order-submit'), [200, 'at once']);
    assert.equal(held('admin-auth'), 40);
  });

  test('more sign-ins than may wait are sent away, until there is room again', {
    timeout: 10_000,
  }, async () => {
    const crowd = Array.from({ length: 41 }, () => call('/functions/v1/admin-auth'));
    const [status, body] = await Promise.race(crowd);
    assert.deepEqual([status, JSON.parse(body).code], [503, 'unavailable']);

    const answering = setInterval(() => {
      for (const response of hanging['admin-auth']?.splice(0) ?? []) response.end('late');
    }, 5);
    await Promise.all(crowd);
    assert.deepEqual(await call('/functions/v1/admin-auth'), [200, 'late']);
    clearInterval(answering);
  });

  const held = (name: string) => hanging[name]?.length;

  const call = (path: string) => callTo(gateway, path, 'POST');

  async function until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await new Promise((later) => setTimeout(later, 5));
  }
});

function callTo(gateway: Server, path: string, method: string): Promise<[status: number, body: string]> {
  const { port } = gateway.address() as AddressInfo;
  return new Promise((resolve) => {
    request({ port, path, method }, async (answer) => {
      resolve([answer.statusCode ?? 0, (await answer.setEncoding('utf8').toArray()).join('')]);
    })
      // The test is over, and the server with it.
      .on('error', () => {})
      .end();
  });
}

async function portOf(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

async function gatewayTo(backend: Server): Promise<Server> {
  const port = await portOf(backend);
  const origin = () => `http://127.0.0.1:${port}`;
  const forward = createForward({ databaseOrigin: origin, functionsOrigin: origin, trustedProxies: 0 });
  const gateway = createGateway({ site: NO_SITE, forward, adminHost: undefined });
  await portOf(gateway);
  return gateway;
}

function close(...servers: Server[]): void {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
}
