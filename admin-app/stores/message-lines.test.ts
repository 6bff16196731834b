import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { MAX_IDS, type MessageLinesApi } from '../api/message-lines.ts';
import { idOf, offerOf } from './dashboard.fixture.ts';
import { createMessageLines } from './message-lines.ts';
import { createSessionCache } from './session-cache.ts';

test('the lines of the list are read in one call, once for the same offers', async (context) => {
  const readMessageLines = mock.fn<MessageLinesApi['readMessageLines']>(async () => ({ [idOf(0)]: 'Hello' }));
  const { messageLinesQuery } = createMessageLines({ readMessageLines });
  const { client, clear } = createSessionCache(() => {});
  context.after(clear);
  const offers = Array.from({ length: MAX_IDS + 1 }, (_, n) => offerOf(n));
  for (let n = 0; n < 2; n += 1) {
    assert.deepEqual(await client.query(messageLinesQuery(offers)), { [idOf(0)]: 'Hello' });
  }
  assert.deepEqual(
    readMessageLines.mock.calls.map(({ arguments: [ids] }) => ids.length),
    [MAX_IDS],
  );
});
