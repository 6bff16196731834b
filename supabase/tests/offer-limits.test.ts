/**
 * Floods of offers against the limits as they are (SECURITY.md): other people's offers stay in sight, or are held. On one
 * database, PostgreSQL where it is installed: how each counts is tested in offer-intake.test.ts.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import { senderOf } from '../functions/_shared/contract/ip-networks.ts';
import type { Limit } from '../functions/_shared/rate-limits.ts';
import { readSettings } from '../functions/_shared/settings.ts';
import { offerLimits } from '../functions/order-submit/limits.ts';
import { OWNER, openStage, publish, type Stage, type Submission, submit, WINDOW } from './cast.ts';
import { ENGINES, type EngineChoice, type Row } from './engines.ts';

const SETTINGS = readSettings({ SUPABASE_URL: 'http://localhost', SUPABASE_SECRET_KEY: 'sb_secret_t' });
const DOMAINS = ['lap.app', 'site.example', 'host.example', 'crowded.example', 'other.example'];
/** Offers of one IP in 10 minutes. */
const OF_IP = 20;
/** Offers of one network for one domain in an hour, beyond which they are held. */
const OF_NETWORK_AND_DOMAIN = 10;
/** Offers for one domain in an hour, beyond which they are held. */
const OF_DOMAIN = 60;
/** Offers that are held in a day: of a network, of a domain, and of a domain by networks that hold one there already. */
const HELD_OF_NETWORK = 50;
const HELD_OF_DOMAIN = 500;
const HELD_AGAIN = 250;

describe('floods of offers', () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage(engine());
    await publish(
      stage,
      DOMAINS.map((name) => ({ name })),
    );
  });
  after(() => stage.close());
  beforeEach(() => stage.as(OWNER, 'delete from private.rate_limits'));

  /** An offer from an IP with the limits of order-submit. No window ends during a test. */
  const offer = (ip: string, domain: string, more: Submission = {}) => {
    const client = { address: ip, ...senderOf(ip) };
    const lists = Object.entries(offerLimits(SETTINGS, domain, client)) as [string, Limit[]][];
    const limits = Object.fromEntries(
      lists.map(([list, all]) => [list, all.map((limit) => ({ ...limit, window: WINDOW }))]),
    );
    return submit(stage, { domain, limits, ...more });
  };
  /** So many offers from the IPs of a list, in turn; returns how many were stored. */
  const flood = async (offers: number, domain: string, ips: readonly string[]) => {
    const outcomes = await Promise.all(
      Array.from({ length: offers }, (_, number) => offer(ips[number % ips.length] ?? '', domain)),
    );
    const stored = outcomes.filter(({ outcome }) => outcome === 'stored').length;
    assert.equal(outcomes.filter(({ outcome }) => outcome === 'limited').length, offers - stored);
    return stored;
  };
  const isHeld = async ({ outcome, id }: Row) => {
    assert.equal(outcome, 'stored');
    const [row] = await stage.as(OWNER, 'select held, status from public.offers where id = $1', [id]);
    assert.equal(row?.status, 'pending');
    return row?.held;
  };
  const heldOf = (domain: string) =>
    stage.value(OWNER, 'select count(*)::integer from public.offers where held and domain_name = $1', [
      domain,
    ]);
  const numbered = (length: number, ip: (number: number) => string) =>
    Array.from({ length }, (_, number) => ip(number));

  test('one IP, one /24 or one /48 with proofs without end leaves an honest offer for the same name unheld', async () => {
    for (const [domain, ips, most] of [
      ['lap.app', ['192.0.2.1'], OF_IP],
      ['site.example', numbered(60, (number) => `198.51.100.${number}`), 80],
      ['host.example', numbered(60, (number) => `2001:db8:0:${number.toString(16)}::1`), 80],
    ] as const) {
      // Those of the network for the domain, and its held ones: the rest is rejected.
      const stored = Math.min(most, OF_NETWORK_AND_DOMAIN + HELD_OF_NETWORK);
      assert.equal(await flood(120, domain, ips), stored, domain);
      assert.equal((await offer(ips[0] ?? '', domain)).outcome, 'limited');
      assert.equal(await isHeld(await offer(`203.0.113.${most}`, domain)), false, domain);
    }
  });

  test('a sender past the limit is rejected for whatever domain, and its neighbour is not', async () => {
    for (let number = 0; number < OF_IP; number += 1) {
      const domain = number % 2 === 0 ? 'other.example' : 'host.example';
      assert.equal((await offer('192.0.3.1', domain)).outcome, 'stored');
    }
    for (const domain of DOMAINS) {
      const { outcome, wait, full } = await offer('192.0.3.1', domain);
      assert.deepEqual([outcome, full], ['limited', { 'submit.ip': wait }], domain);
    }
    assert.equal((await offer('192.0.3.2', 'lap.app')).outcome, 'stored');
  });

  test('offers with a customer’s email leave the customer’s own unheld', async () => {
    const email = 'customer@example.com';
    for (let number = 0; number < 40; number += 1) {
      assert.equal((await offer(`10.100.${number}.1`, 'site.example', { email })).outcome, 'stored');
    }
    assert.equal(await isHeld(await offer('203.0.113.100', 'site.example', { email })), false);
  });

  test('a used token that is sent again counts for its sender', async () => {
    const token = randomUUID();
    const outcomes: unknown[] = [];
    for (let time = 0; time < 22; time += 1) {
      outcomes.push((await offer('192.0.4.1', 'lap.app', { token, payload: `texts ${time}` })).outcome);
    }
    assert.deepEqual(outcomes, ['stored', ...Array(19).fill('conflict'), 'limited', 'limited']);
  });

  test('an attack from 40 networks leaves an honest offer stored, and 500 of a domain are held in a day', async () => {
    const domain = 'crowded.example';
    const networks = 40;
    const ips = numbered(networks, (number) => `10.0.${number}.1`);
    // All are stored while the domain has room, then the first held one of each network, and a share of the others.
    const offers = networks * OF_NETWORK_AND_DOMAIN;
    const stored = await flood(offers, domain, ips);
    assert.equal(stored, Math.min(offers, OF_DOMAIN + networks + HELD_AGAIN));
    assert.equal(await isHeld(await offer('203.0.113.200', domain)), true);
    assert.equal(await isHeld(await offer('203.0.113.201', 'other.example')), false, 'other names');

    // More of the same networks, as many as are held again.
    await flood(
      HELD_AGAIN + 100,
      domain,
      numbered(networks, (number) => `10.0.${number}.2`),
    );
    const held = Number(await heldOf(domain));
    assert.ok(held < HELD_OF_DOMAIN, String(held));
    assert.equal((await offer('10.0.0.3', domain)).outcome, 'limited');
    const left = HELD_OF_DOMAIN - held;
    assert.equal(
      await flood(
        left,
        domain,
        numbered(left, (number) => `10.${1 + (number >> 8)}.${number & 255}.1`),
      ),
      left,
    );
    assert.equal(await heldOf(domain), HELD_OF_DOMAIN);
    assert.equal((await offer('203.0.114.1', domain)).outcome, 'limited');
  });
});

/** The last one that is installed. */
function engine(): EngineChoice {
  const installed = ENGINES.findLast(({ missing }) => missing === false);
  assert.ok(installed);
  return installed;
}
