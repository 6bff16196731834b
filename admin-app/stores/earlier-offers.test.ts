import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Offer } from '#contract/offer.ts';
import { isListed, withGroups } from './earlier-offers.ts';

const offerOf = (
  id: string,
  customer_email = 'bea@example.com',
  status = 'pending',
  domain_name = 'lap.app',
) => ({ id, customer_email, status, domain_name }) as Offer;
const idsOf = (offers: Offer[]) =>
  withGroups(offers).map(({ offer, group, earlier }) => `${offer.id}${group ? '*' : ''}${earlier || ''}`);

test('open offers of one email for one name follow the newest of them', () => {
  assert.deepEqual(
    idsOf([
      offerOf('new'),
      offerOf('other', 'ada@example.com'),
      offerOf('middle', 'Bea@Example.com ', 'negotiating'),
      offerOf('elsewhere', 'bea@example.com', 'pending', 'host.example'),
      offerOf('old'),
    ]),
    ['new*2', 'middle*', 'old*', 'other', 'elsewhere'],
  );
});

test('offers that are not open stand alone', () => {
  assert.deepEqual(
    idsOf([offerOf('a', undefined, 'rejected'), offerOf('b'), offerOf('c', undefined, 'accepted')]),
    ['a', 'b', 'c'],
  );
});

test('an earlier offer is listed once its group is shown, and while it is open or waits for the owner', () => {
  const [newest, earlier] = withGroups([offerOf('new'), offerOf('old')]);
  assert.ok(newest?.group && earlier);
  const none = { shown: new Set<string>(), open: new Set<string>(), waits: () => false };
  assert.deepEqual(
    [newest, earlier].map((one) => isListed(one, none)),
    [true, false],
  );
  for (const change of [
    { shown: new Set([newest.group]) },
    { open: new Set(['old']) },
    { waits: ({ id }: Offer) => id === 'old' },
  ])
    assert.equal(isListed(earlier, { ...none, ...change }), true, Object.keys(change)[0]);
});
