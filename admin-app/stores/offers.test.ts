import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import type { Offer, OfferStatus } from '#contract/offer.ts';
import type { OffersApi } from '../api/offers.ts';
import { SessionEnded } from '../api/with-fresh-token.ts';
import { offerAt } from './offer-list.ts';
import { createOffers, isEmptyList, type LoadedOffers, type Offers } from './offers.ts';

beforeEach(() => {
  mock.restoreAll();
  mock.method(console, 'error', () => {});
});

/** A table of offers, newest first: the offer in row n has the id `n`. */
function tableOf(total: number, heldTotal = 0) {
  const rows = Array.from({ length: total }, (_, n) => ({ id: `${n}`, status: 'pending' }) as Offer);
  const held = Array.from(
    { length: heldTotal },
    (_, n) => ({ id: `held ${n}`, status: 'pending', held: true }) as Offer,
  );
  let ended = 0;
  const api = {
    readPage: mock.fn<OffersApi['readPage']>(async (from) => {
      const first = from ? rows.findIndex(({ id }) => id === from.id) : 0;
      return rows.slice(first, first + 100).map((row) => ({ ...row }));
    }),
    readPageIndex: mock.fn<OffersApi['readPageIndex']>(async () => {
      const keys = rows.filter((_, n) => n % 100 === 0).map(({ id }) => ({ id, created_at: 'T' }));
      return { total: rows.length, keys };
    }),
    readHeldPage: mock.fn<OffersApi['readHeldPage']>(async (from) => {
      const first = from ? held.findIndex(({ id }) => id === from.id) : 0;
      return held.slice(first, first + 100).map((row) => ({ ...row }));
    }),
    readOffer: mock.fn<OffersApi['readOffer']>(async (id) => [...rows, ...held].find((row) => row.id === id)),
    changeStatus: mock.fn<OffersApi['changeStatus']>(async (id, seen, status) => {
      const row = [...rows, ...held].find((each) => each.id === id && each.status === seen);
      if (row) row.status = status;
      return row ? 'changed' : 'conflict';
    }),
  };
  const offers = createOffers(api, () => {
    ended += 1;
  });
  return { rows, held, ended: () => ended, api, ...offers };
}

function loaded(offers: Offers): LoadedOffers {
  assert.equal(offers.status, 'loaded');
  return offers as LoadedOffers;
}

const idsOf = (offers: Offers) => {
  const { list } = loaded(offers);
  return Array.from({ length: list.index.total }, (_, row) => offerAt(list, row)?.id);
};

test('an empty list is loaded', async () => {
  const { $offers, loadOffers } = tableOf(0);
  await loadOffers();
  assert.ok(isEmptyList(loaded($offers.get())));
});

test('a few offers take one request', async () => {
  const { $offers, loadOffers, api } = tableOf(3);
  await loadOffers();
  assert.deepEqual(idsOf($offers.get()), ['0', '1', '2']);
  assert.equal(api.readPageIndex.mock.callCount(), 0);
});

for (const total of [99, 100, 101, 1_001, 2_000]) {
  test(`all of ${total} offers are loaded, each once and in order`, async () => {
    const { $offers, loadOffers, rows } = tableOf(total);
    await loadOffers();
    assert.deepEqual(
      idsOf($offers.get()),
      rows.map(({ id }) => id),
    );
    assert.equal(loaded($offers.get()).reloading, false);
  });
}

test('the first page is shown while the others are fetched', async () => {
  const { $offers, loadOffers } = tableOf(500);
  const seen: (number | string)[] = [];
  $offers.listen((offers) => seen.push(offers.status === 'loaded' ? offers.list.index.total : offers.status));
  await loadOffers();
  assert.deepEqual(seen, ['loading', 100, 500]);
});

test('an offer that arrives between the first page and the index is loaded too', async () => {
  const { $offers, loadOffers, api, rows } = tableOf(150);
  api.readPageIndex.mock.mockImplementationOnce(async () => {
    rows.unshift({ id: 'new', status: 'pending' } as Offer);
    const keys = rows.filter((_, n) => n % 100 === 0).map(({ id }) => ({ id, created_at: 'T' }));
    return { total: rows.length, keys };
  });
  await loadOffers();
  assert.deepEqual(
    idsOf($offers.get()),
    rows.map(({ id }) => id),
  );
});

