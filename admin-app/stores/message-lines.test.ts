import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import type { Call } from '../api/call.ts';
import { idOf, offerOf } from './dashboard.fixture.ts';
import { createMessageLines, MAX_IDS } from './message-lines.ts';
import { createSessionCache } from './session-cache.ts';

test('the lines of the list are read in one call, once for the same offers', async (context) => {
  const call = mock.fn(async (_: string, __: { offer_ids: readonly string[] }) => ({ [idOf(0)]: 'Hello' }));
  const { messageLinesQuery } = createMessageLines(call as unknown as Call);
  const { client, clear } = createSessionCache(() => {});
  context.after(clear);
  const offers = Array.from({ length: MAX_IDS + 1 }, (_, n) => offerOf(n));
  for (let n = 0; n < 2; n += 1) {
    assert.deepEqual(await client.query(messageLinesQuery(offers)), { [idOf(0)]: 'Hello' });
  }
  assert.deepEqual(
    call.mock.calls.map(({ arguments: [, { offer_ids }] }) => offer_ids.length),
    [MAX_IDS],
  );
});
