/** Signing in: one response for every rejected password in equal time, limits that hold, no lockout of the owner. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, test } from 'node:test';
import fc from 'fast-check';
import { type HttpResponse, jsonOf } from '../support/http-client.ts';
import { ADMIN, PUBLIC_KEY } from '../support/product.ts';
import { type AbusedProduct, BEHIND_PROXY } from './abused-product.ts';
import { badInput } from './bad-input.ts';
import { checkInBatches } from './check-in-batches.ts';
import { HOSTILE_TEXTS } from './hostile-texts.ts';
import { mapConcurrently } from './map-concurrently.ts';
import { addOtherUser, OTHER_USER } from './other-user.ts';
import { count } from './report.ts';
import { roomInWindow } from './room-in-window.ts';
import { sharedProduct } from './shared-product.ts';
import { fastCheckSettings, runsOf } from './short-form.ts';

const WRONG = { email: ADMIN.email, password: 'not the password' };
/**
 * The shortest response time of a rejected password, in milliseconds. A timer may fire slightly early. There is no
 * upper bound, because it depends on the machine's load.
 */
const EVEN_TIME = 600 - 5;
/**
 * The longest that a known device may take to sign in. The short form runs beside other tests; a device that the queue did
 * not prefer would wait 10 s behind its 20 places.
 */
const KNOWN_DEVICE_MS = runsOf(3_000, 8_000);

describe('admin-auth without limits', () => {
  let product: AbusedProduct;

  before(async () => {
    product = await sharedProduct();
    await addOtherUser(product.dataDir);
  });

  const signIn = (body: unknown, headers?: Record<string, string>) =>
    product.call('admin-auth', body, headers);
  const timed = async (body: unknown) => {
    const started = performance.now();
    const response = await signIn(body);
    return { response, took: performance.now() - started };
  };

  test('wrong password, unknown email and other users get one response in equal time', async () => {
    const kinds: Record<string, object> = {
      wrong: WRONG,
      unknown: { ...ADMIN, email: 'nobody@example.com' },
      'another letter case': { ...WRONG, email: ADMIN.email.toUpperCase() },
      'no address': { ...WRONG, email: 'no address' },
      'a very long password': { ...WRONG, password: 'p'.repeat(1024) },
      'another user': OTHER_USER,
    };
    const seen = new Map<string, string[]>();
    const rejectionsOf = async ([kind, credentials]: [string, object]) => {
      for (let rejections = 0; rejections < runsOf(9, 3); ) {
        const { response, took } = await timed(credentials);
        assert.ok(took >= EVEN_TIME, `${kind} was rejected after ${took} ms`);
        // On a busy machine the backend may take longer than its 8 s: no password was tried.
        if (response.status === 503) continue;
        rejections += 1;
        const appearance = appearanceOf(response);
        seen.set(appearance, [...(seen.get(appearance) ?? []), kind]);
      }
    };
    await Promise.all(Object.entries(kinds).map(rejectionsOf));
    assert.equal(seen.size, 1, `responses differ: ${JSON.stringify([...seen])}`);
    assert.match([...seen.keys()][0] ?? '', /^401 /);
  });

  test('a user who is not an administrator gets no session with the right password', async () => {
    const response = await signIn(OTHER_USER);
    if (/token|session/.test(response.text)) count('unauthorised');
    assert.deepEqual(Object.keys(jsonOf(response)).sort(), ['code', 'error', 'request_id']);
  });

  test('the right password opens a session of the administrator', async () => {
    const response = await signIn(ADMIN);
    assert.equal(response.status, 200);
    assert.ok(jsonOf(response).session);
  });

  test('bodies without credentials are rejected before the database is queried', async () => {
    const bodies: unknown[] = [
      ...['', '[]', 'null', '{', '1', '"a"', '[['.repeat(2_000)],
      {},
      { email: ADMIN.email },
      { password: ADMIN.password },
      { ...WRONG, email: { eq: ADMIN.email } },
      { ...WRONG, email: [ADMIN.email] },
      { ...WRONG, password: true },
      { ...WRONG, password: { $ne: '' } },
      { ...WRONG, password: '' },
      { ...WRONG, email: '' },
      { ...WRONG, email: 'a'.repeat(255) },
      { ...WRONG, password: 'a'.repeat(1025) },
      { ...WRONG, grant_type: 'password' },
    ];
    for (const body of bodies) {
      const response = await badInput(JSON.stringify(body), signIn(body));
      assert.equal(jsonOf(response).code, 'malformed', JSON.stringify(body));
    }
    const long = await badInput('a long body', signIn({ ...WRONG, password: 'a'.repeat(5_000) }));
    assert.equal(jsonOf(long).code, 'too_large');
  });

  test('hostile credentials are rejected as wrong credentials', async () => {
    const texts = HOSTILE_TEXTS.filter((text) => text.length < 250).slice(0, runsOf(1_000, 3));
    const credentials = [...texts, 'a\0b', 'a\r\nb', '\ud800'].flatMap((text) => [
      { ...ADMIN, email: text },
      { ...ADMIN, password: text },
    ]);
    const responses = await mapConcurrently(credentials, (sent) =>
      badInput(JSON.stringify(sent), signIn(sent)),
    );
    for (const response of responses) assert.equal(response.status, 401, response.text);
  });

  test('random credentials cause no server error', async () => {
    const value = fc.oneof(fc.string({ unit: 'binary', maxLength: 100 }), fc.jsonValue({ maxDepth: 2 }));
    const tryOne = async (credentials: object) => {
      const response = await badInput(JSON.stringify(credentials), signIn(credentials));
      assert.ok(response.status === 400 || response.status === 401, response.text);
    };
    // As many as one network may have in the queue.
    await checkInBatches(fc.record({ email: value, password: value }), fastCheckSettings(30, 3), tryOne, 8);
  });
});

