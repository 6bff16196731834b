import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { takeLock } from '../../process/lock-file.ts';
import { noteOrigin, waitUntilServed } from './wait-until-served.ts';

let dataDir = '';
let release: (() => void) | undefined;
/** The build that the fake product reports. */
let served = 'one';
/** Called with each request for it. */
let onRequest = () => {};
const server = createServer((request, response) => {
  assert.equal(request.url, '/health');
  // As while a part does not work.
  response.writeHead(503).end(JSON.stringify({ status: 'degraded', build: served }));
  onRequest();
});

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'served-'));
  release = await takeLock(join(dataDir, 'lock'), 0);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  served = 'one';
  onRequest = () => {};
});
afterEach(() => {
  release?.();
  release = undefined;
  server.closeAllConnections();
  server.close();
  rmSync(dataDir, { recursive: true });
});

test('a build waits for a product that is starting, and then until it is served', async () => {
  const state = waitUntilServed(dataDir, 'two', 30_000, 30_000);
  onRequest = () => {
    served = 'two';
  };
  note();
  assert.equal(await state, 'served');
});

test('a build reports a folder that another process holds for long', async () => {
  assert.equal(await waitUntilServed(dataDir, 'two', 30_000, 1), 'starting');
});

test('a build does not wait where no product runs, and not for ever where one does', async () => {
  note();
  assert.equal(await waitUntilServed(dataDir, 'two', 1), 'late');
  release?.();
  release = undefined;
  assert.equal(await waitUntilServed(dataDir, 'two'), 'stopped');
  assert.equal(await waitUntilServed(join(dataDir, 'none'), 'two'), 'stopped');
});

function note(): void {
  noteOrigin({ dataDir, host: '127.0.0.1' }, (server.address() as AddressInfo).port);
}
