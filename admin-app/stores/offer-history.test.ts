import assert from 'node:assert/strict';
import { afterEach, mock, test } from 'node:test';
import type { Call } from '../api/call.ts';
import { idOf } from './dashboard.fixture.ts';
import { createOfferHistory } from './offer-history.ts';
import { createSessionCache } from './session-cache.ts';

const [ID, OTHER] = [idOf(0), idOf(1)];
const CHANGES = [{ old_status: 'pending', new_status: 'accepted' }];

afterEach(() => mock.restoreAll());

function historyOf(changes: unknown = CHANGES, message: unknown = {}) {
  mock.method(console, 'error', () => {});
  const call = mock.fn(async (name: string, _: object) => (name === 'offer_history' ? changes : message));
  const cache = createSessionCache(() => {});
  const store = createOfferHistory(call as unknown as Call, cache);
  const read = () => cache.client.query(store.historyQuery(ID)).finally(cache.clear);
  return { ...store, ...cache, call, read };
}

for (const [found, message, confirmationRejected] of [
  [{ message: null }, null, null],
  [{ message: 'Hello' }, 'Hello', null],
  [{ message: null, confirmation_rejected: '550' }, null, '550'],
  [{ message: 'Hello', confirmation_rejected: '550' }, 'Hello', '550'],
] as const)
  test(`a history has changes, message and rejection: ${JSON.stringify(found)}`, async () => {
    const { read, call } = historyOf(CHANGES, found);
    assert.deepEqual(await read(), { message, confirmationRejected, changes: CHANGES });
    assert.deepEqual(
      call.mock.calls.map(({ arguments: given }) => given.slice(0, 2)),
      [
        ['offer_history', { offer_id: ID }],
        ['offer_message', { offer_id: ID }],
      ],
    );
  });

test('rows are opened and closed each for itself, and closed by the end of the session', () => {
  const { $open, openHistory, toggleHistory, clear } = historyOf();
  const open = () => [...$open.get()];
  toggleHistory(ID);
  openHistory(ID);
  openHistory(OTHER);
  assert.deepEqual(open(), [ID, OTHER]);
  const before = $open.get();
  toggleHistory(ID);
  assert.deepEqual([open(), [...before]], [[OTHER], [ID, OTHER]]);
  toggleHistory(ID);
  assert.deepEqual(open(), [OTHER, ID]);
  clear();
  assert.deepEqual(open(), []);
});
