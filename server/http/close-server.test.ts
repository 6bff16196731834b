import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { closeServer, endConnections, handOverServer } from './close-server.ts';

const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

/** A server that responds at once, but to `/slow` when the test does. */
async function start(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const held: ServerResponse[] = [];
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    if (request.url === '/slow') held.push(response);
    else response.end('served');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => server.closeAllConnections());
  return { server, held };
}

/** A connection that the server has accepted. */
async function open(server: Server) {
  const accepted = once(server, 'connection');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
  await accepted;
  let text = '';
  socket.setEncoding('utf8').on('data', (more: string) => {
    text += more;
  });
  return { socket, text: () => text };
}

/** Real time, since that of timers is the test's. */
async function until(isSo: () => boolean): Promise<void> {
  for (const end = Date.now() + 10_000; !isSo(); await nextTurn())
    assert.ok(Date.now() < end, `not in time: ${isSo}`);
}
const isClosed = (socket: Socket) => () => socket.closed;

test('a server that is handed over serves what its connections have sent, each for the last time', async (t) => {
  const { server } = await start(t);
  const [kept, idle, fresh] = [await open(server), await open(server), await open(server)];
  for (const { socket, text } of [kept, idle]) {
    socket.write(REQUEST);
    await until(() => text().endsWith('served'));
  }
  endConnections(server);
  const closed = handOverServer(server);
  for (const { socket, text } of [kept, fresh]) {
    socket.write(REQUEST);
    await until(isClosed(socket));
    assert.match(text(), /Connection: close\r\n(?:.+\r\n)*\r\nserved$/);
  }
  assert.equal(idle.socket.closed, false, 'its next request may be on its way');
  t.mock.timers.tick(50);
  await until(isClosed(idle.socket));
  await closed;
});

for (const close of [closeServer, handOverServer]) {
  test(`${close.name} waits for requests in flight, and no longer than 2.5 s`, async (t) => {
    const { server, held } = await start(t);
    const [served, endless] = [await open(server), await open(server)];
    for (const { socket } of [served, endless]) socket.write(REQUEST.replace('/', '/slow'));
    await until(() => held.length === 2);
    let hasEnded = false;
    const closed = close(server).then(() => {
      hasEnded = true;
    });
    t.mock.timers.tick(2_499);
    held[0]?.end('served');
    await until(() => served.text().endsWith('served'));
    assert.equal(hasEnded, false);
    t.mock.timers.tick(1);
    await until(isClosed(endless.socket));
    await closed;
    assert.equal(endless.text(), '');
  });
}
