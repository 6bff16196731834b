/** Attacks that use up limits, by those of SECURITY.md's threat model: other people's offers stay in sight, or are held. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type HttpResponse, jsonOf, sendRequest } from '../support/http-client.ts';
import { type AbusedProduct, functionCall, startAbused } from './abused-product.ts';
import { dataKeys } from './data-keys.ts';
import { mapConcurrently } from './map-concurrently.ts';
import { encodeProof, proofMaker, solveProof } from './proofs.ts';
import { count } from './report.ts';
import { roomInWindow } from './room-in-window.ts';
import { runsOf } from './short-form.ts';
import { storedOffers } from './stored-offers.ts';

const HOUR_SECONDS = 3_600;
const TEN_MINUTES_SECONDS = 600;
const DAY_SECONDS = 86_400;
/** Offers of one network for one domain in an hour, beyond which they are held. */
const OF_NETWORK_AND_DOMAIN = 10;
/** Offers for one domain in an hour, beyond which they are held. */
const OF_DOMAIN = 60;
/** Offers that are held in a day: of a network, of a domain, and of a domain by networks that hold one there already. */
const HELD_OF_NETWORK = 50;
const HELD_OF_DOMAIN = 500;
const HELD_AGAIN = 250;

describe('the limits of offers', () => {
  let product: AbusedProduct;
  let makeProof: ReturnType<typeof proofMaker>;
  before(async () => {
    product = await startAbused({ env: { RATE_LIMIT_SCALE: '1', TRUSTED_PROXIES: '1' } });
    makeProof = proofMaker(dataKeys(product.dataDir).secretKey);
  });
  after(() => product.stop());

  const submit = async (from: string, offer: object = {}, token?: string): Promise<HttpResponse> => {
    const { domain_name = 'lap.app' } = offer as { domain_name?: string };
    const turnstile_token = token ?? encodeProof(await makeProof({ domain: domain_name }));
    const body = { ...OFFER, ...offer, turnstile_token };
    return await sendRequest(product.port, functionCall('order-submit', body, { 'x-forwarded-for': from }));
  };
  /** So many offers for a domain from the IPs of a list, in turn; returns how many were stored. */
  const attack = async (offers: number, domain_name: string, ips: readonly string[]): Promise<number> => {
    const numbers = Array.from({ length: offers }, (_, number) => number);
    const responses = await mapConcurrently(numbers, (number) =>
      submit(ips[number % ips.length] ?? '', { domain_name, customer_name: 'Attacker' }),
    );
    for (const response of responses) assert.ok(/^(201|429)$/.test(String(response.status)), response.text);
    const stored = responses.filter(({ status }) => status === 201).length;
    count('acknowledged', stored);
    count('badInputs', offers - stored);
    return stored;
  };
  /** An honest offer for a domain. Returns whether it is held. */
  const isHonestHeld = async (
    from: string,
    domain_name: string,
    customer_email = OFFER.customer_email,
  ): Promise<boolean> => {
    const customer_name = `Visitor from ${from}`;
    const response = await submit(
      from,
      { domain_name, customer_name, customer_email },
      await solveProof(product.port, domain_name),
    );
    assert.equal(response.status, 201, response.text);
    count('acknowledged');
    const offer = (await storedOffers(product)).find((one) => one.customer_name === customer_name);
    count('lost', offer ? 0 : 1);
    assert.equal(offer?.status, 'pending');
    return offer.held ?? false;
  };
  const rejects = (over: HttpResponse, maxWait: number) => {
    assert.deepEqual([over.status, jsonOf(over).code], [429, 'too_many_offers'], over.text);
    const wait = Number(over.headers['retry-after']);
    assert.ok(wait > 0 && wait <= maxWait, `${wait} s`);
    assert.equal(jsonOf(over).minutes, Math.ceil(wait / 60));
  };

  const numbered = (length: number, ip: (number: number) => string) =>
    Array.from({ length }, (_, number) => ip(number));

  test('one IP, one /24 or one /48 with proofs without end leaves an honest offer for the same name unheld', {
    timeout: 300_000,
  }, async () => {
    await roomInWindow(150, HOUR_SECONDS);
    for (const [domain, ips, most] of [
      ['lap.app', ['192.0.2.1'], 20],
      ['site.example', numbered(60, (number) => `198.51.100.${number}`), 80],
      ['host.example', numbered(60, (number) => `2001:db8:0:${number.toString(16)}::1`), 80],
    ] as const) {
      const stored = await attack(120, domain, ips);
      // Those of the network for the domain, and its held ones: the rest is rejected.
      assert.equal(stored, Math.min(most, OF_NETWORK_AND_DOMAIN + HELD_OF_NETWORK), domain);
      rejects(await submit(ips[0] ?? '', { domain_name: domain }), DAY_SECONDS);
      assert.equal(await isHonestHeld(`203.0.113.${most}`, domain), false, domain);
    }
  });

  test('a sender past the limit is rejected with the minutes, for whatever domain, and costs the database nothing', async () => {
    await roomInWindow(30, TEN_MINUTES_SECONDS);
    const from = '192.0.3.1';
    for (let offer = 0; offer < 20; offer += 1) {
      const domain_name = offer % 2 === 0 ? 'sample.app' : 'host.example';
      assert.equal((await submit(from, { domain_name })).status, 201);
    }
    count('acknowledged', 20);
    const responses = await mapConcurrently(Array.from({ length: 40 }), () => submit(from));
    for (const response of responses) rejects(response, TEN_MINUTES_SECONDS);
    assert.equal((await submit('192.0.3.2')).status, 201, 'its neighbour');
    count('acknowledged');
  });

  test('offers with a customer’s email leave the customer’s own unheld', async () => {
    const offer = { customer_email: 'customer@example.com', domain_name: 'site.example' };
    for (let number = 0; number < 40; number += 1) {
      assert.equal((await submit(`10.100.${number}.1`, offer)).status, 201);
    }
    count('acknowledged', 40);
    assert.equal(await isHonestHeld('203.0.113.100', 'site.example', offer.customer_email), false);
  });

  test('a used token that is sent again counts for its sender', async () => {
    await roomInWindow(30, TEN_MINUTES_SECONDS);
    const token = encodeProof(await makeProof());
    const statuses: number[] = [];
    for (let time = 0; time < 22; time += 1) {
      statuses.push((await submit('192.0.4.1', { offer_amount: `$${time}` }, token)).status);
    }
    assert.deepEqual(statuses, [201, ...Array(19).fill(409), 429, 429]);
    count('acknowledged');
  });

  test('an attack from 40 networks leaves an honest offer stored', { timeout: 300_000 }, async () => {
    await roomInWindow(120, HOUR_SECONDS);
    const networks = runsOf(40, 8);
    const ips = numbered(networks, (number) => `10.0.${number}.1`);
    const offers = networks * OF_NETWORK_AND_DOMAIN;
    // All are stored while the domain has room, then the first held one of each network, and a share of the others.
    const most = OF_DOMAIN - OF_NETWORK_AND_DOMAIN + networks + HELD_AGAIN;
    assert.equal(await attack(offers, 'sample.app', ips), Math.min(offers, most));
    assert.equal(await isHonestHeld('203.0.113.200', 'sample.app'), true);
    assert.equal(await isHonestHeld('203.0.113.201', 'lap.app'), false, 'other names are not concerned');
  });

  test('at most 500 offers of a domain are held in a day, half of them of networks that hold none there', {
    timeout: 300_000,
    skip: runsOf(0, 1) === 1 && 'full form',
  }, async () => {
    const heldOf = async () =>
      (await storedOffers(product)).filter(({ held, domain_name }) => held && domain_name === 'sample.app')
        .length;
    // More of the same 40 networks, as many as are held again.
    const again = numbered(40, (number) => `10.0.${number}.2`);
    await attack(HELD_AGAIN + 100, 'sample.app', again);
    const held = await heldOf();
    assert.ok(held < HELD_OF_DOMAIN, String(held));
    rejects(await submit('10.0.0.3', { domain_name: 'sample.app' }), DAY_SECONDS);
    const others = numbered(HELD_OF_DOMAIN - held, (number) => `10.${1 + (number >> 8)}.${number & 255}.1`);
    assert.equal(await attack(others.length, 'sample.app', others), others.length);
    assert.equal(await heldOf(), HELD_OF_DOMAIN);
    rejects(await submit('203.0.114.1', { domain_name: 'sample.app' }), DAY_SECONDS);
  });
});

const OFFER = {
  domain_name: 'lap.app',
  offer_amount: '$1',
  customer_name: 'Visitor',
  customer_email: 'visitor@example.com',
};
