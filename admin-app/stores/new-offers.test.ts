import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import type { Offer } from '#contract/offer.ts';
import type { NewOffersApi } from '../api/new-offers.ts';
import type { OffersApi } from '../api/offers.ts';
import { createNewOffers } from './new-offers.ts';
import { createOffers } from './offers.ts';

/** The time of the n-th offer, n seconds after noon. */
const timeOf = (n: number) => new Date(Date.UTC(2026, 10, 20, 12) + n * 1_000).toISOString();
const offer = (n: number, held = false) =>
  ({ id: `${n}`, created_at: timeOf(n), status: 'pending', held }) as Offer;

/** A dashboard with the list of `total` offers, newest first, whose ids are `total` to `1`. */
async function dashboardOf(total: number) {
  const rows = Array.from({ length: total }, (_, n) => offer(total - n));
  const held: Offer[] = [];
  const api = {
    readPage: mock.fn<OffersApi['readPage']>(async (from) => {
      const first = from ? rows.findIndex(({ id }) => id === from.id) : 0;
      return rows.slice(first, first + 100);
    }),
    readPageIndex: mock.fn<OffersApi['readPageIndex']>(async () => ({
      total: rows.length,
      keys: rows.filter((_, n) => n % 100 === 0),
    })),
    readHeldPage: mock.fn<OffersApi['readHeldPage']>(async () => [...held]),
    readOffer: mock.fn<OffersApi['readOffer']>(async () => undefined),
    changeStatus: mock.fn<OffersApi['changeStatus']>(async () => 'changed'),
  };
  const readNewOffers = mock.fn<NewOffersApi['readNewOffers']>(async (since) => ({
    offers: rows
      .filter(({ created_at }) => !since || Date.parse(created_at) > Date.parse(since) - 60_000)
      .slice(0, 100),
    pending: rows.length,
    held: held.length,
  }));
  const list = createOffers(api);
  let mayInsert = true;
  const allowInsertion = (isAllowed: boolean) => {
    mayInsert = isAllowed;
  };
  const newOffers = createNewOffers({ readNewOffers }, list, () => mayInsert);
  const { signal } = new AbortController();
  const check = () => newOffers.checkNewOffers(signal);
  await list.loadOffers();
  const reads = () => api.readPage.mock.callCount();
  return { rows, held, api, readNewOffers, list, newOffers, allowInsertion, check, reads };
}

const idsOf = ({ $offers }: Awaited<ReturnType<typeof dashboardOf>>['list']) => {
  const offers = $offers.get();
  return offers.status === 'loaded' ? (offers.list.pages.get(0) ?? []).map(({ id }) => id) : [];
};

test('without new offers the list is not read again', async () => {
  const { check, reads, readNewOffers, newOffers } = await dashboardOf(3);
  await check();
  await check();
  assert.equal(reads(), 1);
  assert.equal(readNewOffers.mock.calls[0]?.arguments[0], timeOf(3));
  assert.equal(newOffers.$waiting.get().offers, 0);
});

test('new offers are inserted where that moves nothing, and marked until they were seen', async () => {
  const { check, rows, list, newOffers } = await dashboardOf(3);
  rows.unshift(offer(4));
  await check();
  assert.deepEqual(idsOf(list), ['4', '3', '2', '1']);
  assert.equal(newOffers.$waiting.get().offers, 0);
  assert.deepEqual([...newOffers.$unseen.get()], ['4']);
  newOffers.markSeen('4');
  assert.equal(newOffers.$unseen.get().size, 0);
});

test('an offer that was stored late, with an earlier time, is new too', async () => {
  const { check, rows, list } = await dashboardOf(3);
  rows.splice(1, 0, { ...offer(2.5), id: 'late' });
  await check();
  assert.deepEqual(idsOf(list), ['3', 'late', '2', '1']);
});

test('new offers are announced where an insertion would move rows, and inserted on request', async () => {
  const { check, rows, list, newOffers, reads, allowInsertion } = await dashboardOf(3);
  allowInsertion(false);
  rows.unshift(offer(5), offer(4));
  await check();
  assert.deepEqual(newOffers.$waiting.get(), { offers: 2, orMore: false, held: 0 });
  assert.equal(reads(), 1);
  list.clearError();
  assert.equal(newOffers.$waiting.get().offers, 2, 'until the list is read again');
  rows.unshift(offer(6));
  await check();
  assert.equal(newOffers.$waiting.get().offers, 3);
  assert.equal(newOffers.$unseen.get().size, 0);
  assert.equal(await list.reloadOffers(), true);
  assert.deepEqual(idsOf(list), ['6', '5', '4', '3', '2', '1']);
  assert.equal(newOffers.$waiting.get().offers, 0);
  assert.deepEqual([...newOffers.$unseen.get()].sort(), ['4', '5', '6']);
});

test('Refresh takes the announced offers in, and they are marked', async () => {
  const { check, rows, list, newOffers, allowInsertion } = await dashboardOf(3);
  allowInsertion(false);
  rows.unshift(offer(4));
  await check();
  await list.loadOffers();
  assert.equal(newOffers.$waiting.get().offers, 0);
  assert.deepEqual([...newOffers.$unseen.get()], ['4']);
  await check();
  assert.equal(newOffers.$waiting.get().offers, 0);
});