test('only the visible rows of a long list are fetched, once', async () => {
  const { $offers, loadOffers, viewRows, api } = tableOf(100_000);
  await loadOffers();
  const before = api.readPage.mock.callCount();
  await Promise.all([viewRows(50_000, 50_020), viewRows(50_000, 50_020)]);
  await viewRows(50_010, 50_030);
  assert.equal(api.readPage.mock.callCount() - before, 1);
  assert.equal(offerAt(loaded($offers.get()).list, 50_007)?.id, '50007');
});

const heldIdsOf = (offers: Offers) => loaded(offers).held.offers.map(({ id }) => id);

for (const total of [1, 99, 100, 101, 450]) {
  test(`all of ${total} held offers are loaded, each page on request`, async () => {
    const { $offers, loadOffers, loadMoreHeld, held } = tableOf(3, total);
    await loadOffers();
    assert.deepEqual(idsOf($offers.get()), ['0', '1', '2']);
    assert.equal(heldIdsOf($offers.get()).length, Math.min(total, 100));
    for (let more = 0; loaded($offers.get()).held.hasMore; more += 1) {
      assert.ok(more < 10);
      await loadMoreHeld();
    }
    const all = held.map(({ id }) => id);
    assert.deepEqual(heldIdsOf($offers.get()), all);
    await loadOffers();
    assert.deepEqual(heldIdsOf($offers.get()), all, 'as many after a reload');
  });
}

test('a list with held offers only is not empty, and their status can be set', async () => {
  const { $offers, loadOffers, setStatus, held } = tableOf(0, 2);
  await loadOffers();
  assert.deepEqual(heldIdsOf($offers.get()), ['held 0', 'held 1']);
  await setStatus('held 1', 'pending', 'accepted');
  assert.equal(held[1]?.status, 'accepted');
  assert.equal(loaded($offers.get()).held.offers[1]?.status, 'accepted');
});

test('a failure to load held offers is shown', async () => {
  const { $offers, loadOffers, loadMoreHeld, api } = tableOf(1, 150);
  api.readHeldPage.mock.mockImplementationOnce(() => Promise.reject(new Error('offline')));
  await loadOffers();
  assert.deepEqual($offers.get(), { status: 'failed', message: 'offline' });
  await loadOffers();
  api.readHeldPage.mock.mockImplementationOnce(() => Promise.reject(new Error('')));
  await loadMoreHeld();
  assert.equal(loaded($offers.get()).error, 'Failed to fetch offers');
  assert.equal(heldIdsOf($offers.get()).length, 100);
});

test('an ended session is reported, and not shown as an empty list', async () => {
  const { $offers, loadOffers, setStatus, api, ended } = tableOf(1);
  const end = () => Promise.reject(new SessionEnded());
  api.readPage.mock.mockImplementationOnce(end);
  await loadOffers();
  assert.equal(ended(), 1);
  assert.equal($offers.get().status, 'failed');
  await loadOffers();
  api.readPage.mock.mockImplementationOnce(end);
  await loadOffers();
  assert.deepEqual(idsOf($offers.get()), ['0']);
  api.changeStatus.mock.mockImplementationOnce(end);
  await setStatus('0', 'pending', 'accepted');
  assert.equal(ended(), 3);
});

test('a failure to load shows the error’s message, or the page’s own', async () => {
  const { $offers, loadOffers, api } = tableOf(1);
  api.readPage.mock.mockImplementationOnce(() => Promise.reject(new Error('permission denied')));
  await loadOffers();
  assert.deepEqual($offers.get(), { status: 'failed', message: 'permission denied' });
  api.readPage.mock.mockImplementationOnce(() => Promise.reject(new Error('')));
  await loadOffers();
  assert.deepEqual($offers.get(), { status: 'failed', message: 'Failed to fetch offers' });
});

test('a list of which only the first page can be loaded shows an error', async () => {
  const { $offers, loadOffers, api } = tableOf(150);
  api.readPageIndex.mock.mockImplementationOnce(() => Promise.reject(new Error('offline')));
  await loadOffers();
  assert.equal(loaded($offers.get()).error, 'offline');
});

