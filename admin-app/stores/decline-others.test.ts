import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import type { Negotiation } from '#contract/negotiation.ts';
import type { Call } from '../api/call.ts';
import type { NegotiationApi } from '../api/negotiation.ts';
import { idOf, offerOf } from './dashboard.fixture.ts';
import { createDeclineOthers, UNDO_MS } from './decline-others.ts';
import { createSessionCache } from './session-cache.ts';

const OFFERS = [offerOf(1), offerOf(2), offerOf(3)];

beforeEach(() => {
  mock.restoreAll();
  mock.method(console, 'error', () => {});
});

/** Until all responses have arrived, with the clock of a test. */
async function settled() {
  for (let turn = 0; turn < 40; turn += 1) await Promise.resolve();
}

function declineOf(t: { mock: typeof mock }) {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const negotiation = (can: string[]): Negotiation => ({
    domain: 'lap.app',
    status: 'open',
    seen: 4,
    moves: [],
    can,
  });
  const callNegotiation = mock.fn<NegotiationApi['callNegotiation']>(async ({ ...request }) =>
    'preview' in request
      ? { ...negotiation([]), mail: { subject: 'No', text: `${request.preview?.note}` } }
      : negotiation(['decline', 'accept']),
  );
  const call = mock.fn(async (_: string, { filter }: { filter: { domain: string; status: string } }) => ({
    offers: filter.status === 'pending' ? OFFERS.slice(0, 2) : OFFERS.slice(2),
  }));
  const cache = createSessionCache(() => {});
  const store = createDeclineOthers(call as unknown as Call, { callNegotiation }, cache);
  const moves = () =>
    callNegotiation.mock.calls.flatMap(({ arguments: [request] }) =>
      'move' in request && request.move ? [request] : [],
    );
  return { ...store, cache, call, callNegotiation, negotiation, moves };
}

test('offers are declined with one note, after the time in which it can be undone', async (t) => {
  const { declineAll, writeNote, moves, $declines, $notes, cache, call, openOffersQuery } = declineOf(t);
  const offers = await cache.client.query(openOffersQuery('lap.app'));
  assert.deepEqual(offers, OFFERS);
  assert.deepEqual(
    call.mock.calls.map(({ arguments: [name, args] }) => [name, args]),
    ['pending', 'negotiating'].map((status) => [
      'find_offers',
      { filter: { domain: 'lap.app', status }, page_size: 100 },
    ]),
  );
  writeNote('lap.app', 'Sold, sorry.');
  writeNote('host.example', 'Of another name.');
  declineAll('lap.app', offers);
  const waiting = $declines.get()['lap.app'];
  assert.equal(waiting?.status === 'waiting' && waiting.until, Date.now() + UNDO_MS);
  t.mock.timers.tick(UNDO_MS - 1);
  await settled();
  assert.deepEqual(moves(), []);
  assert.equal($declines.get()['lap.app']?.status, 'waiting');
  t.mock.timers.tick(1);
  await settled();
  const move = { kind: 'decline', seen: 4, note: 'Sold, sorry.' };
  assert.deepEqual(
    moves(),
    OFFERS.map(({ id }) => ({ offer_id: id, move })),
  );
  assert.deepEqual($declines.get()['lap.app'], { status: 'done', declined: 3, failed: [] });
  assert.deepEqual($notes.get(), { 'lap.app': '', 'host.example': 'Of another name.' });
  cache.clear();
});

test('after offers were declined the lists and the numbers of names are read again', async (t) => {
  const { declineAll, cache } = declineOf(t);
  const keys = [['list'], ['page'], ['list details'], ['beside list'], ['names', 'counts']];
  for (const key of keys) cache.client.setQueryData(key, {});
  cache.client.setQueryData(['messages'], {});
  declineAll('lap.app', OFFERS);
  t.mock.timers.tick(UNDO_MS);
  await settled();
  assert.deepEqual(
    [...keys, ['messages']].map((queryKey) => cache.client.getQueryState(queryKey)?.isInvalidated),
    [true, true, true, true, true, false],
  );
  cache.clear();
});

test('a note of blanks is none', async (t) => {
  const { declineAll, writeNote, moves, cache } = declineOf(t);
  writeNote('lap.app', ' \n');
  declineAll('lap.app', OFFERS.slice(0, 1));
  t.mock.timers.tick(UNDO_MS);
  await settled();
  assert.deepEqual(moves(), [{ offer_id: idOf(1), move: { kind: 'decline', seen: 4 } }]);
  cache.clear();
});