describe('admin-auth with its limits', () => {
  let product: AbusedProduct;
  before(async () => {
    product = await sharedProduct('behind a proxy');
  });

  const signInFrom = (address: string, body: unknown) =>
    product.call('admin-auth', body, { host: BEHIND_PROXY.ADMIN_HOST, 'x-forwarded-for': address });

  test('of 200 concurrent attempts of one IP a few are checked, the others get a retry time, also with a spoofed X-Forwarded-For', async () => {
    await roomInWindow(30);
    const responses = await Promise.all(Array.from({ length: 200 }, () => signInFrom('192.0.2.1', WRONG)));
    count('badInputs', responses.length);
    const statuses = (status: number) => responses.filter((response) => response.status === status);
    const limited = statuses(429);
    assert.equal(statuses(401).length, 5);
    assert.ok(limited.length > 0);
    // One IP has 8 attempts in flight.
    assert.equal(statuses(503).length, 195 - limited.length);
    for (const { headers } of statuses(503)) assert.ok(Number(headers['retry-after']) > 0);
    for (const response of limited) {
      const seconds = Number(response.headers['retry-after']);
      assert.ok(seconds > 0);
      assert.equal(jsonOf(response).minutes, Math.ceil(seconds / 60));
      assert.match(String(jsonOf(response).error), /Please try again in (a minute|\d+ minutes)\.$/);
    }
    // Entries before the proxy's own are the client's.
    const response = await badInput('a forged address', signInFrom('198.51.100.9, 192.0.2.1', WRONG));
    assert.equal(response.status, 429);
  });

  test('an account attacked from 20 IPs still accepts its owner', async () => {
    // The longest window of these limits.
    await roomInWindow(40, 900);
    // A few at a time: each try costs the server a hash, and this is about limits, not about its speed.
    const attackers = Array.from({ length: 60 }, (_, number) => `203.0.113.${number % 20}`);
    const responses = await mapConcurrently(attackers, (address) => signInFrom(address, WRONG));
    count('badInputs', attackers.length);
    const limited = responses.filter(({ status }) => status === 429);
    for (const { headers } of limited) assert.ok(Number(headers['retry-after']) > 0);
    // They are of one network, which has so many for the account.
    assert.deepEqual([limited.length, responses.filter(({ status }) => status === 401).length], [55, 5]);
    owner(await signInFrom('198.51.100.77', ADMIN));
  });

  test('rejected attempts in flight, each for 600 ms, keep no known device waiting', async () => {
    const { device } = jsonOf(owner(await signInFrom('198.51.101.1', ADMIN)));
    assert.equal(typeof device, 'string');
    const ips = ['192.0.3.20', '192.0.3.21', '2001:db8:ffff:1::1', '2001:db8:ffff:2::1'];
    const attempts = Array.from({ length: 300 }, (_, number) =>
      signInFrom(ips[number % ips.length] ?? '', { ...ADMIN, password: `guess ${number}` }),
    );
    for (const from of ['198.51.102.1', '198.51.103.1']) {
      const started = performance.now();
      owner(await signInFrom(from, { ...ADMIN, device }));
      const took = performance.now() - started;
      assert.ok(took < KNOWN_DEVICE_MS, `${Math.round(took)} ms`);
    }
    const statuses = new Set((await Promise.all(attempts)).map(({ status }) => status));
    count('badInputs', attempts.length);
    for (const status of statuses) assert.ok([401, 429, 503].includes(status), String(status));
  });

  test('failed refreshes of the owner’s IP do not end the owner’s session', async () => {
    const from = '198.51.104.1';
    const { session } = jsonOf(owner(await signInFrom(from, ADMIN)));
    const refresh = (refresh_token: string) =>
      product.request({
        method: 'POST',
        path: '/auth/v1/token?grant_type=refresh_token',
        headers: {
          host: BEHIND_PROXY.ADMIN_HOST,
          apikey: PUBLIC_KEY,
          'content-type': 'application/json',
          'x-forwarded-for': from,
        },
        body: JSON.stringify({ refresh_token }),
      });
    for (let time = 0; time < 20; time += 1) {
      assert.equal((await badInput('a refresh', refresh(randomUUID()))).status, 400);
    }
    const limited = await refresh(randomUUID());
    assert.deepEqual([limited.status, jsonOf(limited).code], [503, 'too_many_requests']);
    const own = await refresh((session as { refresh_token: string }).refresh_token);
    assert.equal(own.status, 200, own.text);
  });
});

function owner(response: HttpResponse): HttpResponse {
  count('ownerSignIns');
  if (response.status !== 200) count('ownerLockedOut');
  assert.equal(response.status, 200, response.text);
  return response;
}

/** Everything of a response that could distinguish two rejections. */
function appearanceOf({ status, headers, text }: HttpResponse): string {
  const { 'x-request-id': _id, date: _date, ...others } = headers;
  const { request_id: _, ...body } = JSON.parse(text) as Record<string, unknown>;
  return `${status} ${JSON.stringify(body)} ${JSON.stringify(others)} ${text.length}`;
}