test('an insertion that fails announces the offers instead, without an error', async () => {
  const { check, rows, list, newOffers, api } = await dashboardOf(3);
  mock.method(console, 'error', () => {});
  rows.unshift(offer(4));
  api.readPage.mock.mockImplementationOnce(() => Promise.reject(new Error('offline')));
  await check();
  assert.equal(newOffers.$waiting.get().offers, 1);
  const offers = list.$offers.get();
  assert.equal(offers.status === 'loaded' && offers.error, undefined);
});

test('the first offers appear in an empty dashboard', async () => {
  const { check, rows, list, newOffers, readNewOffers } = await dashboardOf(0);
  rows.unshift(offer(1));
  await check();
  assert.equal(readNewOffers.mock.calls[0]?.arguments[0], undefined);
  assert.deepEqual(idsOf(list), ['1']);
  assert.deepEqual([...newOffers.$unseen.get()], ['1']);
});

test('of more than 100 new offers the announcement has a +', async () => {
  const { check, rows, newOffers, allowInsertion } = await dashboardOf(3);
  allowInsertion(false);
  rows.unshift(...Array.from({ length: 150 }, (_, n) => offer(153 - n)));
  await check();
  assert.deepEqual(newOffers.$waiting.get(), { offers: 100, orMore: true, held: 0 });
});

test('in a long list whose end is in view, known offers stay known', async () => {
  const { check, list, rows, newOffers, allowInsertion } = await dashboardOf(5_000);
  await list.viewRows(4_950, 4_990);
  await list.loadOffers();
  await check();
  assert.equal(newOffers.$waiting.get().offers, 0);
  allowInsertion(false);
  rows.unshift(offer(5_001));
  await check();
  assert.equal(newOffers.$waiting.get().offers, 1);
});

test('an old offer that moves up because newer ones were erased is not marked as new', async () => {
  const { list, rows, newOffers } = await dashboardOf(300);
  rows.splice(0, 50);
  await list.loadOffers();
  assert.equal(newOffers.$unseen.get().size, 0);
});

test('new held offers are inserted or announced as such', async () => {
  const { check, held, newOffers, reads, allowInsertion } = await dashboardOf(3);
  await check();
  held.unshift(offer(4, true));
  allowInsertion(false);
  await check();
  assert.deepEqual(newOffers.$waiting.get(), { offers: 0, orMore: false, held: 1 });
  allowInsertion(true);
  await check();
  assert.equal(newOffers.$waiting.get().held, 0);
  const before = reads();
  await check();
  assert.equal(reads(), before, 'known from then on');
});

test('the number of pending offers is the server’s', async () => {
  const { check, newOffers } = await dashboardOf(3);
  assert.equal(newOffers.$pending.get(), undefined);
  await check();
  assert.equal(newOffers.$pending.get(), 3);
});

test('a server without the function is called once', async () => {
  const { check, newOffers, readNewOffers } = await dashboardOf(3);
  readNewOffers.mock.mockImplementation(async () => 'unavailable');
  await check();
  await check();
  assert.equal(readNewOffers.mock.callCount(), 1);
  assert.equal(newOffers.$pending.get(), undefined);
});

test('a response that the list has overtaken announces nothing', async () => {
  const { list, rows, newOffers, readNewOffers, check, allowInsertion } = await dashboardOf(3);
  allowInsertion(false);
  const late = Promise.withResolvers<Awaited<ReturnType<NewOffersApi['readNewOffers']>>>();
  readNewOffers.mock.mockImplementationOnce(() => late.promise);
  const checking = check();
  rows.unshift(offer(4));
  await list.loadOffers();
  late.resolve({ offers: [offer(4)], pending: 4 });
  await checking;
  assert.equal(newOffers.$waiting.get().offers, 0);
});

test('while the list is loading, and after signing out, nothing is requested or stored', async () => {
  const { list, rows, newOffers, check, readNewOffers } = await dashboardOf(3);
  rows.unshift(offer(4));
  await check();
  newOffers.forgetNewOffers();
  list.forgetOffers();
  assert.equal(newOffers.$unseen.get().size, 0);
  assert.equal(newOffers.$pending.get(), undefined);
  const before = readNewOffers.mock.callCount();
  await check();
  assert.equal(readNewOffers.mock.callCount(), before);
  await list.loadOffers();
  assert.equal(newOffers.$unseen.get().size, 0, 'the next session’s first list is not new');
});

test('a response after the polling was stopped changes nothing', async () => {
  const { newOffers, readNewOffers } = await dashboardOf(3);
  const polling = new AbortController();
  const late = Promise.withResolvers<Awaited<ReturnType<NewOffersApi['readNewOffers']>>>();
  readNewOffers.mock.mockImplementationOnce(() => late.promise);
  const checking = newOffers.checkNewOffers(polling.signal);
  polling.abort();
  late.resolve({ offers: [offer(4)], pending: 4 });
  await checking;
  assert.equal(newOffers.$pending.get(), undefined);
});
