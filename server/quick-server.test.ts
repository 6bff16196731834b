import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server, ServerOptions } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as later } from 'node:timers/promises';
import { PreparedAnswer } from './prepared-answer.ts';
import { QuickServer } from './quick-server.ts';

const HEADERS = ['content-type', 'text/plain', 'content-length', '4'];
const PAGE = new PreparedAnswer(HEADERS, Buffer.from('page'));
/** More than the system takes at once. */
const LARGE = Buffer.alloc(64 * 1024 * 1024, 'large');
const LARGE_ANSWER = new PreparedAnswer(['content-length', String(LARGE.byteLength)], LARGE);

const SHORTEST = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const HEAD = 'HEAD / HTTP/1.1\r\nHost: a\r\n\r\n';
const PLAIN: Record<string, string> = {
  'the shortest': SHORTEST,
  'a browser’s':
    'GET / HTTP/1.1\r\nHost: lap.app:4321\r\nConnection: keep-alive\r\nUser-Agent: Mozilla/5.0 (X11; Linux)\r\nAccept: text/html,*/*;q=0.8\r\nAccept-Encoding: gzip, deflate, br\r\nCookie: a="b"; c\r\n\r\n',
  'names and blanks of any kind': 'GET / HTTP/1.1\r\nhOST:\t a \t\r\naccept-encoding:br\r\n\r\n',
  'letters beyond ASCII in a header': 'GET / HTTP/1.1\r\nHost: a\r\nx-name: M\xfcller\r\n\r\n',
};
const NOT_PLAIN: Record<string, string> = {
  'no host': 'GET / HTTP/1.1\r\nAccept: */*\r\n\r\n',
  'no headers': 'GET / HTTP/1.1\r\n\r\n',
  'two hosts': 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
  'an empty host': 'GET / HTTP/1.1\r\nHost:\r\n\r\n',
  'HTTP/1.0': 'GET / HTTP/1.0\r\nHost: a\r\n\r\n',
  'HTTP/1.0 that stays': 'GET / HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\n\r\n',
  'HTTP/1.2': 'GET / HTTP/1.2\r\nHost: a\r\n\r\n',
  'no version': 'GET /\r\nHost: a\r\n\r\n',
  'HTTP/2’s first words': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  HEAD,
  'small letters': 'get / HTTP/1.1\r\nHost: a\r\n\r\n',
  'another address': 'GET /other HTTP/1.1\r\nHost: a\r\n\r\n',
  'an absolute address': 'GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n',
  'two blanks': 'GET /  HTTP/1.1\r\nHost: a\r\n\r\n',
  'a blank in the address': 'GET / / HTTP/1.1\r\nHost: a\r\n\r\n',
  'the last one of a connection': 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  'another protocol': 'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  'the last one by an old name': 'GET / HTTP/1.1\r\nHost: a\r\nProxy-Connection: close\r\n\r\n',
  'an expectation': 'GET / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n',
  'a page that the visitor has': 'GET / HTTP/1.1\r\nHost: a\r\nIf-None-Match: "a"\r\n\r\n',
  'a body': 'GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc',
  'an empty body': 'GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n',
  'a body in chunks': 'GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
  'a body of both kinds':
    'GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'a body’s header in disguise': 'GET / HTTP/1.1\r\nHost: a\r\nContent-Length : 3\r\n\r\nabc',
  'a header that goes on': 'GET / HTTP/1.1\r\nHost: a\r\nX-Long: one\r\n two\r\n\r\n',
  'a header that goes on from the first line': 'GET / HTTP/1.1\r\n Host: a\r\n\r\n',
  'a header without a name': 'GET / HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n',
  'a header without a colon': 'GET / HTTP/1.1\r\nHost: a\r\nabc\r\n\r\n',
  'a name of forbidden letters': 'GET / HTTP/1.1\r\nHost: a\r\nX(Y): b\r\n\r\n',
  'an empty header': 'GET / HTTP/1.1\r\nHost: a\r\nX-Empty:\r\n\r\n',
  'a bare line feed': 'GET / HTTP/1.1\nHost: a\n\n',
  'a bare line feed among headers': 'GET / HTTP/1.1\r\nHost: a\nContent-Length: 3\r\n\r\n',
  'a bare carriage return': 'GET / HTTP/1.1\r\nHost: a\rContent-Length: 3\r\n\r\n',
  'a zero byte': 'GET / HTTP/1.1\r\nHost: a\0b\r\n\r\n',
  'an empty line before': '\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n',
  'very long headers': `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(9_000)}\r\n\r\n`,
  'too long headers': `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
  'three at once': 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(3),
  'one that hides behind another': 'GET / HTTP/1.1\r\nHost: a\r\n\r\nGET /other HTTP/1.1\r\nHost: a\r\n\r\n',
  'no HTTP': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
};

describe('a quick server', () => {
  let server: Server;
  /** What Node's own server was asked. */
  const byNode: string[] = [];

  before(async () => {
    server = quickServer({}, byNode);
    await listening(server);
  });
  after(() => server.close());
  beforeEach(() => {
    byNode.length = 0;
  });

  for (const [what, request] of Object.entries(PLAIN)) {
    test(`answers itself, as Node would: ${what}`, async () => {
      const answer = await exchange(server, request);
      assert.match(answer, /^HTTP\/1\.1 200 OK\r\n.*\r\n\r\npage$/s);
      assert.deepEqual(byNode, []);
      assert.equal(answer, await exchange(server, ...inPieces(request)));
      assert.deepEqual(byNode, ['GET /']);
    });
  }

  for (const [what, request] of Object.entries(NOT_PLAIN)) {
    test(`leaves to Node: ${what}`, async () => {
      const answer = await exchange(server, request);
      const asked = byNode.splice(0);
      assert.equal(answer, await exchange(server, ...inPieces(request)));
      assert.deepEqual(asked, byNode);
      // Either Node's listener answered all of them, or Node's parser none.
      const answers = answer.match(/HTTP\/1\.1 (?:200|404) /g)?.length ?? 0;
      assert.equal(answers, asked.length);
    });
  }

  test('answers one after the other on a connection, also when Node has taken over', async () => {
    const answer = await exchange(server, SHORTEST, SHORTEST, HEAD, SHORTEST, SHORTEST);
    assert.deepEqual(byNode, ['HEAD /', 'GET /', 'GET /']);
    assert.equal(answer.match(/HTTP\/1\.1 200 OK/g)?.length, 5);
    assert.equal(answer.match(/\r\n\r\npage/g)?.length, 4);
  });

  test('answers a visitor who says nothing more', async () => {
    const socket = open(server);
    socket.end(SHORTEST);
    const text = (await socket.setEncoding('latin1').toArray()).join('');
    assert.match(text, /\r\n\r\npage$/s);
  });

  test('lets Node say what went wrong', async () => {
    const answer = await exchange(server, 'GET /broken HTTP/1.1\r\nHost: a\r\n\r\n');
    assert.match(answer, /^HTTP\/1\.1 404 /);
    assert.deepEqual(byNode, ['GET /broken']);
  });

  test('keeps little in memory for a visitor who asks on and reads nothing, and answers all in the end', {
    timeout: 20_000,
  }, async () => {
    const socket = open(server).pause();
    const [served] = (await once(server, 'connection')) as [Socket];
    for (let sent = 0; sent < 5; sent += 1) {
      socket.write('GET /large HTTP/1.1\r\nHost: a\r\n\r\n');
      await later(50);
    }
    assert.ok(served.writableLength < 3 * LARGE.byteLength, `${served.writableLength} bytes wait`);
    let received = 0;
    socket.on('data', (bytes: Buffer) => {
      received += bytes.byteLength;
    });
    socket.resume();
    while (received < 5 * LARGE.byteLength) await later(5);
    socket.destroy();
  });

  test('survives visitors who go away at any moment', async () => {
    for (let attempt = 0; attempt < 50; attempt += 1) {
      const socket = open(server);
      await once(socket, 'connect');
      socket.write(`GET ${attempt % 2 ? '/' : '/large'} HTTP/1.1\r\nHost: a\r\n\r\n`);
      await later(attempt % 3);
      socket.resetAndDestroy();
    }
    assert.match(await exchange(server, SHORTEST), /page$/s);
  });
});

describe('a quick server’s connections', () => {
  test('are closed where nothing comes, before the first request and after an answer', {
    timeout: 10_000,
  }, async () => {
    const server = quickServer({ keepAliveTimeout: 50 });
    await listening(server);
    const silent = open(server);
    const asking = open(server);
    asking.write(SHORTEST);
    await Promise.all([silent, asking].map((socket) => once(socket.resume(), 'close')));
    server.close();
  });

  test('stay while a slow visitor reads', { timeout: 10_000 }, async () => {
    const server = quickServer({ keepAliveTimeout: 50 });
    server.timeout = 60_000;
    await listening(server);
    const socket = open(server).pause();
    socket.write('GET /large HTTP/1.1\r\nHost: a\r\n\r\n');
    await later(300);
    let received = 0;
    socket.on('data', (bytes: Buffer) => {
      received += bytes.byteLength;
    });
    socket.resume();
    while (received < LARGE_ANSWER.dated().byteLength) await later(5);
    assert.equal(received, LARGE_ANSWER.dated().byteLength);
    // And wait no longer than others, once all of it is read.
    await once(socket, 'close');
    server.close();
  });

  test('end with the server: those that wait at once, the others when it is told to', {
    timeout: 5_000,
  }, async () => {
    const server = quickServer({});
    await listening(server);
    const waiting = open(server);
    waiting.write(SHORTEST);
    await once(waiting, 'data');
    const first = open(server);
    await once(first, 'connect');
    const busy = open(server).pause();
    busy.write('GET /large HTTP/1.1\r\nHost: a\r\n\r\n');
    await later(5);
    const closed = once(server, 'close');
    server.close();
    await once(waiting.resume(), 'close');
    first.end(SHORTEST);
    assert.match((await first.setEncoding('latin1').toArray()).join(''), /page$/);
    server.closeAllConnections();
    await closed;
    busy.destroy();
  });
});

function quickServer(options: ServerOptions, byNode: string[] = []): Server {
  const answers: Record<string, PreparedAnswer> = { '/': PAGE, '/large': LARGE_ANSWER };
  return new QuickServer(
    { keepAliveTimeout: 15_000, keepAliveTimeoutBuffer: 20, ...options },
    ({ url }) => {
      if (url === '/broken') throw new Error('cannot be read');
      return answers[url];
    },
    (request, response) => {
      byNode.push(`${request.method} ${request.url}`);
      const answer = answers[request.url ?? ''];
      if (!answer) response.writeHead(404).end();
      else response.writeHead(200, answer === PAGE ? HEADERS : []).end(answer.body);
    },
  );
}

async function listening(server: Server): Promise<void> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
}

function open(server: Server): Socket {
  return connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
}

/** Node's parser reads what does not come whole. */
function inPieces(request: string): [string, string] {
  return [request.slice(0, 1), request.slice(1)];
}

/**
 * Sends one after the other on one connection, each when the server has read the one before, and answers all that comes
 * back, with its dates made equal.
 */
async function exchange(server: Server, ...pieces: string[]): Promise<string> {
  const connected = once(server, 'connection') as Promise<[Socket]>;
  const socket = open(server);
  let text = '';
  socket.setEncoding('latin1').on('data', (more: string) => {
    text += more;
  });
  const closed = once(socket, 'close');
  const [served] = await connected;
  let sent = 0;
  for (const piece of pieces) {
    socket.write(piece, 'latin1');
    sent += piece.length;
    while (served.bytesRead < sent && !served.destroyed) await later(1);
  }
  socket.end();
  await closed;
  return text.replace(/^Date: .{29}\r$/gm, 'Date: then\r');
}
