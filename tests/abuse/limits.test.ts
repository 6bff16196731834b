/** Attacks that use up limits: they make the work harder and block no domain and no customer. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Challenge, costOfStep, MAX_STEP } from '#contract/bot-check.ts';
import { type HttpResponse, jsonOf, sendRequest } from '../support/http-client.ts';
import { type AbusedProduct, functionCall, startAbused } from './abused-product.ts';
import { dataKeys } from './data-keys.ts';
import { mapConcurrently } from './map-concurrently.ts';
import { encodeProof, proofMaker, solve, solveProof } from './proofs.ts';
import { count } from './report.ts';
import { roomInWindow } from './room-in-window.ts';
import { runsOf } from './short-form.ts';
import { storedOffers } from './stored-offers.ts';

/** An hour's limit for one domain is 60 offers; each further 60 double the work. */
const OFFERS_PER_STEP = 60;
const HOUR_SECONDS = 3_600;
/** Offers that are held in a day: of a domain, in it of networks that hold one already, of an IPv4 and of its /24. */
const MAX_HELD = 500;
const MAX_HELD_AGAIN = 250;
const MAX_HELD_OF_SENDER = 25;
const MAX_HELD_OF_NETWORK = 50;
/** The longest wait that a rejected offer may name: the domain's limit counts by the hour. */
const MAX_WAIT_SECONDS = HOUR_SECONDS;

