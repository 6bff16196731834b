/** The owner signs in while others try: with the device that signed in before, and from a new one by a proof of work. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient, type Session } from '@supabase/supabase-js';
import { type Challenge, costOfStep, SIGN_IN_ACTION } from '#contract/bot-check.ts';
import { keyedHash } from '../../supabase/functions/_shared/keyed-hash.ts';
import { type HttpResponse, jsonOf, sendRequest } from '../support/http-client.ts';
import { ADMIN, PUBLIC_KEY } from '../support/product.ts';
import { type AbusedProduct, BEHIND_PROXY, functionCall, startAbused } from './abused-product.ts';
import { dataKeys } from './data-keys.ts';
import { encodeProof, proofMaker, solve } from './proofs.ts';
import { count } from './report.ts';
import { roomInWindow } from './room-in-window.ts';
import { runsOf } from './short-form.ts';

/** Attempts with a proof for one account in an hour, after which the next proof takes twice the work. */
const PROOFS_PER_LEVEL = 20;
const HOUR_SECONDS = 3_600;

/** The attack that was tried from outside: 14 sign-ins a second from changing /64 networks. */
const ATTEMPTS_PER_SECOND = 14;

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

  /** Attempts from networks that change with each, until stopped. */
  function flood(): { stop(): Promise<number> } {
    let sent = 0;
    const pending = new Set<Promise<unknown>>();
    const timer = setInterval(() => {
      sent += 1;
      const network = (0x1000 + sent).toString(16);
      const attempt = signIn(`2001:db8:${(sent % 7).toString(16)}:${network}::1`, {
        ...ADMIN,
        password: `guess ${sent}`,
      });
      pending.add(attempt);
      void attempt.catch(() => {}).finally(() => pending.delete(attempt));
    }, 1_000 / ATTEMPTS_PER_SECOND);
    return {
      stop: async () => {
        clearInterval(timer);
        await Promise.allSettled(pending);
        count('badInputs', sent);
        return sent;
      },
    };
  }

  const owner = (response: HttpResponse) => {
    count('ownerSignIns');
    if (response.status !== 200) count('ownerLockedOut');
    assert.equal(response.status, 200, response.text);
  };

  test('the owner can always sign in, with a known device or a proof of work', {
    timeout: 600_000,
  }, async () => {
    const attack = flood();
    // Until the account's own limit and the queue are full.
    await pause(runsOf(20_000, 6_000));
    for (let time = 0; time < runsOf(8, 2); time += 1) {
      owner(await signIn(`198.51.100.${time}`, { ...ADMIN, device }));
      // A new device: what the page does by itself.
      const from = `198.51.101.${time}`;
      const rejected = await signIn(from, ADMIN);
      if (rejected.status === 200) {
        owner(rejected);
        continue;
      }
      const { challenge } = jsonOf(rejected) as { challenge?: Challenge };
      assert.ok(challenge, `${rejected.status}: ${rejected.text}`);
      owner(await signIn(from, { ...ADMIN, proof: encodeProof(await solve(challenge)) }));
    }
    await attack.stop();
  });

  /** Solved proofs for one account, without the work. */
  const proofsOf = async (email: string) => {
    const { secretKey } = dataKeys(product.dataDir);
    const account = keyedHash(secretKey, 'sign-in-proof-account', email);
    const make = proofMaker(secretKey);
    return async (step: number) => encodeProof(await make({ action: SIGN_IN_ACTION, account, step }));
  };

  test('guesses with proofs become more expensive with their number, and do not lock the account', {
    timeout: 120_000,
  }, async () => {
    await roomInWindow(60, HOUR_SECONDS);
    const email = 'guessed@example.com';
    const makeProof = await proofsOf(email);
    const guess = async (number: number, step: number) =>
      signIn(`203.0.113.${number}`, { email, password: `guess ${number}`, proof: await makeProof(step) });
    for (let number = 0; number < PROOFS_PER_LEVEL; number += 1) {
      const response = await guess(number, 0);
      assert.equal(response.status, 401, response.text);
    }
    count('badInputs', PROOFS_PER_LEVEL);
    const rejected = await guess(100, 0);
    assert.equal(rejected.status, 429, rejected.text);
    const { challenge } = jsonOf(rejected) as { challenge?: Challenge };
    assert.equal(challenge?.parameters.cost, costOfStep(1));
    assert.equal((await guess(101, 1)).status, 401);
  });

  test('a proof with too little work, sent again 60 times at once, takes no place in the queue', async () => {
    const email = 'guessed@example.com';
    const proof = await (await proofsOf(email))(0);
    const send = () => signIn('203.0.113.200', { email, password: 'x', proof });
    // The account is past its first 20 guesses since the test before.
    assert.equal((await send()).status, 429);
    const responses = await Promise.all(Array.from({ length: 60 }, send));
    count('badInputs', 61);
    for (const response of responses) assert.equal(response.status, 429, response.text);
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

  test('attempts with proofs from 60 IPs of a /24 do not lock a new device out', async () => {
    let [stopped, accounts] = [false, 0];
    const crowd = Array.from({ length: 60 }, async (_, number) => {
      // As many accounts as attempts, so that the account's level stays low.
      while (!stopped) {
        const email = `crowd${accounts++}@example.com`;
        const proof = await (await proofsOf(email))(4);
        const response = await signIn(`203.0.113.${number}`, { email, password: 'x', proof });
        count('badInputs');
        if (response.status === 503) await pause(100);
      }
    });
    await pause(1_500);
    try {
      const proof = await (await proofsOf(ADMIN.email))(0);
      const started = performance.now();
      owner(await signIn('198.51.103.1', { ...ADMIN, proof }));
      assert.ok(performance.now() - started < 5_000, 'and takes its turn soon');
    } finally {
      // The product's end is the end of those that wait.
      stopped = true;
      for (const one of crowd) one.catch(() => {});
    }
  });
});

function refreshCall() {
  const body = JSON.stringify({ refresh_token: randomUUID() });
  return { method: 'POST', path: '/auth/v1/token?grant_type=refresh_token', body };
}
