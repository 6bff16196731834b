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
  const call = mock.fn(async (_: string, { filter }: { filter: { status: string } }) => ({
    offers: filter.status === 'pending' ? OFFERS.slice(0, 2) : OFFERS.slice(2),
  }));
  const cache = createSessionCache(() => {});
  const store = createDeclineOthers(call as unknown as Call, { callNegotiation }, cache);
  const moves = () =>
    callNegotiation.mock.calls.flatMap(({ arguments: [request] }) =>
      'move' in request && request.move ? [request] : [],
    );
  return { ...store, cache, callNegotiation, negotiation, moves };
}

test('offers are declined with one note, after the time in which it can be undone', async (t) => {
  const { declineAll, writeNote, moves, $declines, $notes, cache, openOffersQuery } = declineOf(t);
  const offers = await cache.client.query(openOffersQuery('lap.app'));
  assert.deepEqual(offers, OFFERS);
  writeNote('lap.app', 'Sold, sorry.');
  declineAll('lap.app', offers);
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
  assert.equal($notes.get()['lap.app'], '');
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
  const { declineAll, undoDecline, moves, $declines, cache } = declineOf(t);
  declineAll('lap.app', OFFERS);
  t.mock.timers.tick(UNDO_MS - 1);
  undoDecline('lap.app');
  t.mock.timers.tick(UNDO_MS);
  await settled();
  assert.deepEqual([moves(), $declines.get()], [[], {}]);
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
  cache.clear();
});

test('the mail is shown before it is sent', async (t) => {
  const { declinePreviewQuery, cache, moves } = declineOf(t);
  assert.deepEqual(await cache.client.query(declinePreviewQuery(idOf(1), 'Sorry.')), {
    subject: 'No',
    text: 'Sorry.',
  });
  assert.deepEqual(moves(), []);
  cache.clear();
});
