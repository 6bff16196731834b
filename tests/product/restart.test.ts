/** A restart under a service manager that holds the listening socket. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { after, before, test } from 'node:test';
import { newDataFolder } from '../support/booted-data-folder.ts';
import { canHoldSocket, type HeldProduct, startHeldProduct } from '../support/held-product.ts';
import { ADMIN, PUBLIC_KEY } from '../support/product.ts';
import { rawGet } from '../support/raw-get.ts';
import { isAlive, newFolder, runTool, waitUntil } from '../support/terminal.ts';

const CLIENTS = 8;

let product: HeldProduct;
let port: number;

before(async () => {
  if (!canHoldSocket()) return;
  assert.equal(runTool('commands/build-if-needed.ts', [], {}).code, 0);
  product = await startHeldProduct({
    DATA_DIR: newDataFolder(newFolder()),
    ADMIN_PASSWORD: ADMIN.password,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? newFolder(),
  });
  port = product.port;
});

after(() => product?.stop());

test('pages are served before the backend, and a restart under load fails no request', async (context) => {
  if (!canHoldSocket()) return context.skip('systemd-socket-activate is not installed');
  // Sent before there is a process: a later request could find the backend started.
  const [page] = await Promise.all([rawGet(port, '/', { host: 'lap.app' }), assertStarting()]);
  assert.equal(page.status, 200);
  await waitUntil(isHealthy);

  const load = startLoad();
  await waitUntil(() => load.pages > 100);
  const before = product.pid() ?? 0;
  process.kill(before, 'SIGTERM');
  const served = { atSignal: load.pages, behind: 0 };
  await waitUntil(() => !isAlive(before));
  served.behind = load.pages - served.atSignal;
  await waitUntil(isHealthy);
  await load.stop();

  assert.deepEqual(load.failures, []);
  assert.ok(served.behind > 0, 'pages are served while the backend stops');
  assert.notEqual(product.pid(), before);
  assert.equal(product.log().match(/^Ready: /gm)?.length, 2, product.log());
  context.diagnostic(`${load.pages} pages, the longest wait ${Math.round(load.longestWaitMs)} ms`);
});

/** Asserts what the backend's paths and /health respond while the backend starts. */
async function assertStarting(): Promise<void> {
  const offer = {
    method: 'POST',
    headers: { apikey: PUBLIC_KEY, 'content-type': 'application/json' },
    body: '{}',
  };
  const [{ status, text }, functions] = await Promise.all([
    rawGet(port, '/health'),
    fetch(`http://127.0.0.1:${port}/functions/v1/order-submit`, offer),
  ]);
  assert.equal(status, 503, text);
  assert.equal(JSON.parse(text).reasons.database, 'The backend is starting.');
  assert.equal(functions.status, 503);
  assert.equal(functions.headers.get('retry-after'), '5');
  assert.equal(((await functions.json()) as { code: string }).code, 'unavailable');
}

async function isHealthy(): Promise<boolean> {
  return (await rawGet(port, '/health')).status === 200;
}

/** Clients that fetch pages one after the other, over kept connections and over new ones. */
function startLoad() {
  const load = { pages: 0, failures: [] as string[], longestWaitMs: 0, stop: async () => {} };
  let stopped = false;
  const clients = Array.from({ length: CLIENTS }, async (_, index) => {
    const agent = index % 2 === 0 ? new Agent({ keepAlive: true, maxSockets: 1 }) : undefined;
    while (!stopped) {
      const began = performance.now();
      const outcome = await fetchOnce(agent);
      load.longestWaitMs = Math.max(load.longestWaitMs, performance.now() - began);
      if (outcome === 200) load.pages += 1;
      else load.failures.push(`${outcome} over a ${agent ? 'kept' : 'new'} connection`);
    }
    agent?.destroy();
  });
  load.stop = async () => {
    stopped = true;
    await Promise.all(clients);
  };
  return load;
}

/** The status, or the error's code. Repeats a request whose kept connection was closed before it arrived, as proxies do. */
async function fetchOnce(agent: Agent | undefined): Promise<number | string> {
  const sent = request({ port, host: '127.0.0.1', headers: { host: 'lap.app' }, agent: agent ?? false });
  try {
    const [response] = await once(sent.end(), 'response');
    await response.toArray();
    return response.statusCode;
  } catch (error) {
    if (sent.reusedSocket) return await fetchOnce(undefined);
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}
