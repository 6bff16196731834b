import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import type { Call } from '../api/call.ts';
import { dashboardOf, idOf, offerOf, settled } from './dashboard.fixture.ts';
import { createNewOffers, waitingOf } from './new-offers.ts';
import { isAfter, type OfferList } from './offer-list.ts';

/** A dashboard whose newest offer is that of minute 0. */
async function pollingOf(total: number) {
  const dashboard = dashboardOf(total);
  const { api, rows, held, cache, client, list } = dashboard;
  const readNewOffers = mock.fn(async (since: string, _signal: AbortSignal) => ({
    offers: rows
      .filter(({ created_at }) => Date.parse(created_at) > Date.parse(since) - 60_000)
      .slice(0, 100),
    pending: rows.filter(({ status }) => status === 'pending').length,
    held: held.length,
    ...(moved && { moved }),
  }));
  let mayInsert = true;
  let moved = 0;
  const { newOffersQuery, newCountsQuery } = createNewOffers(
    (async (name: string, args: { since: string }, signal: AbortSignal) =>
      name === 'new_offers'
        ? readNewOffers(args.since, signal)
        : { ...(await api.readCounts(signal)), ...(moved && { moved }) }) as unknown as Call,
    dashboard,
    cache,
    () => mayInsert,
  );
  await dashboard.open();
  return {
    ...dashboard,
    readNewOffers,
    poll: () => client.query({ ...newOffersQuery, retry: false }),
    pollCounts: () => client.query({ ...newCountsQuery, retry: false }),
    move: () => {
      moved += 1;
    },
    allowInsertion: (isAllowed: boolean) => {
      mayInsert = isAllowed;
    },
    waiting: () => {
      const response = client.getQueryData(newOffersQuery.queryKey);
      return waitingOf(response, list().getCurrentResult().data);
    },
    arrive: (minutes: number) => rows.unshift(offerOf(-minutes, { id: idOf(1_000 + minutes) })),
    reads: () => api.readPage.mock.callCount(),
  };
}

test('without new offers the list is not read again', async () => {
  const { poll, reads, readNewOffers, waiting, rows } = await pollingOf(3);
  await poll();
  await poll();
  assert.equal(reads(), 1);
  assert.equal(readNewOffers.mock.calls[0]?.arguments[0], rows[0]?.created_at);
  assert.equal(waiting().offers, 0);
});

test('new offers are inserted where that moves nothing, and are newer than the opened dashboard', async () => {
  const { poll, arrive, shown, waiting, $openedAt } = await pollingOf(3);
  arrive(1);
  await poll();
  assert.equal(waiting().offers, 0);
  const isNew = shown().map((offer) => isAfter(offer, $openedAt.get() ?? 'unknown'));
  assert.deepEqual(isNew, [true, false, false, false]);
});

test('an offer that was stored late, with an earlier time, is inserted too', async () => {
  const { poll, rows, shown } = await pollingOf(3);
  rows.splice(1, 0, offerOf(0.5, { id: idOf(9_999) }));
  await poll();
  assert.deepEqual(shown(), rows);
});

test('new offers are announced where an insertion would move rows, until the list is read again', async () => {
  const { poll, arrive, waiting, reads, allowInsertion, reload, shown } = await pollingOf(3);
  allowInsertion(false);
  arrive(1);
  arrive(2);
  await poll();
  assert.deepEqual([waiting(), reads()], [{ offers: 2, orMore: false }, 1]);
  arrive(3);
  await poll();
  assert.equal(waiting().offers, 3);
  await reload();
  assert.deepEqual([waiting().offers, shown().length], [0, 6]);
});

test('the list is read again after a move of a buyer, as soon as that moves nothing', async () => {
  const { poll, move, reads, allowInsertion } = await pollingOf(3);
  await poll();
  allowInsertion(false);
  move();
  await poll();
  assert.equal(reads(), 1);
  allowInsertion(true);
  await poll();
  await poll();
  assert.equal(reads(), 2);
});

test('an insertion that fails announces the offers instead, without an error', async () => {
  const { poll, arrive, waiting, api, $loadError } = await pollingOf(3);
  mock.method(console, 'error', () => {});
  arrive(1);
  api.readPage.mock.mockImplementationOnce(() => Promise.reject(new Error('offline')));
  await poll();
  assert.deepEqual([waiting().offers, $loadError.get()], [1, undefined]);
});

test('the first offer appears in an empty dashboard, as new', async () => {
  const { poll, arrive, shown, readNewOffers, $openedAt } = await pollingOf(0);
  arrive(1);
  await poll();
  assert.equal(readNewOffers.mock.calls[0]?.arguments[0], '1970-01-01T00:00:00+00:00');
  assert.deepEqual(
    shown().map((offer) => isAfter(offer, $openedAt.get() ?? 'unknown')),
    [true],
  );
});

test('of more than 100 new offers the announcement has a +', async () => {
  const { poll, arrive, waiting, allowInsertion } = await pollingOf(3);
  allowInsertion(false);
  for (let minutes = 1; minutes <= 150; minutes += 1) arrive(minutes);
  await poll();
  assert.deepEqual(waiting(), { offers: 100, orMore: true });
});

test('counts are read again where another number of offers is pending', async () => {
  const { poll, api, rows } = await pollingOf(3);
  await poll();
  assert.equal(api.readCounts.mock.callCount(), 1);
  Object.assign(rows[2] ?? {}, { status: 'accepted' });
  await poll();
  await settled();
  assert.equal(api.readCounts.mock.callCount(), 2);
});