test('an offer is declined as it was at the click, whatever its buyer does until it is sent', async (t) => {
  const { declineAll, moves, cache, callNegotiation, negotiation } = declineOf(t);
  declineAll('lap.app', OFFERS);
  await settled();
  callNegotiation.mock.mockImplementation(async () => ({ ...negotiation(['decline']), seen: 5 }));
  t.mock.timers.tick(UNDO_MS);
  await settled();
  assert.deepEqual(
    moves().map(({ move }) => move?.seen),
    [4, 4, 4],
  );
  cache.clear();
});

test('the offers of several names are declined, each once, however often it is pressed', async (t) => {
  const { declineAll, undoDecline, moves, $declines, cache } = declineOf(t);
  declineAll('lap.app', OFFERS.slice(0, 2));
  declineAll('host.example', OFFERS.slice(2));
  declineAll('gone.example', OFFERS);
  undoDecline('gone.example');
  $declines.listen(({ 'lap.app': decline }) => {
    if (decline?.status === 'sending' && decline.done === 1) declineAll('lap.app', OFFERS.slice(0, 2));
  });
  t.mock.timers.tick(UNDO_MS);
  await settled();
  t.mock.timers.tick(UNDO_MS);
  await settled();
  assert.deepEqual(
    moves()
      .flatMap((request) => ('offer_id' in request ? request.offer_id : []))
      .sort(),
    [idOf(1), idOf(2), idOf(3)],
  );
  const statuses = Object.entries($declines.get()).map(([name, { status }]) => [name, status]);
  assert.deepEqual(statuses.sort(), [
    ['host.example', 'done'],
    ['lap.app', 'done'],
  ]);
  cache.clear();
});

test('undone, nothing is sent', async (t) => {
  const { declineAll, undoDecline, moves, $declines, cache, callNegotiation } = declineOf(t);
  declineAll('lap.app', OFFERS);
  t.mock.timers.tick(UNDO_MS - 1);
  undoDecline('lap.app');
  t.mock.timers.tick(UNDO_MS);
  await settled();
  assert.deepEqual([moves(), $declines.get()], [[], {}]);
  assert.equal(callNegotiation.mock.callCount(), 1, 'the other offers are not read any more');
  cache.clear();
});

test('Undo while offers are being declined comes too late', async (t) => {
  const { declineAll, undoDecline, moves, $declines, cache, callNegotiation, negotiation } = declineOf(t);
  declineAll('lap.app', OFFERS);
  await settled();
  callNegotiation.mock.mockImplementationOnce(async () => {
    undoDecline('lap.app');
    return negotiation([]);
  });
  t.mock.timers.tick(UNDO_MS);
  await settled();
  assert.equal(moves().length, 3);
  assert.deepEqual($declines.get()['lap.app'], { status: 'done', declined: 3, failed: [] });
  cache.clear();
});

for (const [what, isSent] of [
  ['Undo', true],
  ['the end of the session', false],
] as const)
  test(`${what} while offers are still read after the time to undo ${isSent ? 'comes too late' : 'ends it'}`, async (t) => {
    const { declineAll, undoDecline, moves, $declines, cache, callNegotiation, negotiation } = declineOf(t);
    const reading = Promise.withResolvers<Negotiation>();
    callNegotiation.mock.mockImplementationOnce(() => reading.promise, 1);
    declineAll('lap.app', OFFERS);
    t.mock.timers.tick(UNDO_MS);
    await settled();
    assert.equal($declines.get()['lap.app']?.status, 'sending');
    if (isSent) undoDecline('lap.app');
    else cache.clear();
    reading.resolve(negotiation(['decline']));
    await settled();
    assert.equal(moves().length, isSent ? OFFERS.length : 0);
    assert.equal($declines.get()['lap.app']?.status, isSent ? 'done' : undefined);
    cache.clear();
  });

test('what a session began does not go on in the next one that declines for the same name', async (t) => {
  const { declineAll, moves, cache, callNegotiation, negotiation } = declineOf(t);
  const [before, after] = [Promise.withResolvers<Negotiation>(), Promise.withResolvers<Negotiation>()];
  for (const [call, { promise }] of [before, after].entries()) {
    callNegotiation.mock.mockImplementationOnce(() => promise, call);
    if (call > 0) cache.clear();
    declineAll('lap.app', OFFERS);
    t.mock.timers.tick(UNDO_MS);
    await settled();
  }
  before.resolve(negotiation(['decline']));
  await settled();
  assert.deepEqual(moves(), []);
  after.resolve(negotiation(['decline']));
  await settled();
  assert.equal(moves().length, OFFERS.length);
  cache.clear();
});

