import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import type { Call } from '../api/call.ts';
import { idOf, MOVE_KINDS, offerOf } from './dashboard.fixture.ts';
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

for (const kind of MOVE_KINDS) {
  test(`after ${kind} an amount has changed where a move named another one`, () => {
    const offer = offerOf(1, { offer_amount: '$3,900 ' });
    const { at } = LAST;
    for (const [amount, expected] of [
      [undefined, undefined],
      [' $3,900', undefined],
      ['$3,900.00', { kind, at, amount: '$3,900.00' }],
      ['$4,200', { kind, at, amount: '$4,200' }],
    ] as const)
      assert.deepEqual(changedAmount(offer, { kind, at, ...(amount && { amount }) }), expected);
  });
}

test('an offer without moves is as entered', () =>
  assert.equal(changedAmount(offerOf(1), undefined), undefined));
