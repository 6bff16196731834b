/** The owner signs in while others try: with the device that signed in before, and from a new one as far as SECURITY.md says. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient, type Session } from '@supabase/supabase-js';
import { type HttpResponse, jsonOf, sendRequest } from '../support/http-client.ts';
import { ADMIN, PUBLIC_KEY } from '../support/product.ts';
import { type AbusedProduct, BEHIND_PROXY, functionCall, startAbused } from './abused-product.ts';
import { count } from './report.ts';
import { runsOf } from './short-form.ts';

/** What the limits leave to 40 networks: 20 in 10 minutes each. */
const ATTEMPTS_OF_40_NETWORKS = 1.3;
/** More than the queue takes. */
const ATTEMPTS_OF_MANY_NETWORKS = 14;

/**
 * The longest that a known device may take to sign in. The short form runs beside other tests; a device that the queue did
 * not prefer would wait 10 s behind its 20 places.
 */
const KNOWN_DEVICE_MS = runsOf(3_000, 8_000);

const HOST = { host: BEHIND_PROXY.ADMIN_HOST };
const REFRESH_HEADERS = { ...HOST, apikey: PUBLIC_KEY, 'content-type': 'application/json' };

describe('sign-in under a flood', () => {
  let product: AbusedProduct;
  let device: unknown;
  let session: Session;
  before(async () => {
    product = await startAbused({ env: BEHIND_PROXY });
    const first = await signIn('192.0.2.1', ADMIN);
    assert.equal(first.status, 200, first.text);
    ({ device, session } = jsonOf(first) as { device: unknown; session: Session });
    assert.equal(typeof device, 'string');
  });
  after(() => product.stop());

  const signIn = (from: string, body: object): Promise<HttpResponse> =>
    sendRequest(product.port, functionCall('admin-auth', body, { ...HOST, 'x-forwarded-for': from }));

  /** So many attempts a second from so many networks, in turn, until stopped. */
  function flood(perSecond: number, networks: number): { stop(): Promise<void> } {
    let sent = 0;
    const pending = new Set<Promise<unknown>>();
    const timer = setInterval(() => {
      sent += 1;
      const from = `2001:db8:${(sent % networks).toString(16)}:${sent.toString(16)}::1`;
      const attempt = signIn(from, { ...ADMIN, password: `guess ${sent}` });
      pending.add(attempt);
      void attempt.catch(() => {}).finally(() => pending.delete(attempt));
    }, 1_000 / perSecond);
    return {
      stop: async () => {
        clearInterval(timer);
        await Promise.allSettled(pending);
        count('badInputs', sent);
      },
    };
  }

  const owner = (response: HttpResponse) => {
    count('ownerSignIns');
    if (response.status !== 200) count('ownerLockedOut');
    assert.equal(response.status, 200, response.text);
  };

  /** Signs in with the known device, so many times from changing networks. */
  const signInWithDevice = async (times: number) => {
    for (let time = 0; time < times; time += 1) {
      const started = performance.now();
      owner(await signIn(`198.51.100.${time}`, { ...ADMIN, device }));
      const took = performance.now() - started;
      assert.ok(took < KNOWN_DEVICE_MS, `${Math.round(took)} ms`);
    }
  };

  test('while 40 networks guess, a known device signs in at once, and a new one gets in', {
    timeout: 600_000,
  }, async () => {
    const attack = flood(ATTEMPTS_OF_40_NETWORKS, 40);
    try {
      await pause(runsOf(20_000, 3_000));
      await signInWithDevice(runsOf(100, 4));
      for (let time = 0; time < runsOf(10, 2); time += 1)
        owner(await signIn(`198.51.${101 + time}.1`, ADMIN));
    } finally {
      await attack.stop();
    }
  });

  test('while more networks guess than the queue takes, a known device signs in at once', {
    timeout: 600_000,
  }, async () => {
    const attack = flood(ATTEMPTS_OF_MANY_NETWORKS, 60_000);
    try {
      await pause(runsOf(20_000, 4_000));
      await signInWithDevice(runsOf(100, 4));
      // Each 500 ms one place is free for a moment: one attempt alone may get it.
      const attempts = await Promise.all(
        Array.from({ length: 10 }, (_, network) => signIn(`198.51.${120 + network}.1`, ADMIN)),
      );
      const rejected = attempts.filter(({ status }) => status !== 200);
      assert.ok(rejected.length > 5, `${rejected.length} of 10 rejected`);
      for (const { status, headers, text } of rejected) {
        assert.deepEqual([status, headers['retry-after']], [503, '5'], text);
        assert.match(text, /"sign_in_busy"/);
      }
    } finally {
      await attack.stop();
    }
  });

  test('rejected attempts in flight, each for 600 ms, keep no known device waiting', async () => {
    const ips = ['192.0.2.20', '192.0.2.21', '2001:db8:ffff:1::1', '2001:db8:ffff:2::1'];
    const attempts = Array.from({ length: 300 }, (_, number) =>
      signIn(ips[number % ips.length] ?? '', { ...ADMIN, password: `guess ${number}` }),
    );
    await signInWithDevice(2);
    const statuses = new Set((await Promise.all(attempts)).map(({ status }) => status));
    count('badInputs', attempts.length);
    for (const status of statuses) assert.ok([401, 429, 503].includes(status), String(status));
  });

  test('guesses for one account are limited in each network, and the owner signs in from another one', async () => {
    const guess = (from: string) => signIn(from, { ...ADMIN, password: 'a guess' });
    const statuses: number[] = [];
    for (let time = 0; time < 6; time += 1) statuses.push((await guess(`203.0.113.${time}`)).status);
    assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429]);
    count('badInputs', 6);
    owner(await signIn('203.0.114.1', ADMIN));
  });

  /** Sends a refresh with a token that does not exist. */
  const refresh = (from: string): Promise<HttpResponse> =>
    sendRequest(product.port, { ...refreshCall(), headers: { ...REFRESH_HEADERS, 'x-forwarded-for': from } });

  test('failed refreshes of the owner’s neighbours do not end the owner’s session', async () => {
    const neighbours = ['192.0.2.11', '192.0.2.12', '192.0.2.13', '192.0.2.14'];
    for (const from of neighbours) {
      for (let time = 0; time < 20; time += 1) assert.equal((await refresh(from)).status, 400);
    }
    count('badInputs', 80);
    const limited = await refresh('192.0.2.15');
    assert.deepEqual([limited.status, jsonOf(limited).code], [503, 'too_many_requests']);

    // The access token is over, so that supabase-js refreshes now and removes the session if it is rejected.
    const stored = new Map([['session', JSON.stringify({ ...session, expires_at: 1 })]]);
    const { auth } = createClient(product.origin, PUBLIC_KEY, {
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
        // Not by fetch, which sends the host of the URL.
        fetch: async (input, init) => {
          const { pathname, search } = new URL(String(input));
          const headers = Object.fromEntries(new Headers(init?.headers));
          const { status, text } = await sendRequest(product.port, {
            method: init?.method ?? 'GET',
            path: pathname + search,
            headers: { ...headers, ...HOST, 'x-forwarded-for': '192.0.2.1' },
            body: String(init?.body ?? ''),
          });
          return new Response(text, { status, headers: { 'content-type': 'application/json' } });
        },
      },
    });
    const { data, error } = await auth.getSession();
    assert.equal(error, null);
    assert.equal(data.session?.user.email, ADMIN.email);
    assert.notEqual(data.session?.refresh_token, session.refresh_token);
    assert.ok(stored.has('session'));
  });

  test('refreshes whose client disconnects are limited like others', async () => {
    const { path, body } = refreshCall();
    const head = Object.entries({ ...REFRESH_HEADERS, 'content-length': String(body.length) });
    const lines = [...head, ['x-forwarded-for', '198.51.100.7']].map((pair) => `${pair.join(': ')}\r\n`);
    const abandon = async (delay: number) => {
      const socket = connect(product.port, '127.0.0.1').on('error', () => {});
      await once(socket, 'connect');
      socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
      await pause(delay);
      socket.resetAndDestroy();
    };
    // Disconnects while the database works, which begins and ends sooner or later on different machines.
    for (let attempt = 0; attempt < 400; attempt += 4) {
      await Promise.all([2, 4, 8, 16].map(abandon));
    }
    count('badInputs', 400);
    assert.equal(jsonOf(await refresh('198.51.100.7')).code, 'too_many_requests');
    assert.equal((await refresh('198.51.101.7')).status, 400);
  });

  test('a device token is bound to its account and is not sufficient by itself', async () => {
    const token = String(device);
    for (const changed of [`${token.slice(0, -2)}AA`, token.slice(0, -8), `${token}A`, 'device', '']) {
      const response = await signIn('192.0.2.9', { ...ADMIN, password: 'not the password', device: changed });
      assert.notEqual(response.status, 200);
    }
    const wrong = await signIn('192.0.2.10', { ...ADMIN, password: 'not the password', device });
    assert.equal(wrong.status, 401, wrong.text);
    assert.equal(jsonOf(wrong).device, undefined);
  });
});

function refreshCall() {
  const body = JSON.stringify({ refresh_token: randomUUID() });
  return { method: 'POST', path: '/auth/v1/token?grant_type=refresh_token', body };
}
