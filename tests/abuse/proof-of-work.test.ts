/** The proof of work: good once, for one domain, in time and unchanged, in however many ways it is written. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Proof } from '#contract/bot-check.ts';
import { jsonOf } from '../support/http-client.ts';
import type { AbusedProduct } from './abused-product.ts';
import { badInput } from './bad-input.ts';
import { dataKeys } from './data-keys.ts';
import { PLANTED_OFFER } from './leaks.ts';
import { encodeProof, fetchChallenge, proofMaker, solve } from './proofs.ts';
import { count } from './report.ts';
import { sharedProduct } from './shared-product.ts';
import { storedOffers } from './stored-offers.ts';

describe('the proof of work', () => {
  let product: AbusedProduct;
  let makeProof: ReturnType<typeof proofMaker>;
  let solved: Proof;

  before(async () => {
    product = await sharedProduct();
    makeProof = proofMaker(dataKeys(product.dataDir).secretKey);
    solved = await solve(await fetchChallenge(product.port));
  });

  const submit = (turnstile_token: string, change: object = {}) =>
    product.call('order-submit', { ...PLANTED_OFFER, ...change, turnstile_token });
  const rejects = async (what: string, proof: unknown, code = 'bot_check_failed') => {
    const response = await badInput(what, submit(encodeProof(proof)));
    assert.equal(jsonOf(response).code, code, what);
  };

  test('a solved proof of work in any encoding is accepted for one offer', async () => {
    const before = (await storedOffers(product)).length;
    const first = await submit(encodeProof(solved));
    assert.equal(first.status, 201, first.text);
    count('acknowledged');
    for (const [what, token] of Object.entries(sameProofs(solved))) {
      const same = await badInput(what, submit(token));
      assert.equal(same.status, 200, `${what}: ${same.text}`);
      assert.equal(jsonOf(same).id, jsonOf(first).id);
      const other = await badInput(what, submit(token, { offer_amount: 'another' }));
      assert.equal(other.status, 409, `${what}: ${other.text}`);
    }
    for (const [what, token] of Object.entries(otherProofs(solved))) {
      for (const change of [{}, { offer_amount: 'another' }]) {
        const other = await badInput(what, submit(token, change));
        assert.equal(jsonOf(other).code, 'bot_check_failed', what);
      }
    }
    const stored = (await storedOffers(product)).length - before;
    count('doubled', stored - 1);
    assert.equal(stored, 1);
  });

  test('50 concurrent copies of an offer are stored once and get the same id', async () => {
    const token = encodeProof(await makeProof());
    const before = (await storedOffers(product)).length;
    const responses = await Promise.all(Array.from({ length: 50 }, () => submit(token)));
    assert.equal(new Set(responses.map((response) => jsonOf(response).id)).size, 1);
    assert.equal(responses.filter(({ status }) => status === 201).length, 1);
    assert.equal(responses.filter(({ status }) => status === 200).length, 49);
    count('acknowledged');
    assert.equal((await storedOffers(product)).length, before + 1);
  });

  test('of 50 concurrent offers with one token one is stored', async () => {
    const token = encodeProof(await makeProof());
    const before = (await storedOffers(product)).length;
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, number) => submit(token, { offer_amount: `$${number}` })),
    );
    assert.equal(responses.filter(({ status }) => status === 201).length, 1);
    assert.equal(responses.filter(({ status }) => status === 409).length, 49);
    count('acknowledged');
    assert.equal((await storedOffers(product)).length, before + 1);
  });

  test('an expired proof of work, or one for another action, is rejected', async () => {
    await rejects('expired', await makeProof({ secondsLeft: -1 }), 'bot_check_expired');
    await rejects('another action', await makeProof({ action: 'admin-auth' }));
  });

  test('a proof of work for another domain is rejected', async () => {
    await rejects('another domain', await makeProof({ domain: 'sample.app' }));
    const token = encodeProof(await makeProof());
    const response = await badInput('another domain', submit(token, { domain_name: 'sample.app' }));
    assert.equal(jsonOf(response).code, 'bot_check_failed');
  });

  test('a modified proof of work is rejected', async () => {
    const good = await makeProof();
    const { challenge, solution } = good;
    const { parameters, signature } = challenge;
    const changed = (change: object) => ({
      ...good,
      challenge: { signature, parameters: { ...parameters, ...change } },
    });
    await rejects('a later end', changed({ expiresAt: parameters.expiresAt + 3600 }));
    await rejects('no end', changed({ expiresAt: 0 }));
    await rejects('a shorter prefix', changed({ keyPrefix: parameters.keyPrefix.slice(0, 2) }));
    await rejects('another salt', changed({ salt: '00'.repeat(16) }));
    await rejects('another field', changed({ more: true }));
    await rejects('less work', changed({ cost: 1 }));
    await rejects('more work', changed({ cost: 1_024 }));
    await rejects('another domain', changed({ data: { action: 'order-submit', domain: 'sample.app' } }));
    await rejects('another algorithm', changed({ algorithm: 'SHA-1' }));
    await rejects('another action', changed({ data: { action: 'order-submit', more: 1 } }));
    await rejects('no data', changed({ data: null }));
    await rejects('another signature', { ...good, challenge: { parameters, signature: 'f'.repeat(64) } });
    await rejects('the signature in capitals', {
      ...good,
      challenge: { parameters, signature: signature.toUpperCase() },
    });
    await rejects('another solution', { ...good, solution: { ...solution, derivedKey: 'ab'.repeat(32) } });
    await rejects('the mere prefix', {
      ...good,
      solution: { ...solution, derivedKey: parameters.keyPrefix },
    });
    await rejects('no solution', { ...good, solution: { ...solution, derivedKey: '' } });
    await rejects('a count that is none', { ...good, solution: { ...solution, counter: 1.5 } });
    await rejects('unsolved', { challenge: await fetchChallenge(product.port), solution });
  });

  test('a proof of work of another server is rejected', async () => {
    await rejects('another key', await proofMaker('sb_secret_of_another_server')());
    await rejects('no key', await proofMaker('')());
  });
});

/** Other writings of a proof that are still the same proof: order, white space, further fields, other numerals. */
function sameProofs(proof: Proof): Record<string, string> {
  const { challenge, solution } = proof;
  const { parameters, signature } = challenge;
  const reversed = Object.fromEntries(Object.entries(parameters).reverse());
  const text = JSON.stringify(proof);
  const base64 = (json: string) => Buffer.from(json).toString('base64');
  const plain = encodeProof(proof);
  return {
    'another order': encodeProof({ solution, challenge: { signature, parameters: reversed } }),
    'a further field': encodeProof({ ...proof, more: 1 }),
    'a further field of the challenge': encodeProof({ ...proof, challenge: { ...challenge, more: 1 } }),
    'a further field of the solution': encodeProof({ ...proof, solution: { ...solution, time: 5 } }),
    // The key solves the challenge; how often it was tried does not matter.
    'another counter': encodeProof({ ...proof, solution: { ...solution, counter: solution.counter + 1 } }),
    'a blank at the end': base64(`${text} `),
    'a line break at the beginning': base64(`\n${text}`),
    'indented JSON': base64(JSON.stringify(proof, null, 1)),
    'a number with a fraction': base64(text.replace(/"counter":(\d+)/, '"counter":$1.0')),
    'a number with an exponent': base64(text.replace(/"counter":(\d+)/, '"counter":$1e0')),
    'an escaped name': base64(text.replace('"signature"', '"\\u0073ignature"')),
    'a name twice': base64(text.replace('"challenge"', '"challenge":1,"challenge"')),
    'base64 without its end': plain.replace(/=+$/, ''),
    'base64 with blanks': plain.replace(/(.{76})/g, '$1 '),
  };
}

/** Writings that are no proof any more. */
function otherProofs(proof: Proof): Record<string, string> {
  const { solution } = proof;
  return {
    'a key in capitals': encodeProof({
      ...proof,
      solution: { ...solution, derivedKey: solution.derivedKey.toUpperCase() },
    }),
    // With characters of base64url's own, which the plain alphabet lacks.
    base64url: Buffer.from(JSON.stringify({ ...proof, more: '\u{10ffff}>>>???~~~' })).toString('base64url'),
  };
}
