import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { KEYS } from './booted-database.fixture.ts';
import { openCommandPort } from './command-port.ts';
import { proveIdentity } from './prove-identity.ts';

const SERVICE = { apikey: KEYS.secretKey };
const received: string[] = [];
let port: Awaited<ReturnType<typeof openCommandPort>>;
before(async () => {
  const fetch: typeof globalThis.fetch = async (input) => {
    received.push(new URL((input as Request).url).pathname);
    return new Response(null, { status: 204 });
  };
  port = await openCommandPort({ fetch, keys: KEYS }, 0);
});
after(() => port.close());

async function send(path: string, init: RequestInit = {}): Promise<Response> {
  received.length = 0;
  return await fetch(port.origin + path, init);
}

test('requests with the secret key reach the project, and no other ones', async () => {
  assert.equal((await send('/control/check', { headers: SERVICE })).status, 204);
  assert.deepEqual(received, ['/control/check']);
  for (const headers of [
    {},
    { apikey: KEYS.publishableKey },
    { apikey: `${KEYS.secretKey}x` },
    { authorization: `Bearer ${KEYS.secretKey}` },
  ] as Record<string, string>[]) {
    for (const path of ['/control/check', '/control/ping', '/rest/v1/offers', '/auth/v1/admin/users', '/']) {
      assert.equal((await send(path, { headers })).status, 404, `${path} ${JSON.stringify(headers)}`);
      assert.deepEqual(received, []);
    }
  }
});

test('the functions are not reached through the port', async () => {
  for (const path of ['/functions/v1/order-submit', '/functions/v1/deliver']) {
    assert.equal((await send(path, { method: 'POST', headers: SERVICE, body: '{}' })).status, 404, path);
  }
  assert.deepEqual(received, []);
});

test('a challenge without a key gets a proof for this origin, and nothing else', async () => {
  const challenge = randomBytes(32).toString('base64url');
  const response = await send(`/control/ping?challenge=${challenge}`);
  assert.equal(response.status, 200);
  const proof = await response.text();
  assert.equal(proof, proveIdentity(KEYS.secretKey, port.origin, challenge));
  assert.notEqual(proof, proveIdentity(KEYS.secretKey, 'http://127.0.0.1:54322', challenge));
  assert.notEqual(proof, proveIdentity('sb_secret_other', port.origin, challenge));
  for (const [method, path] of [
    ['GET', '/control/ping?challenge='],
    ['GET', `/control/ping?challenge=${challenge}x`],
    ['POST', `/control/ping?challenge=${challenge}`],
    ['GET', `/control/backup?challenge=${challenge}`],
  ] as const) {
    assert.equal((await send(path, { method })).status, 404, path);
  }
});

test('the end of the port waits for requests in flight, and not for connections without one', async () => {
  const begun = Promise.withResolvers<void>();
  const result = Promise.withResolvers<Response>();
  const slow = async () => {
    begun.resolve();
    return await result.promise;
  };
  const closing = await openCommandPort({ fetch: slow, keys: KEYS }, 0);
  for (const sent of ['', 'GET / HT', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n']) {
    const socket = connect(Number(new URL(closing.origin).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(sent);
  }
  const response = fetch(`${closing.origin}/rest/v1/offers`, { headers: SERVICE });
  await begun.promise;
  const closed = closing.close();
  assert.equal(await Promise.race([closed, pause(50, 'in flight')]), 'in flight');
  result.resolve(new Response('all of it'));
  await closed;
  assert.equal(await (await response).text(), 'all of it');
});
