/** The socket of the owner's commands, and the `fetch` that reaches it. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  globSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { openCommandSocket } from './command-socket.ts';
import { fetchBySocket, isSocketOpen, SOCKET } from './socket-fetch.ts';

const URL_OF_PROJECT = 'http://embedded';

/** Modes of the folders whose link leads to a folder. */
function linksTo(folder: string): number[] {
  return globSync('/tmp/storefront-*/data')
    .filter((link) => readlinkSync(link) === folder)
    .map((link) => statSync(dirname(link)).mode & 0o777);
}

function newFolder(t: TestContext, name = 'data'): string {
  const parent = mkdtempSync(join(tmpdir(), 'socket-'));
  t.after(() => rmSync(parent, { recursive: true }));
  const folder = join(parent, name);
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}

/** Serves `respond` on the socket of a folder. */
async function serve(t: TestContext, folder: string, respond: (request: Request) => Promise<Response>) {
  const socket = await openCommandSocket((input) => respond(input as Request), folder);
  t.after(socket.close);
  return socket;
}

const echo = async (request: Request) =>
  new Response(`${request.method} ${new URL(request.url).pathname} ${await request.text()}`, {
    status: 201,
    headers: { 'x-key': request.headers.get('apikey') ?? '' },
  });

for (const [what, name, links] of [
  ['of a short path', 'data', []],
  ['whose name has spaces and letters with two bytes', 'Räume für Domains', []],
  ['of 200 characters', 'x'.repeat(200), [0o700]],
  ['of 100 letters with two bytes', 'ä'.repeat(100), [0o700]],
] as const) {
  test(`a request reaches the socket in a folder ${what}, which other users may not use`, async (t) => {
    const folder = newFolder(t, name);
    let used: number[] = [];
    const socket = await serve(t, folder, async (request) => {
      used = linksTo(folder);
      return await echo(request);
    });
    const fetch = fetchBySocket(folder);
    const response = await fetch(`${URL_OF_PROJECT}/rest/v1/a?b=ä`, {
      method: 'POST',
      headers: { apikey: 'sb_secret_t' },
      body: 'ünd',
    });
    assert.deepEqual(
      [response.status, response.headers.get('x-key'), await response.text()],
      [201, 'sb_secret_t', 'POST /rest/v1/a ünd'],
    );
    assert.equal(await isSocketOpen(folder), true);
    const file = lstatSync(join(folder, SOCKET));
    assert.deepEqual([file.isSocket(), file.mode & 0o777], [true, 0o600]);
    assert.deepEqual(readdirSync(folder), [SOCKET]);
    assert.deepEqual(
      [used, linksTo(folder)],
      [links, []],
      'a link lasts for a request, closed to other users',
    );
    await socket.close();
    assert.deepEqual(readdirSync(folder), []);
    assert.equal(await isSocketOpen(folder), false);
  });
}

test('bodies are streamed both ways, before the other side has ended', async (t) => {
  const folder = newFolder(t);
  await serve(t, folder, async (request) => new Response(request.body));
  const { readable, writable } = new TransformStream<Uint8Array>();
  const writer = writable.getWriter();
  const init = { method: 'POST', body: readable, duplex: 'half' } as RequestInit;
  void writer.write(new Uint8Array(1));
  const { body } = await fetchBySocket(folder)(`${URL_OF_PROJECT}/`, init);
  const reader = body?.getReader();
  for (const size of [1, 500_000]) {
    if (size > 1) void writer.write(new Uint8Array(size));
    let received = 0;
    while (received < size) received += (await reader?.read())?.value?.length ?? Number.NaN;
    assert.equal(received, size);
  }
  await writer.close();
  assert.equal((await reader?.read())?.done, true);
});

test('a response without a body has none', async (t) => {
  const folder = newFolder(t);
  await serve(t, folder, async () => new Response(null, { status: 204 }));
  const fetch = fetchBySocket(folder);
  for (const method of ['GET', 'HEAD', 'DELETE']) {
    const response = await fetch(`${URL_OF_PROJECT}/`, { method });
    assert.deepEqual([response.status, response.body], [204, null]);
  }
});

test('a request ends with the reason of its signal, before and during the response', async (t) => {
  const folder = newFolder(t);
  const asked = Promise.withResolvers<void>();
  await serve(t, folder, async (request) => {
    if (request.url.endsWith('/never')) {
      asked.resolve();
      return await new Promise(() => {});
    }
    return new Response(new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(9)) }));
  });
  const fetch = fetchBySocket(folder);
  const before = new AbortController();
  const pending = fetch(`${URL_OF_PROJECT}/never`, { signal: before.signal });
  await asked.promise;
  before.abort(new Error('too late'));
  await assert.rejects(pending, /too late/);
  const during = new AbortController();
  const response = await fetch(`${URL_OF_PROJECT}/`, { signal: during.signal });
  during.abort();
  await assert.rejects(response.text());
});

test('without a process that listens a request fails with the code of the system', async (t) => {
  const folder = newFolder(t);
  await assert.rejects(fetchBySocket(folder)(`${URL_OF_PROJECT}/`), { code: 'ENOENT' });
});

test('the socket that a killed process left is replaced', async (t) => {
  const folder = newFolder(t);
  const program = `
    const { openCommandSocket } = await import('./command-socket.ts');
    await openCommandSocket(async () => new Response('of the killed one'), process.argv[1]);
    console.log('open');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, folder], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  assert.equal(await isSocketOpen(folder), true);
  child.kill('SIGKILL');
  await once(child, 'exit');
  assert.ok(existsSync(join(folder, SOCKET)));
  assert.equal(await isSocketOpen(folder), false);
  await assert.rejects(fetchBySocket(folder)(`${URL_OF_PROJECT}/`), { code: 'ECONNREFUSED' });
  // As where it was killed before it renamed its socket.
  linkSync(join(folder, SOCKET), join(folder, 'commands.draft'));
  await serve(t, folder, echo);
  assert.equal(await isSocketOpen(folder), true);
});

test('the end of a former server leaves the socket of the next one', async (t) => {
  const folder = newFolder(t);
  const program = `
    const { workerData: [module, folder], parentPort } = require('node:worker_threads');
    import(module)
      .then(({ openCommandSocket }) => openCommandSocket(async () => new Response('former'), folder))
      .then(() => parentPort.postMessage('open'));`;
  const workerData = [join(import.meta.dirname, 'command-socket.ts'), folder];
  const former = new Worker(program, { eval: true, workerData });
  await once(former, 'message');
  await serve(t, folder, echo);
  await former.terminate();
  const response = await fetchBySocket(folder)(`${URL_OF_PROJECT}/here`);
  assert.equal(await response.text(), 'GET /here ');
});

test('the end of the socket waits for the response to a request in flight', async (t) => {
  const folder = newFolder(t);
  const begun = Promise.withResolvers<void>();
  const result = Promise.withResolvers<Response>();
  const socket = await serve(t, folder, async () => {
    begun.resolve();
    return await result.promise;
  });
  const response = fetchBySocket(folder)(`${URL_OF_PROJECT}/`);
  await begun.promise;
  const closed = socket.close();
  assert.equal(await Promise.race([closed, pause(50, 'in flight')]), 'in flight');
  assert.equal(await isSocketOpen(folder), false, 'no further request is taken');
  result.resolve(new Response('all of it'));
  await closed;
  assert.equal(await (await response).text(), 'all of it');
});
