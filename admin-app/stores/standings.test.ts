import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import type { Call } from '../api/call.ts';
import { idOf, offerOf } from './dashboard.fixture.ts';
import { createSessionCache } from './session-cache.ts';
import { changedAmount, createStandings, MAX_IDS } from './standings.ts';

const LAST = { kind: 'counter', at: '2026-11-20T00:00:00Z', amount: '$4,200' };

test('the standings of all offers of the list are read, in calls of a limited size', async (context) => {
  const call = mock.fn(async (_: string, { offer_ids }: { offer_ids: readonly string[] }) => ({
    [offer_ids[0] ?? '']: LAST,
  }));
  const { standingsQuery } = createStandings(call as unknown as Call);
  const { client, clear } = createSessionCache(() => {});
  context.after(clear);
  const offers = Array.from({ length: MAX_IDS + 1 }, (_, n) => offerOf(n));
  assert.deepEqual(await client.query(standingsQuery(offers)), { [idOf(0)]: LAST, [idOf(MAX_IDS)]: LAST });
  assert.deepEqual(
    call.mock.calls.map(({ arguments: [, { offer_ids }] }) => offer_ids.length),
    [MAX_IDS, 1],
  );
});

test('an amount has changed where a move named another one, and is agreed after an acceptance', () => {
  const offer = offerOf(1, { offer_amount: '$3,900' });
  assert.equal(changedAmount(offer, undefined), undefined);
  assert.equal(changedAmount(offer, { kind: 'decline', at: LAST.at }), undefined);
  assert.equal(changedAmount(offer, { ...LAST, amount: ' $3,900' }), undefined);
  assert.deepEqual(changedAmount(offer, LAST), { amount: '$4,200', isAgreed: false });
  assert.deepEqual(changedAmount(offer, { ...LAST, kind: 'accept' }), { amount: '$4,200', isAgreed: true });
});
