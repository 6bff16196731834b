/** Requests that no browser sends, byte for byte: how many responses come, and with which status. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { createGateway } from './gateway.ts';
import { HEALTHY, PAGES_OF_NOTHING } from './gateway-fakes.ts';

/** How long a connection may be silent after the responses that are expected, and before them, in milliseconds. */
const SILENCE_MS = 100;
const PATIENCE_MS = 10_000;

/** Of a body. */
const SENTENCE = /\r\n\r\n(?:[0-9a-f]+\r\n)?[A-Z][a-z][^\r\n]+\.\n/;

const ODD: Record<string, [request: string, statuses: number[]]> = {
  'the shortest': ['GET / HTTP/1.1\r\nHost: a\r\n\r\n', [200]],
  'header names and blanks of any kind': [
    'GET / HTTP/1.1\r\nhOST:\t a \t\r\naccept-encoding:br\r\n\r\n',
    [200],
  ],
  'letters beyond ASCII in a header': ['GET / HTTP/1.1\r\nHost: a\r\nx-name: M\xfcller\r\n\r\n', [200]],
  'no host': ['GET / HTTP/1.1\r\nAccept: */*\r\n\r\n', [400]],
  'two hosts': ['GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', [400]],
  'the same host twice': ['GET / HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n', [400]],
  'an empty host': ['GET / HTTP/1.1\r\nHost:\r\n\r\n', [400]],
  'a list of hosts': ['GET / HTTP/1.1\r\nHost: a, b\r\n\r\n', [400]],
  'a host with user info': ['GET / HTTP/1.1\r\nHost: owner@a\r\n\r\n', [400]],
  'a host with a blank': ['GET / HTTP/1.1\r\nHost: a b\r\n\r\n', [400]],
  'a host with a path': ['GET / HTTP/1.1\r\nHost: a/b\r\n\r\n', [400]],
  'two hosts in absolute form': ['GET http://a/ HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', [400]],
  'HTTP/1.0 without a host': ['GET / HTTP/1.0\r\n\r\n', [200]],
  'HTTP/1.2': ['GET / HTTP/1.2\r\nHost: a\r\n\r\n', [400]],
  'no version': ['GET /\r\nHost: a\r\n\r\n', [200]],
  'the first words of HTTP/2': ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400]],
  'a method in small letters': ['get / HTTP/1.1\r\nHost: a\r\n\r\n', [400]],
  'two blanks': ['GET /  HTTP/1.1\r\nHost: a\r\n\r\n', [200]],
  'a blank in the path': ['GET / / HTTP/1.1\r\nHost: a\r\n\r\n', [400]],
  'a fragment': ['GET /#a HTTP/1.1\r\nHost: a\r\n\r\n', [400]],
  'an asterisk': ['GET * HTTP/1.1\r\nHost: a\r\n\r\n', [400]],
  'a closing connection': ['GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', [200]],
  'another protocol': [
    'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    [200],
  ],
  'an expectation': ['GET / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n', [100, 200]],
  'a body': ['GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc', [200]],
  'a body of both kinds': [
    'GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    [400],
  ],
  'a length in disguise': ['GET / HTTP/1.1\r\nHost: a\r\nContent-Length : 3\r\n\r\nabc', [400]],
  'a folded header': ['GET / HTTP/1.1\r\nHost: a\r\nX-Long: one\r\n two\r\n\r\n', [400]],
  'a header without a name': ['GET / HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n', [400]],
  'a header without a colon': ['GET / HTTP/1.1\r\nHost: a\r\nabc\r\n\r\n', [400]],
  'a bare line feed': ['GET / HTTP/1.1\nHost: a\n\n', [400]],
  'a bare carriage return': ['GET / HTTP/1.1\r\nHost: a\rContent-Length: 3\r\n\r\n', [400]],
  'a zero byte': ['GET / HTTP/1.1\r\nHost: a\0b\r\n\r\n', [400]],
  'headers of 20 kB': [`GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, [431]],
  'three at once': ['GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(3), [200, 200, 200]],
  'no HTTP': ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', [400]],
};

describe('odd requests', { concurrency: 8 }, () => {
  let server: Server;
  before(async () => {
    server = createGateway({
      pages: PAGES_OF_NOTHING,
      backend: undefined,
      health: HEALTHY,
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  for (const [name, [request, statuses]] of Object.entries(ODD)) {
    test(`${name}: ${statuses.join(', ')}, sent whole and in two parts`, async () => {
      for (const pieces of [[request], [request.slice(0, 1), request.slice(1)]])
        assert.deepEqual(statusesIn(await exchange(server, pieces, statuses.length)), statuses);
    });
  }

  test('the response to a malformed request has the security headers and a sentence', async () => {
    const rejected = Object.values(ODD).filter(([, statuses]) => (statuses[0] ?? 0) >= 400);
    const expectation = 'GET / HTTP/1.1\r\nHost: a\r\nExpect: more\r\n\r\n';
    const chunked = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;';
    const endless = `${chunked}${'x'.repeat(20_000)}\r\n`;
    const all: typeof rejected = [...rejected, [expectation, [417]], [endless, [405, 413]]];
    for (const [request, statuses] of all) {
      const text = await exchange(server, [request], statuses.length);
      const what = `${statuses} ${request.slice(0, 50)}`;
      const last = text.slice(text.lastIndexOf('HTTP/1.1 '));
      assert.deepEqual(statusesIn(last), statuses.slice(-1), what);
      assert.match(last.toLowerCase(), /x-content-type-options: nosniff/, what);
      assert.match(last, SENTENCE, what);
    }
  });

  test('slow headers time out with 408 and a sentence', async () => {
    const impatient = createGateway({
      pages: PAGES_OF_NOTHING,
      backend: undefined,
      health: HEALTHY,
    });
    impatient.headersTimeout = 100;
    await once(impatient.listen(0, '127.0.0.1'), 'listening');
    const socket = connect((impatient.address() as AddressInfo).port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: ');
    let text = '';
    socket.setEncoding('latin1').on('data', (more: string) => {
      text += more;
    });
    // Node's default would close it after 30 s.
    await once(socket, 'close', { signal: AbortSignal.timeout(20_000) });
    impatient.close();
    assert.match(text, /^HTTP\/1\.1 408 /);
    assert.match(text, SENTENCE);
  });
});

function statusesIn(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

/** Sends the pieces one after the other and returns the text of all responses. */
async function exchange(server: Server, pieces: string[], expected: number): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.setNoDelay(true).on('error', () => {});
  let text = '';
  socket.setEncoding('latin1').on('data', (more: string) => {
    text += more;
    if (statusesIn(text).length >= expected) socket.setTimeout(SILENCE_MS);
  });
  socket.setTimeout(PATIENCE_MS, () => socket.destroy());
  const closed = once(socket, 'close');
  for (const piece of pieces) {
    await new Promise((resolve) => socket.write(piece, 'latin1', resolve));
    await new Promise(setImmediate);
  }
  await closed;
  return text;
}