test('the end of the session ends it, before it began and between two offers', async (t) => {
  const { declineAll, moves, cache, callNegotiation, negotiation } = declineOf(t);
  declineAll('lap.app', OFFERS);
  cache.clear();
  t.mock.timers.tick(UNDO_MS);
  await settled();
  assert.deepEqual(moves(), []);
  declineAll('lap.app', OFFERS);
  await settled();
  callNegotiation.mock.mockImplementationOnce(async () => {
    cache.clear();
    return negotiation(['decline']);
  });
  t.mock.timers.tick(UNDO_MS);
  await settled();
  assert.equal(moves().length, 1);
});

test('the time to undo is a whole one for who signs in next and declines the same offers', async (t) => {
  const { declineAll, moves, cache } = declineOf(t);
  declineAll('lap.app', OFFERS);
  t.mock.timers.tick(UNDO_MS / 2);
  cache.clear();
  declineAll('lap.app', OFFERS);
  t.mock.timers.tick(UNDO_MS / 2);
  await settled();
  assert.deepEqual(moves(), []);
  t.mock.timers.tick(UNDO_MS / 2);
  await settled();
  assert.equal(moves().length, OFFERS.length);
});

test('offers that could not be declined are named with the reason, the others are declined', async (t) => {
  const { declineAll, writeNote, moves, $declines, $notes, cache, callNegotiation, negotiation } =
    declineOf(t);
  writeNote('lap.app', 'Sold, sorry.');
  callNegotiation.mock.mockImplementationOnce(async () => negotiation(['accept']), 0);
  callNegotiation.mock.mockImplementationOnce(() => Promise.reject(new Error('The mails are used up.')), 3);
  declineAll('lap.app', OFFERS);
  t.mock.timers.tick(UNDO_MS);
  await settled();
  const result = $declines.get()['lap.app'];
  assert.ok(result?.status === 'done');
  assert.equal(result.declined, 1);
  assert.deepEqual(
    result.failed.map(({ offer, message }) => [offer.id, message]),
    [
      [idOf(1), 'It cannot be declined any more.'],
      [idOf(2), 'The mails are used up.'],
    ],
  );
  assert.ok(moves().some((request) => 'offer_id' in request && request.offer_id === idOf(3)));
  assert.equal($notes.get()['lap.app'], 'Sold, sorry.', 'for another try');
  declineAll('lap.app', [OFFERS[1] ?? offerOf(2)]);
  t.mock.timers.tick(UNDO_MS);
  await settled();
  assert.deepEqual($declines.get()['lap.app'], { status: 'done', declined: 1, failed: [] });
  cache.clear();
});

test('an offer that could not be read is not declined, and says why', async (t) => {
  const { declineAll, moves, $declines, cache, callNegotiation } = declineOf(t);
  callNegotiation.mock.mockImplementationOnce(() => Promise.reject(new Error('You are offline.')), 0);
  callNegotiation.mock.mockImplementationOnce(() => Promise.reject(new Error('')), 1);
  declineAll('lap.app', OFFERS);
  t.mock.timers.tick(UNDO_MS);
  await settled();
  const result = $declines.get()['lap.app'];
  assert.deepEqual(
    result?.status === 'done' && result.failed.map(({ offer, message }) => [offer.id, message]),
    [
      [idOf(1), 'You are offline.'],
      [idOf(2), 'Failed to send. Please try again.'],
    ],
  );
  assert.deepEqual(
    moves().map((request) => 'offer_id' in request && request.offer_id),
    [idOf(3)],
  );
  cache.clear();
});

test('the mail is shown before it is sent', async (t) => {
  const { declinePreviewQuery, cache, moves, callNegotiation } = declineOf(t);
  assert.deepEqual(await cache.client.query(declinePreviewQuery(idOf(1), 'Sorry.')), {
    subject: 'No',
    text: 'Sorry.',
  });
  assert.deepEqual(
    callNegotiation.mock.calls.map(({ arguments: [request] }) => request),
    [{ offer_id: idOf(1) }, { offer_id: idOf(1), preview: { kind: 'decline', seen: 4, note: 'Sorry.' } }],
  );
  assert.deepEqual(moves(), []);
  cache.clear();
});
