/** Forged and guessed tokens, and hostile texts, in calls of a negotiation. */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { NegotiationSchema } from '#contract/negotiation.ts';
import { readAllOffers, seedOffers } from '../support/calls.ts';
import { jsonOf } from '../support/http-client.ts';
import { PUBLIC_KEY } from '../support/product.ts';
import { signIn } from './abused-product.ts';
import { badInput } from './bad-input.ts';
import { forgedTokens } from './forged-tokens.ts';
import { PLANTED_OFFER } from './leaks.ts';
import { ask } from './owner.ts';
import { count } from './report.ts';
import { sharedProduct } from './shared-product.ts';
import { runsOf } from './short-form.ts';

describe('links and calls of a negotiation', () => {
  test('guessed tokens open nothing and meet the limit; forged sessions and other origins do nothing', async () => {
    const product = await sharedProduct('with limits');
    await seedOffers(product, 2);
    // Not an offer of another test, whose texts no response may hold.
    const [{ id } = { id: '' }, other] = (await readAllOffers(product)).filter(
      ({ customer_name }) => customer_name !== PLANTED_OFFER.customer_name,
    );
    const link = async (offer_id: string | undefined) =>
      String(NegotiationSchema.parse(jsonOf(await ask(product, { offer_id, new_link: true }))).link).split(
        '#',
      )[1];
    const token = await link(id);
    const body = { offer_id: id, move: { kind: 'accept', seen: 1 } };

    const forgeries = forgedTokens(randomUUID(), await signIn(product.port));
    for (const forged of [...Object.values(forgeries), PUBLIC_KEY, token ?? '']) {
      const response = await product.call('negotiation', body, { authorization: `Bearer ${forged}` });
      count('unauthorised', Number(response.status !== 401));
      assert.equal(response.status, 401, response.text);
    }
    for (const host of ['lap.app', 'evil.example']) {
      const response = await ask(product, body, { origin: `https://${host}` });
      count('unauthorised', Number(response.status !== 403));
      assert.equal(response.status, 403, `${host} ${response.text}`);
    }
    const foreign = await product.call('negotiation', { token }, { origin: 'https://evil.example' });
    assert.equal(foreign.status, 403);
    for (const odd of [
      '',
      '[]',
      '{"token":1}',
      `{"token":"${token}","offer_id":"${id}"}`,
      `{"token":"${token}","new_link":true}`,
      `{"token":"${token}","move":{"kind":"close","seen":1}}`,
      `{"token":"${token}","move":{"kind":"offer","seen":1,"amount":"a\\r\\nBcc: x"}}`,
      `{"token":"${token}","move":{"kind":"offer","seen":1e99,"amount":"1"}}`,
      `{"token":"${token}","move":{"kind":"offer","seen":2147483648,"amount":"1"}}`,
      `{"token":"${token}","move":{"kind":"withdraw","seen":1,"__proto__":{"x":1}}}`,
      `{"token":"${'x'.repeat(17_000)}"}`,
    ]) {
      const response = await badInput(odd.slice(0, 80), product.call('negotiation', odd));
      assert.ok(response.status >= 400, `${odd.slice(0, 80)} ${response.status}`);
    }
    const state = NegotiationSchema.parse(jsonOf(await product.call('negotiation', { token })));
    assert.equal(state.seen, 1, 'nothing moved');
    assert.ok(!('link' in state) && !('had_mail' in state));
    assert.notEqual(await link(other?.id), token);

    const first = windowNow();
    const guesses = runsOf(1_000, 100);
    const statuses = new Map<number, number>();
    // More of them where a window ended in their middle, so that none is full.
    const isEnough = (made: number) => made >= guesses && (statuses.has(429) || made >= 2 * guesses);
    for (let guess = 0; !isEnough(guess); guess += 1) {
      const { status } = await product.call('negotiation', { token: randomBytes(16).toString('hex') });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    assert.deepEqual([...statuses.keys()], [404, 429]);
    assert.ok((statuses.get(404) ?? 0) <= 60 * (windowNow() - first + 1), 'more than 60 in ten minutes');
    assert.equal((await product.call('negotiation', { token })).status, 200, 'a valid token is not limited');
  });
});

/** Number of the limit's window of ten minutes: the calls of a slow machine take more than one. */
function windowNow(): number {
  return Math.floor(Date.now() / 600_000);
}