describe('the limits of offers', () => {
  let product: AbusedProduct;
  let makeProof: ReturnType<typeof proofMaker>;
  before(async () => {
    product = await startAbused({ env: { RATE_LIMIT_SCALE: '1', TRUSTED_PROXIES: '1' } });
    makeProof = proofMaker(dataKeys(product.dataDir).secretKey);
  });
  after(() => product.stop());

  const submit = (from: string, offer: object, token: string): Promise<HttpResponse> => {
    const headers = { 'x-forwarded-for': from };
    return sendRequest(
      product.port,
      functionCall('order-submit', { ...OFFER, ...offer, turnstile_token: token }, headers),
    );
  };
  /** Solves a harder challenge and sends the same offer again, as the page does. */
  const submitAsVisitor = async (from: string, offer: object): Promise<HttpResponse> => {
    const first = await submit(from, offer, await solveProof(product.port));
    const { code, challenge } = jsonOf(first) as { code?: string; challenge?: Challenge };
    if (code !== 'harder_check' || challenge === undefined) return first;
    assert.equal(challenge.parameters.cost, costOfStep(MAX_STEP), 'the hardest work there is');
    return await submit(from, offer, encodeProof(await solve(challenge)));
  };
  /** Attacks from so many networks. */
  const attack = async (offers: number, networks: number) => {
    const numbers = Array.from({ length: offers }, (_, number) => number);
    const responses = await mapConcurrently(numbers, async (number) => {
      // One customer per offer, and the hardest work.
      const token = encodeProof(await makeProof({ step: MAX_STEP }));
      const email = `attacker${number}@example.com`;
      return await submit(
        `203.0.113.${number % networks}`,
        { customer_email: email, customer_name: 'Attacker' },
        token,
      );
    });
    for (const response of responses) assert.equal(response.status, 201, response.text);
    count('acknowledged', offers);
  };

  test('an attack on one domain makes its offers harder, and rejects none', {
    timeout: 300_000,
  }, async () => {
    await roomInWindow(120, HOUR_SECONDS);
    await attack(OFFERS_PER_STEP * (MAX_STEP + 1), 3);
    const visitor = await submitAsVisitor('198.51.100.1', { customer_name: 'Visitor of an attacked domain' });
    assert.equal(visitor.status, 201, visitor.text);
    count('acknowledged');
    const stored = await storedOffers(product);
    const offer = stored.find(({ customer_name }) => customer_name === 'Visitor of an attacked domain');
    count('lost', offer ? 0 : 1);
    assert.equal(offer?.held, true, 'beyond the hardest step an offer is held');
    assert.equal(offer.status, 'pending');
  });

  test('offers with a customer’s email make the customer’s own neither harder nor held', async () => {
    const offer = { customer_email: 'customer@example.com', domain_name: 'site.example' };
    const offerOf = async (from: string, customer_name: string) => {
      const proof = encodeProof(await makeProof({ domain: 'site.example' }));
      const response = await submit(from, { ...offer, customer_name }, proof);
      assert.equal(response.status, 201, response.text);
      count('acknowledged');
    };
    for (let number = 0; number < 50; number += 1) await offerOf(`192.0.2.${number}`, 'Attacker');
    await offerOf('198.51.100.2', 'Customer of an attacked email');
    const stored = await storedOffers(product);
    const own = stored.find(({ customer_name }) => customer_name === 'Customer of an attacked email');
    assert.equal(own?.held, false);
  });

  const offerFrom = async (from: string, token?: string) =>
    submit(
      from,
      { customer_email: `${from}@example.com` },
      token ?? encodeProof(await makeProof({ step: MAX_STEP })),
    );
  const rejects = (over: HttpResponse) => {
    assert.equal(over.status, 429, over.text);
    const wait = Number(over.headers['retry-after']);
    assert.ok(wait > 0 && wait <= MAX_WAIT_SECONDS, `${wait} s`);
  };

  test('one sender and its /24 fill only their own shares of the held offers', {
    timeout: 120_000,
  }, async () => {
    // The domain is past its hardest step since the first test.
    for (let number = 0; number < MAX_HELD_OF_NETWORK; number += 1) {
      if (number === MAX_HELD_OF_SENDER) rejects(await offerFrom('192.0.2.200'));
      const from = number < MAX_HELD_OF_SENDER ? '192.0.2.200' : `192.0.2.${number}`;
      assert.equal((await offerFrom(from)).status, 201);
    }
    rejects(await offerFrom('192.0.2.201'));
    assert.equal((await offerFrom('198.51.101.1')).status, 201);
    count('acknowledged', MAX_HELD_OF_NETWORK + 1);
  });

  test('a proof that was rejected is rejected again without the database', async () => {
    const token = encodeProof(await makeProof({ step: MAX_STEP }));
    rejects(await offerFrom('192.0.2.200', token));
    const again = await mapConcurrently(Array.from({ length: 40 }), () => offerFrom('198.51.102.1', token));
    for (const response of again) rejects(response);
    assert.equal((await offerFrom('198.51.102.1')).status, 201, 'which has room for this sender');
    count('acknowledged');
  });

  test('at most 500 offers of a domain are held in a day', {
    timeout: 300_000,
    skip: runsOf(0, 1) === 1 && 'full form',
  }, async () => {
    // Held in the tests before: the first of 4 networks, and 49 more of one of them.
    let [first, again] = [4, MAX_HELD_OF_NETWORK - 1];
    for (let network = 0; again < MAX_HELD_AGAIN; network += 1) {
      for (let number = 0; number < MAX_HELD_OF_NETWORK && again < MAX_HELD_AGAIN; number += 1) {
        assert.equal((await offerFrom(`10.0.${network}.${number}`)).status, 201);
        if (number === 0) first += 1;
        else again += 1;
      }
    }
    rejects(await offerFrom('198.51.102.2'));
    // The rest is left to networks that hold none.
    const networks = Array.from({ length: MAX_HELD - first - again }, (_, network) => network);
    const responses = await mapConcurrently(networks, (network) => offerFrom(`10.1.${network}.1`));
    for (const response of responses) assert.equal(response.status, 201, response.text);
    count('acknowledged', MAX_HELD - 4 - (MAX_HELD_OF_NETWORK - 1));
    rejects(await offerFrom('203.0.114.1'));
    // Other domains are not concerned, but for what all offers share.
    const other = await submit(
      '198.51.100.3',
      { domain_name: 'host.example', customer_email: 'other@example.com' },
      encodeProof(await makeProof({ step: MAX_STEP, domain: 'host.example' })),
    );
    assert.equal(other.status, 201, other.text);
    count('acknowledged');
  });
});

const OFFER = {
  domain_name: 'lap.app',
  offer_amount: '$1',
  customer_name: 'Visitor',
  customer_email: 'visitor@example.com',
};
