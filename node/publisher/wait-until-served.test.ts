import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { takeLock } from '../config/lock-file.ts';
import { writeRunningFile } from '../embedded-backend/call-control.ts';
import { proveIdentity } from '../embedded-backend/prove-identity.ts';
import { waitUntilServed } from './wait-until-served.ts';

const SECRET_KEY = `sb_secret_${'x'.repeat(30)}`;

let dataDir = '';
let release: (() => void) | undefined;
/** The build that the fake database has published. */
let published = 'one';
/** Called with each request for it. */
let onRequest = () => {};
const server = createServer((request, response) => {
  const { searchParams, pathname } = new URL(request.url ?? '', 'http://x');
  const challenge = searchParams.get('challenge');
  if (challenge) return response.end(proveIdentity(SECRET_KEY, originOf(), challenge));
  if (pathname !== '/control/published-build') return response.writeHead(204).end();
  response.end(JSON.stringify({ build: published }));
  return onRequest();
});

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'served-'));
  writeFileSync(join(dataDir, 'secrets.json'), JSON.stringify({ secretKey: SECRET_KEY }));
  release = await takeLock(join(dataDir, 'lock'), 0);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  published = 'one';
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
    published = 'two';
  };
  writeRunningFile(dataDir, { origin: originOf() });
  assert.equal(await state, 'served');
});

test('a build reports a folder that another process holds for long', async () => {
  assert.equal(await waitUntilServed(dataDir, 'two', 30_000, 1), 'starting');
});

test('a build does not wait where no product runs, and not for ever where one does', async () => {
  release?.();
  release = undefined;
  assert.equal(await waitUntilServed(dataDir, 'two'), 'stopped');
  assert.equal(await waitUntilServed(join(dataDir, 'none'), 'two'), 'stopped');
  writeRunningFile(dataDir, { origin: originOf() });
  assert.equal(await waitUntilServed(dataDir, 'two', 1), 'late');
});

function originOf(): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
