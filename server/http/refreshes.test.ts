import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { createClient } from '@supabase/supabase-js';
import { callTo, close, gatewayTo, ID, PUBLIC_KEY, type Respond } from './backend-proxy.fixture.ts';
import { createDeliveredTokens } from './delivered-tokens.ts';

const REFRESH = '/auth/v1/token?grant_type=refresh_token';
/** A refresh token that the backend accepts; it rejects all others. */
const VALID = '0190a5b0-2222-4222-8333-444455556666';
const SESSION = {
  access_token: 'header.claims.signature',
  refresh_token: VALID,
  expires_in: 600,
  token_type: 'bearer',
  user: { id: ID, email: 'owner@example.com' },
};
/** Failed refreshes of one ip after which it has to wait, and parallel ones of one ip. */
const MAX_FAILURES = 20;
const MAX_PARALLEL = 8;

describe('refreshes', () => {
  let backend: Respond;
  let gateway: Server;
  /** Requests that the backend holds back, while `isHolding`. */
  let held: ((response: { status: number }) => void)[] = [];
  let onHeld = () => {};
  let isHolding = false;

  beforeEach(async () => {
    backend = async ({ line, body }) => {
      if (isHolding) {
        return await new Promise((resolve) => {
          held.push(resolve);
          onHeld();
        });
      }
      if (line.endsWith('/admin-auth')) return { body: JSON.stringify({ session: SESSION }) };
      return body.includes(VALID) ? { body: JSON.stringify(SESSION) } : { status: 400, body: '{}' };
    };
    gateway = await behindProxy();
  });
  afterEach(() => {
    close(gateway);
    isHolding = false;
    held = [];
  });

  const behindProxy = () => gatewayTo((request) => backend(request), ipOf);
  const refresh = (from: string, token = ID) =>
    callTo(gateway, {
      method: 'POST',
      path: REFRESH,
      headers: { apikey: PUBLIC_KEY, 'content-type': 'application/json', 'x-from': from },
      body: JSON.stringify({ refresh_token: token }),
    });
  const failFrom = async (from: string) => {
    for (let time = 0; time < MAX_FAILURES; time += 1) assert.equal((await refresh(from)).status, 400);
  };
  /** Sends a refresh and disconnects as soon as the backend has it. */
  const abandonRefresh = async (from: string) => {
    const body = JSON.stringify({ refresh_token: ID });
    const socket = connect((gateway.address() as AddressInfo).port, '127.0.0.1');
    const arrived = new Promise<void>((resolve) => {
      onHeld = resolve;
    });
    const [[served]] = await Promise.all([
      once(gateway, 'connection'),
      socket.write(
        `POST ${REFRESH} HTTP/1.1\r\nHost: localhost\r\napikey: ${PUBLIC_KEY}\r\nx-from: ${from}\r\n` +
          `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      ),
    ]);
    await arrived;
    const left = new Promise((resolve) => served.once('close', resolve));
    socket.resetAndDestroy();
    await left;
  };
  /** Responds to what was held, and waits until the gateway has released the slots. */
  const respondToHeld = async () => {
    for (const respond of held.splice(0)) respond({ status: 400 });
    await new Promise(setImmediate);
  };

  test('an ip whose refreshes fail has to wait, and others do not', async () => {
    await failFrom('192.0.2.1');
    const limited = await refresh('192.0.2.1');
    assert.deepEqual([limited.status, limited.code], [503, 'too_many_requests']);
    assert.ok(Number(limited.headers['retry-after']) > 0);
    assert.equal((await refresh('198.51.100.1')).status, 400);
  });

  test('refreshes whose client disconnects count as failed', async () => {
    isHolding = true;
    for (let time = 0; time < MAX_FAILURES; time += 1) {
      await abandonRefresh('192.0.2.1');
      await respondToHeld();
    }
    isHolding = false;
    assert.equal((await refresh('192.0.2.1')).code, 'too_many_requests');
    assert.equal((await refresh('198.51.100.1')).status, 400);
  });

  test('a refresh whose client disconnects holds its place until the backend responds', async () => {
    isHolding = true;
    for (let time = 0; time < MAX_PARALLEL; time += 1) await abandonRefresh('192.0.2.1');
    assert.equal((await refresh('192.0.2.1')).code, 'unavailable');
    await respondToHeld();
    isHolding = false;
    assert.equal((await refresh('192.0.2.1')).status, 400);
  });

  test('a refresh whose client disconnects ends after the backend’s timeout', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    isHolding = true;
    for (let time = 0; time < MAX_PARALLEL; time += 1) await abandonRefresh('192.0.2.1');
    context.mock.timers.tick(25_000);
    await new Promise(setImmediate);
    context.mock.timers.reset();
    isHolding = false;
    assert.equal((await refresh('192.0.2.1')).status, 400);
  });

  test('a refresh whose body is too slow gets 503, as supabase-js ends the session on 408', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const socket = connect((gateway.address() as AddressInfo).port, '127.0.0.1');
    const arrived = once(gateway, 'request');
    socket.write(
      `POST ${REFRESH} HTTP/1.1\r\nHost: localhost\r\napikey: ${PUBLIC_KEY}\r\ncontent-type: application/json\r\n` +
        'content-length: 56\r\n\r\n{',
    );
    await arrived;
    context.mock.timers.tick(5_000);
    const [response] = await once(socket, 'data');
    socket.destroy();
    assert.match(String(response), /^HTTP\/1\.1 503 /);
  });

  test('refreshes that the backend could not handle do not count as failed', async () => {
    backend = async () => ({ status: 500 });
    for (let time = 0; time <= MAX_FAILURES; time += 1) {
      assert.equal((await refresh('192.0.2.1')).status, 500);
    }
  });

  for (const [source, path] of [
    ['a sign-in', '/functions/v1/admin-auth'],
    ['an earlier refresh', REFRESH],
  ] as const) {
    test(`a refresh token from ${source} is not limited by others’ failures`, async () => {
      const first =
        path === REFRESH
          ? await refresh('192.0.2.1', VALID)
          : await callTo(gateway, { method: 'POST', path, headers: { 'x-from': '192.0.2.1' }, body: '{}' });
      assert.equal(first.status, 200);
      await failFrom('192.0.2.1');
      assert.equal((await refresh('192.0.2.1')).code, 'too_many_requests');
      for (let time = 0; time < 3; time += 1) {
        assert.equal((await refresh('192.0.2.1', VALID)).status, 200);
      }
    });
  }

  test('a refresh token that the backend rejects is limited again', async () => {
    await refresh('192.0.2.1', VALID);
    backend = async () => ({ status: 400, body: '{}' });
    await failFrom('192.0.2.1');
    assert.equal((await refresh('192.0.2.1', VALID)).status, 400);
    assert.equal((await refresh('192.0.2.1', VALID)).code, 'too_many_requests');
  });

  test('supabase-js keeps its session over the limit, and retries', async (context) => {
    await failFrom('192.0.2.1');
    // Has not delivered the token, as after a restart, and no failures: the limit is over at the second attempt.
    const restarted = await behindProxy();
    context.after(() => close(restarted));
    const statuses: number[] = [];
    const stored = new Map([['session', JSON.stringify({ ...SESSION, expires_at: 1 })]]);
    const { auth } = createClient('http://gateway.test', PUBLIC_KEY, {
      auth: {
        autoRefreshToken: false,
        storageKey: 'session',
        storage: {
          getItem: (key) => stored.get(key) ?? null,
          setItem: (key, value) => void stored.set(key, value),
          removeItem: (key) => void stored.delete(key),
        },
      },
      global: {
        fetch: async (input, init) => {
          const { port } = (statuses.length === 0 ? gateway : restarted).address() as AddressInfo;
          const { pathname, search } = new URL(String(input));
          const headers = new Headers(init?.headers);
          headers.set('x-from', '192.0.2.1');
          const response = await fetch(`http://localhost:${port}${pathname}${search}`, { ...init, headers });
          statuses.push(response.status);
          assert.ok(stored.has('session'), 'the session is still stored');
          return response;
        },
      },
    });
    const events: string[] = [];
    auth.onAuthStateChange((event) => void events.push(event));
    const { data } = await auth.getSession();
    assert.equal(data.session?.refresh_token, VALID);
    assert.deepEqual(statuses, [503, 200]);
    assert.ok(!events.includes('SIGNED_OUT'), events.join());
  });
});

function ipOf({ headers }: IncomingMessage): string {
  return String(headers['x-from']);
}

test('of the refresh tokens that clients have received the last 10,000 are remembered', () => {
  const delivered = createDeliveredTokens();
  for (let n = 0; n <= 10_000; n += 1)
    delivered.readFrom(Buffer.from(JSON.stringify({ refresh_token: `token ${n}` })));
  assert.deepEqual(
    [0, 1, 10_000].map((n) => delivered.has(`token ${n}`)),
    [false, true, true],
  );
});