test('a failed refresh keeps the rows, and the next one clears its message', async () => {
  const { $offers, loadOffers, api } = tableOf(2);
  await loadOffers();
  api.readPage.mock.mockImplementationOnce(() => Promise.reject(new Error('offline')));
  await loadOffers();
  assert.deepEqual(idsOf($offers.get()), ['0', '1']);
  assert.equal(loaded($offers.get()).error, 'offline');
  assert.equal(loaded($offers.get()).reloading, false);
  await loadOffers();
  assert.equal(loaded($offers.get()).error, undefined);
});

test('a response that is overtaken by a newer one is dropped', async () => {
  const { $offers, loadOffers, api, rows } = tableOf(1);
  await loadOffers();
  const late = Promise.withResolvers<Offer[]>();
  api.readPage.mock.mockImplementationOnce(() => late.promise);
  const first = loadOffers();
  rows.unshift({ id: 'new', status: 'pending' } as Offer);
  await loadOffers();
  late.resolve([]);
  await first;
  assert.deepEqual(idsOf($offers.get()), ['new', '0']);
});

test('a response after sign-out is dropped', async () => {
  const { $offers, loadOffers, setStatus, forgetOffers, api } = tableOf(1);
  const reading = loadOffers();
  forgetOffers();
  await reading;
  assert.deepEqual($offers.get(), { status: 'loading' });

  await loadOffers();
  const late = Promise.withResolvers<'changed'>();
  api.changeStatus.mock.mockImplementationOnce(() => late.promise);
  const saving = setStatus('0', 'pending', 'accepted');
  forgetOffers();
  late.resolve('changed');
  await saving;
  assert.deepEqual($offers.get(), { status: 'loading' });
});

test('saving a status reloads the list without showing the old status or an empty list', async () => {
  const { $offers, loadOffers, setStatus, api } = tableOf(1);
  await loadOffers();
  const shown: unknown[] = [];
  $offers.listen((offers) => {
    const { list, saving, reloading } = loaded(offers);
    shown.push(saving.get('0') ?? offerAt(list, 0)?.status);
    assert.equal(reloading, false);
  });
  await setStatus('0', 'pending', 'accepted');
  assert.ok(shown.every((status) => status === 'accepted'));
  assert.equal(api.readPage.mock.callCount(), 2);
});

test('the last of several statuses chosen during a save is saved after it', async () => {
  const { loadOffers, setStatus, api, rows } = tableOf(1);
  await loadOffers();
  const walk: OfferStatus[] = ['accepted', 'rejected', 'negotiating'];
  await Promise.all(walk.map((status) => setStatus('0', 'pending', status)));
  assert.deepEqual(
    api.changeStatus.mock.calls.map((call) => call.arguments.slice(1)),
    [
      ['pending', 'accepted'],
      ['accepted', 'negotiating'],
    ],
  );
  assert.equal(rows[0]?.status, 'negotiating');
});

test('a status changed by another admin meanwhile is shown, not overwritten', async () => {
  const { $offers, $updateErrors, loadOffers, setStatus, rows } = tableOf(1);
  await loadOffers();
  Object.assign(rows[0] as Offer, { status: 'rejected' });
  await setStatus('0', 'pending', 'accepted');
  const { list, saving } = loaded($offers.get());
  assert.equal(
    $updateErrors.get()['0'],
    'This offer was changed in the meantime. The list has been reloaded.',
  );
  assert.equal(offerAt(list, 0)?.status, 'rejected');
  assert.equal(saving.size, 0);
});

test('a failure to save shows the message, or the page’s own, and the stored status', async () => {
  const { $offers, $updateErrors, loadOffers, setStatus, api } = tableOf(1);
  await loadOffers();
  for (const [message, shown] of [
    ['permission denied', 'permission denied'],
    ['', 'Failed to update offer status'],
  ] as const) {
    api.changeStatus.mock.mockImplementationOnce(() => Promise.reject(new Error(message)));
    await setStatus('0', 'pending', 'accepted');
    assert.deepEqual($updateErrors.get(), { 0: shown });
    assert.equal(loaded($offers.get()).error, undefined);
    assert.equal(loaded($offers.get()).saving.size, 0);
  }
});

