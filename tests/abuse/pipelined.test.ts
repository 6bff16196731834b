/** Requests that a client sends one after the other without reading a response: 20 MB of them at each public path. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { BACKEND_ROUTES } from '../../server/http/backend-routes.ts';
import { HEALTH_PATH, HOST_TEXT_PATHS } from '../../src/serving/server-paths.ts';
import { sendRequest } from '../support/http-client.ts';
import { type ProductProcess, PUBLIC_KEY, startProductProcess } from '../support/product.ts';
import { count } from './report.ts';

const HEAP_MB = 512;
const FLOOD_BYTES = 20 * 1024 * 1024;
/** Of the process, backend included. */
const MAX_GROWTH_MB = 150;
/** A start, on a machine that runs other tests. */
const TIMEOUT = { timeout: 120_000 };

const PATHS = [
  '/',
  '/admin/login',
  '/nothing',
  HEALTH_PATH,
  ...HOST_TEXT_PATHS,
  ...Object.keys(BACKEND_ROUTES),
];

describe('pipelined requests whose responses are not read', () => {
  let product: ProductProcess;
  before(async () => {
    const under = ['env', `NODE_OPTIONS=--max-old-space-size=${HEAP_MB}`];
    product = await startProductProcess({ under });
    // Loads what the paths need.
    for (const path of PATHS) await sendRequest(product.port, { path, headers: { apikey: PUBLIC_KEY } });
  });
  after(() => product.stop());

  for (const path of PATHS) {
    test(`${path} neither ends the process nor holds up others`, TIMEOUT, async () => {
      const memory = memoryOf(product);
      let isOver = false;
      const flooded = flood(product.port, path).finally(() => {
        isOver = true;
      });
      let growth = 0;
      do {
        assert.equal((await sendRequest(product.port, { path: '/' })).status, 200);
        growth = Math.max(growth, memoryOf(product) - memory);
      } while (!isOver);
      count('badInputs', await flooded);
      assert.equal((await sendRequest(product.port, { path: HEALTH_PATH })).status, 200);
      assert.ok(growth <= MAX_GROWTH_MB, `the process grew by ${Math.round(growth)} MB`);
    });
  }
});

/** Sends the bytes, on another connection whenever one is closed. Returns the number of requests. */
async function flood(port: number, path: string): Promise<number> {
  const one = Buffer.from(`GET ${path} HTTP/1.1\r\nHost: lap.app\r\napikey: ${PUBLIC_KEY}\r\n\r\n`);
  const chunk = Buffer.concat(Array(Math.floor(65_536 / one.byteLength)).fill(one));
  let sent = 0;
  while (sent < FLOOD_BYTES) {
    const socket = connect(port, '127.0.0.1').pause();
    await new Promise<void>((resolve) => {
      const send = () => {
        if (sent >= FLOOD_BYTES) {
          socket.destroy();
          return;
        }
        sent += chunk.byteLength;
        socket.write(chunk, (error) => {
          if (!error) send();
        });
      };
      socket
        .on('error', () => {})
        .once('close', () => resolve())
        .once('connect', send);
    });
  }
  return sent / one.byteLength;
}

/** Megabytes. */
function memoryOf({ process: { pid } }: ProductProcess): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
