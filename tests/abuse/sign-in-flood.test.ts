/** The owner signs in while others try: with the device that signed in before, and from a new one by a proof of work. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Challenge } from '#contract/bot-check.ts';
import { type Answer, exchange, jsonOf } from '../support/exchange.ts';
import { ADMIN } from '../support/product.ts';
import { type AbusedProduct, functionCall, startAbused } from './abused-product.ts';
import { tries } from './extent.ts';
import { encodeProof, solve } from './proofs.ts';
import { count } from './report.ts';

/** The attack that was tried from outside: 14 sign-ins a second from changing /64 networks. */
const ATTEMPTS_PER_SECOND = 14;

describe('sign-in under a flood', () => {
  let product: AbusedProduct;
  let device: unknown;
  before(async () => {
    product = await startAbused({ env: { RATE_LIMIT_SCALE: '1', TRUSTED_PROXIES: '1' } });
    const first = await signIn('192.0.2.1', ADMIN);
    assert.equal(first.status, 200, first.text);
    device = jsonOf(first).device;
    assert.equal(typeof device, 'string');
  });
  after(() => product.stop());

  const signIn = (from: string, body: object): Promise<Answer> =>
    exchange(product.port, functionCall('admin-auth', body, { 'x-forwarded-for': from }));

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

  const owner = (answer: Answer) => {
    count('ownerSignIns');
    if (answer.status !== 200) count('ownerLockedOut');
    assert.equal(answer.status, 200, answer.text);
  };

  test('the owner gets in each time, with a known device or a proof of work', {
    timeout: 600_000,
  }, async () => {
    const attack = flood();
    // Until the account's own limit and the queue are full.
    await pause(tries(20_000, 6_000));
    for (let time = 0; time < tries(8, 2); time += 1) {
      owner(await signIn(`198.51.100.${time}`, { ...ADMIN, device }));
      // A new device: what the page does by itself.
      const from = `198.51.101.${time}`;
      const refused = await signIn(from, ADMIN);
      if (refused.status === 200) {
        owner(refused);
        continue;
      }
      const { challenge } = jsonOf(refused) as { challenge?: Challenge };
      assert.ok(challenge, `${refused.status}: ${refused.text}`);
      owner(await signIn(from, { ...ADMIN, proof: encodeProof(await solve(challenge)) }));
    }
    await attack.stop();
  });

  test('a device token is bound to its account, unchanged, and opens nothing by itself', async () => {
    const token = String(device);
    for (const changed of [`${token.slice(0, -2)}AA`, token.slice(0, -8), `${token}A`, 'device', '']) {
      const answer = await signIn('192.0.2.9', { ...ADMIN, password: 'not the password', device: changed });
      assert.notEqual(answer.status, 200);
    }
    const wrong = await signIn('192.0.2.10', { ...ADMIN, password: 'not the password', device });
    assert.equal(wrong.status, 401, wrong.text);
    assert.equal(jsonOf(wrong).device, undefined);
  });
});
