/** The demo is the first look at the dashboard: its offers are such as an owner gets, and nothing in it has waited too long. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { priceOf, readAmount } from '#contract/price-of.ts';
import { loadCatalogue } from '../../src/catalogue/load.ts';
import { minimumOf } from '../../src/catalogue/minimum.ts';
import { describeAge } from './demo-folder.ts';
import { DEMO_CATALOGUE, DEMO_NAMES, DEMO_OFFERS } from './demo-offers.ts';

const { domains } = loadCatalogue(DEMO_CATALOGUE);

test('twelve names have a price, and the one with a deal is reserved', () => {
  assert.equal(domains.length, 12);
  assert.deepEqual(domains.map(({ name }) => name).sort(), DEMO_NAMES.toSorted());
  for (const { name, price = '' } of domains) assert.ok(priceOf(price, undefined), name);
  const reserved = domains.filter(({ state }) => state === 'reserved').map(({ name }) => name);
  assert.deepEqual(
    DEMO_OFFERS.filter(({ deal }) => deal).map(({ domain }) => domain),
    reserved,
  );
});

test('offers are 30 to 110 % of the price, and the low one alone is below the minimum', () => {
  for (const { domain, amount, moves = [], mark } of DEMO_OFFERS) {
    const entry = domains.find(({ name }) => name === domain);
    assert.ok(entry, domain);
    const price = priceOf(entry.price ?? '', undefined);
    const read = (text: string) => readAmount(text, { currency: price?.currency, currencies: undefined });
    for (const text of [amount, ...moves.flatMap((move) => move.amount ?? [])]) {
      const share = Number(read(text)?.amount) / Number(price?.amount);
      assert.ok(share >= 0.3 && share <= 1.1, `${text} for ${domain}: ${share}`);
    }
    const minimum = Number(minimumOf(entry, undefined)?.amount);
    assert.equal(Number(read(amount)?.amount) < minimum, mark === 'low', `${amount} for ${domain}`);
  }
});

test('14 offers of ten days: none is overdue, and one of each kind is there', () => {
  assert.equal(DEMO_OFFERS.length, 14);
  for (const { ago, moves = [], rejectedAgo = ago, email } of DEMO_OFFERS) {
    assert.ok(ago < 240);
    const times = [ago, ...moves.map((move) => move.ago)];
    assert.deepEqual(
      times.toSorted((a, b) => b - a),
      times,
    );
    assert.ok(rejectedAgo <= ago);
    assert.match(email, /@(?:example\.com|[a-z-]+\.example)$/);
  }
  const count = (has: (offer: (typeof DEMO_OFFERS)[number]) => unknown) => DEMO_OFFERS.filter(has).length;
  assert.equal(
    count(({ message }) => message),
    3,
  );
  assert.equal(
    count(({ deal }) => deal),
    1,
  );
  assert.equal(
    count(({ mark }) => mark === 'low'),
    1,
  );
  assert.equal(
    count(({ mark }) => mark === 'held'),
    1,
  );
  const lastOf = (moves: readonly { kind: string; ago: number }[] = []) => moves.at(-1);
  const open = DEMO_OFFERS.filter(({ moves }) => ['counter', 'offer'].includes(lastOf(moves)?.kind ?? ''));
  assert.equal(open.length, 2);
  // The promise is 24 hours.
  for (const { ago, moves = [], rejectedAgo } of DEMO_OFFERS) {
    const last = moves.at(-1) ?? { kind: 'offer', ago };
    const waits = last.kind === 'offer' && rejectedAgo === undefined;
    assert.ok(!waits || last.ago < 20, `overdue after ${last.ago} h`);
    assert.ok(last.kind !== 'counter' || ('days' in last && last.ago < 24 * (last.days ?? 0)));
  }
});

test('a demo that was made days ago says how to make it anew', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'demo-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'secrets.json');
  writeFileSync(file, '{}');
  assert.equal(describeAge(folder, Date.now()), undefined);
  const made = Date.now() / 1_000 - 10.5 * 24 * 3_600;
  utimesSync(file, made, made);
  assert.match(
    describeAge(folder, Date.now()) ?? '',
    /^The offers of \.data-demo were made 10 days ago, .* overdue\. For new ones, end npm run demo and remove that folder\.$/,
  );
});
