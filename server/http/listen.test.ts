/** Sockets as a service manager passes them: in a child process, since they are one of its file descriptors. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { listen } from './listen.ts';

const NODE = process.execPath;
/** Prints the port, or the message. */
const PROGRAM = `
  import { createServer } from 'node:http';
  import { assertPortFree, listen } from './server/http/listen.ts';
  const settings = { port: 0, host: process.env.HOST };
  try {
    await assertPortFree(settings);
    console.log(await listen(createServer(), settings));
  } catch (error) {
    console.log(error.name, error.message);
  }
  process.exit();`;
/** Each process finds its own id in LISTEN_PID, as under systemd. */
const PASSED = 'LISTEN_PID=$$ exec "$0" --disable-warning=ExperimentalWarning --input-type=module -e "$1"';

const folder = mkdtempSync(join(tmpdir(), 'listen-'));
const tcp = createServer();
const unix = createServer();
const datagram = createSocket('udp4');
after(() => {
  for (const socket of [tcp, unix, datagram]) socket.close();
  rmSync(folder, { recursive: true });
});

/** Returns what the program prints that gets file descriptor `fd` as its third, or none. */
function printedWith(fd: number | 'ignore', passed = '1', script = PASSED, host = '127.0.0.1'): string {
  const { stdout, stderr } = spawnSync('sh', ['-c', script, NODE, PROGRAM], {
    stdio: ['ignore', 'pipe', 'pipe', fd],
    encoding: 'utf8',
    env: { PATH: process.env.PATH, LISTEN_FDS: passed, LISTEN_PID: '1', HOST: host },
  });
  return stdout.trim() || stderr;
}

test('only one listening TCP socket is taken from systemd, and other sockets are rejected with the fix', async () => {
  tcp.listen(0, '127.0.0.1');
  unix.listen(join(folder, 'socket'));
  datagram.bind(0, '127.0.0.1');
  const file = openSync(join(folder, 'file'), 'w');
  await Promise.all([tcp, unix, datagram].map((socket) => once(socket, 'listening')));
  const { port } = tcp.address() as { port: number };

  assert.equal(printedWith(fdOf(tcp)), String(port));
  const REJECTED = /^UserError systemd passed no listening TCP socket .*ListenStream=127\.0\.0\.1:4321/;
  assert.match(printedWith(fdOf(unix)), REJECTED, 'a Unix socket has no IPs of visitors');
  assert.match(printedWith(fdOf(datagram)), REJECTED);
  assert.match(printedWith(file), REJECTED);
  assert.match(printedWith('ignore'), REJECTED);
  assert.match(printedWith(fdOf(tcp), '2'), /^UserError systemd passed 2 sockets .*one ListenStream=/);
  // Of another process: the variables were inherited.
  const printed = printedWith(fdOf(tcp), '1', PASSED.replace('LISTEN_PID=$$ ', ''));
  assert.match(printed, /^\d+$/);
  assert.notEqual(printed, String(port));
  closeSync(file);
});

test('a socket of systemd that other machines reach needs a HOST that says so', async (t) => {
  const everywhere = createServer().listen(0, '0.0.0.0');
  t.after(() => everywhere.close());
  await once(everywhere, 'listening');
  const { port } = everywhere.address() as { port: number };
  const printed = (host: string) => printedWith(fdOf(everywhere), '1', PASSED, host);
  assert.match(
    printed('127.0.0.1'),
    /^UserError The socket of systemd listens on 0\.0\.0\.0, but HOST is .* Set HOST=0\.0\.0\.0/,
  );
  assert.equal(printed('0.0.0.0'), String(port));
});

test('a connection that cannot be accepted ends no server', async (t) => {
  const logged = t.mock.method(console, 'error', () => {});
  const server = createHttpServer();
  t.after(() => server.close());
  await listen(server, { port: 0, host: '127.0.0.1' });
  for (let time = 0; time < 2; time += 1) server.emit('error', new Error('accept EMFILE'));
  const lines = logged.mock.calls.map((call) => call.arguments[0]);
  assert.deepEqual(lines.slice(-2), Array(2).fill('A connection failed: accept EMFILE'));
});

function fdOf(socket: Server | ReturnType<typeof createSocket>): number {
  const { _handle: handle } = socket as unknown as { _handle: { fd: number } };
  return handle.fd;
}