test('the status of an offer that left an empty list can be set, and its error stays until Refresh', async () => {
  const { $offers, $updateErrors, loadOffers, readFrom, setStatus, api, rows } = tableOf(1);
  await loadOffers();
  await readFrom({ ...api, readPage: async () => [], readHeldPage: async () => [] });
  assert.ok(isEmptyList(loaded($offers.get())));
  await setStatus('0', 'pending', 'accepted');
  assert.equal(rows[0]?.status, 'accepted');
  api.changeStatus.mock.mockImplementationOnce(() => Promise.reject(new Error('The database is resting.')));
  await setStatus('0', 'accepted', 'pending');
  assert.deepEqual($updateErrors.get(), { 0: 'The database is resting.' });
  await loadOffers();
  assert.deepEqual($updateErrors.get(), {});
});

test('a status that is being saved is shown when its offer comes back into the list', async () => {
  const { $offers, loadOffers, readFrom, setStatus, api } = tableOf(1);
  await loadOffers();
  const response = Promise.withResolvers<'changed'>();
  api.changeStatus.mock.mockImplementationOnce(() => response.promise);
  const saving = setStatus('0', 'pending', 'accepted');
  await readFrom({ ...api, readPage: async () => [], readHeldPage: async () => [] });
  await readFrom(api);
  assert.deepEqual([...loaded($offers.get()).saving], [['0', 'accepted']]);
  response.resolve('changed');
  await saving;
  assert.deepEqual([...loaded($offers.get()).saving], []);
});

test('the error of a row is cleared by the next attempt, by dismissing it, by Refresh and on sign-out', async () => {
  const { $updateErrors, loadOffers, setStatus, clearUpdateError, forgetOffers, api } = tableOf(2);
  await loadOffers();
  const fail = async (id: string) => {
    api.changeStatus.mock.mockImplementationOnce(() => Promise.reject(new Error('offline')));
    await setStatus(id, 'pending', 'accepted');
    assert.equal($updateErrors.get()[id], 'offline');
  };
  await fail('0');
  await fail('1');
  clearUpdateError('0');
  assert.deepEqual($updateErrors.get(), { 1: 'offline' });
  await setStatus('1', 'pending', 'accepted');
  assert.deepEqual($updateErrors.get(), {});
  await fail('0');
  await loadOffers();
  assert.deepEqual($updateErrors.get(), {});
  await fail('0');
  forgetOffers();
  assert.deepEqual($updateErrors.get(), {});
});

test('after a failed save, a failed reload adds no second error', async () => {
  const { $offers, $updateErrors, loadOffers, setStatus, api } = tableOf(1);
  await loadOffers();
  api.changeStatus.mock.mockImplementationOnce(() => Promise.reject(new Error('offline')));
  api.readPage.mock.mockImplementationOnce(() => Promise.reject(new Error('offline')));
  await setStatus('0', 'pending', 'accepted');
  assert.equal(loaded($offers.get()).error, undefined);
  assert.deepEqual($updateErrors.get(), { 0: 'offline' });
});

test('new offers are inserted without a moment of Loading offers..., and a quiet failure changes nothing', async () => {
  const { $offers, loadOffers, reloadOffers, api, rows } = tableOf(1);
  await loadOffers();
  const wasReloading: boolean[] = [];
  $offers.listen((offers) => wasReloading.push(loaded(offers).reloading));
  api.readPage.mock.mockImplementationOnce(() => Promise.reject(new Error('offline')));
  assert.equal(await reloadOffers({ quiet: true }), false);
  assert.equal(loaded($offers.get()).error, undefined);
  rows.unshift({ id: 'new', status: 'pending' } as Offer);
  assert.equal(await reloadOffers({ quiet: true }), true);
  assert.deepEqual(idsOf($offers.get()), ['new', '0']);
  assert.ok(wasReloading.every((reloading) => !reloading));
  api.readPage.mock.mockImplementationOnce(() => Promise.reject(new Error('offline')));
  assert.equal(await reloadOffers(), false);
  assert.equal(loaded($offers.get()).error, 'offline');
});

test('a stored change whose response was lost is shown, with the message', async () => {
  const { $offers, $updateErrors, loadOffers, setStatus, api, rows } = tableOf(1);
  await loadOffers();
  api.changeStatus.mock.mockImplementationOnce(() => {
    Object.assign(rows[0] as Offer, { status: 'accepted' });
    return Promise.reject(new Error('no response'));
  });
  await setStatus('0', 'pending', 'accepted');
  assert.equal($updateErrors.get()['0'], 'no response');
  assert.equal(offerAt(loaded($offers.get()).list, 0)?.status, 'accepted');
});