test('a filtered list is read again once the counts have changed and nothing is in use', async () => {
  const { pollCounts, arrive, shown, showList, allowInsertion } = await pollingOf(2);
  showList({ status: 'pending' });
  await settled();
  await pollCounts();
  arrive(1);
  allowInsertion(false);
  await pollCounts();
  assert.equal(shown().length, 2, 'the list is in use');
  allowInsertion(true);
  await pollCounts();
  assert.equal(shown().length, 3);
});

test('a filtered list is read again after a move of a buyer, which changes no other number', async () => {
  const { pollCounts, move, reads, showList } = await pollingOf(2);
  showList({ status: 'pending' });
  await settled();
  await pollCounts();
  const before = reads();
  move();
  await pollCounts();
  assert.equal(reads() - before, 1);
});

const YES_NO = [true, false];
for (const isArrived of YES_NO)
  for (const isMoved of YES_NO)
    for (const isIdle of YES_NO)
      for (const isOnline of (isArrived || isMoved) && isIdle ? YES_NO : [true]) {
        const what = [
          isArrived && 'arrival',
          isMoved && 'move',
          !isIdle && 'list in use',
          !isOnline && 'failed reading',
        ];
        test(`the next polls after: ${what.filter(Boolean).join(', ') || 'nothing'}`, async () => {
          const { poll, arrive, move, reads, waiting, api, allowInsertion, $loadError } = await pollingOf(3);
          mock.method(console, 'error', () => {});
          await poll();
          if (isArrived) arrive(1);
          if (isMoved) move();
          allowInsertion(isIdle);
          const readPage = api.readPage.mock;
          const before = reads();
          if (!isOnline) readPage.mockImplementationOnce(() => Promise.reject(new Error('offline')));
          await poll();
          const isOutdated = isArrived || isMoved;
          const isRead = isOutdated && isIdle;
          assert.equal(reads() - before, isRead ? 1 : 0);
          assert.equal(waiting().offers, isArrived && !(isRead && isOnline) ? 1 : 0);
          assert.equal($loadError.get(), undefined);
          // What could not be inserted is, once it can be, and then no more.
          allowInsertion(true);
          await poll();
          const isLeft = isOutdated && !(isRead && isOnline);
          assert.equal(reads() - before, Number(isRead) + Number(isLeft));
          await poll();
          assert.deepEqual([waiting().offers, reads() - before], [0, Number(isRead) + Number(isLeft)]);
        });
      }

for (const isChanged of YES_NO)
  for (const isIdle of YES_NO)
    for (const isOnline of isChanged && isIdle ? YES_NO : [true])
      test(`of a filtered list with ${isChanged ? 'other' : 'the same'} counts${isIdle ? '' : ', in use'}${isOnline ? '' : ', offline'}`, async () => {
        const { pollCounts, arrive, reads, showList, allowInsertion, api, client, countsQuery } =
          await pollingOf(2);
        mock.method(console, 'error', () => {});
        showList({ status: 'pending' });
        await settled();
        assert.equal(await pollCounts(), 'current');
        const before = reads();
        if (isChanged) arrive(1);
        allowInsertion(isIdle);
        if (!isOnline) api.readPage.mock.mockImplementationOnce(() => Promise.reject(new Error('offline')));
        const isRead = isChanged && isIdle;
        const isCurrent = !isChanged || (isRead && isOnline);
        assert.equal(await pollCounts(), isCurrent ? 'current' : 'outdated');
        assert.equal(reads() - before, isRead ? 1 : 0);
        assert.deepEqual((client.getQueryData(countsQuery.queryKey) as { status: object }).status, {
          pending: isChanged ? 3 : 2,
        });
        api.readPage.mock.resetCalls();
        allowInsertion(true);
        // The counts are the same by now: what was not read is still known.
        assert.equal(await pollCounts(), 'current');
        assert.equal(reads(), isCurrent ? 0 : 1);
      });

test('what waits is what the list does not have, and nothing before there is a list', () => {
  const offers = [0, 1, 2].map((n) => offerOf(n));
  const listWith = (...numbers: number[]) =>
    ({ newest: numbers.map((n) => offerOf(n)) }) as unknown as OfferList;
  for (const [response, list, expected] of [
    [undefined, listWith(), 0],
    [{ offers }, undefined, 0],
    [{ offers }, listWith(), 3],
    [{ offers }, listWith(1), 2],
    [{ offers }, listWith(0, 1, 2, 3), 0],
    [{ offers: [] }, listWith(), 0],
  ] as const)
    assert.deepEqual(waitingOf(response, list), { offers: expected, orMore: false });
  const many = (count: number) => ({ offers: Array.from({ length: count }, (_, n) => offerOf(n)) });
  assert.equal(waitingOf(many(99), listWith()).orMore, false);
  assert.equal(waitingOf(many(100), listWith()).orMore, true);
  assert.equal(waitingOf(many(100), listWith(5)).orMore, false);
});

test('counts that arrive after the end of the session are dropped', async () => {
  const { api, cache, client, countsQuery, pollCounts } = await pollingOf(1);
  const late = Promise.withResolvers<Awaited<ReturnType<typeof api.readCounts>>>();
  const counts = await api.readCounts(new AbortController().signal);
  api.readCounts.mock.mockImplementationOnce(() => late.promise);
  const polled = pollCounts().catch(() => {});
  await settled();
  cache.clear();
  late.resolve(counts);
  await polled;
  await settled();
  assert.equal(client.getQueryData(countsQuery.queryKey), undefined);
});
