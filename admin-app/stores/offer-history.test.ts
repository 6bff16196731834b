import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import type { OfferHistory, OfferHistoryApi } from '../api/offer-history.ts';
import { SessionEnded } from '../api/with-fresh-token.ts';
import { createOfferHistory } from './offer-history.ts';

beforeEach(() => {
  mock.restoreAll();
  mock.method(console, 'error', () => {});
});

const CHANGE = {
  old_status: 'pending',
  new_status: 'accepted',
  changed_at: '2026-11-20T13:37:07.282+00:00',
  changed_by_email: 'admin@example.com',
};
const HISTORY = { message: 'Hello', confirmationRejected: null, changes: [CHANGE] };
const LOADED = { status: 'loaded', ...HISTORY };

function historiesOf(onSessionEnded?: () => void) {
  const readHistory = mock.fn<OfferHistoryApi['readHistory']>(async () => HISTORY);
  return { read: readHistory, ...createOfferHistory({ readHistory }, onSessionEnded) };
}

const settled = () => new Promise((done) => setImmediate(done));

test('a history is loaded when it is opened, and closed by the same button', async () => {
  const { $histories, toggleHistory, read } = historiesOf();
  toggleHistory('1');
  assert.deepEqual($histories.get(), { 1: { status: 'loading' } });
  await settled();
  toggleHistory('2');
  await settled();
  assert.deepEqual($histories.get(), { 1: LOADED, 2: LOADED });
  toggleHistory('1');
  assert.deepEqual($histories.get(), { 2: LOADED });
  assert.equal(read.mock.callCount(), 2);
});

test('an open history keeps its changes while it is read again', async () => {
  const { $histories, toggleHistory, readHistory, read } = historiesOf();
  toggleHistory('1');
  await settled();
  read.mock.mockImplementation(async () => ({ ...HISTORY, changes: [CHANGE, CHANGE] }));
  const reading = readHistory('1');
  assert.deepEqual($histories.get(), { 1: LOADED });
  await reading;
  assert.deepEqual($histories.get(), { 1: { ...LOADED, changes: [CHANGE, CHANGE] } });
});

for (const [name, response] of [
  ['a failed call', async () => Promise.reject(new Error('The database is resting.'))],
  ['a database without the function', async () => 'unavailable'],
] as [string, OfferHistoryApi['readHistory']][]) {
  test(`${name} is shown as failed, and can be tried again`, async () => {
    const { $histories, toggleHistory, readHistory, read } = historiesOf();
    read.mock.mockImplementationOnce(response);
    toggleHistory('1');
    await settled();
    assert.deepEqual($histories.get(), { 1: { status: 'failed' } });
    await readHistory('1');
    assert.deepEqual($histories.get(), { 1: LOADED });
  });
}

test('a response after closing, or of an older request, is dropped', async () => {
  const { $histories, toggleHistory, forgetHistories, read } = historiesOf();
  const late = Promise.withResolvers<OfferHistory>();
  read.mock.mockImplementationOnce(() => late.promise);
  toggleHistory('1');
  toggleHistory('1');
  toggleHistory('1');
  await settled();
  late.resolve({ message: null, confirmationRejected: null, changes: [] });
  await settled();
  assert.deepEqual($histories.get(), { 1: LOADED });
  toggleHistory('2');
  forgetHistories();
  await settled();
  assert.deepEqual($histories.get(), {});
});

test('an ended session signs out', async () => {
  let ended = 0;
  const { toggleHistory, read } = historiesOf(() => {
    ended += 1;
  });
  read.mock.mockImplementation(async () => Promise.reject(new SessionEnded()));
  toggleHistory('1');
  await settled();
  assert.equal(ended, 1);
});
