import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import type { Offer } from '#contract/offer.ts';
import type { FindApi, OfferCounts, OfferFilter } from '../api/find-offers.ts';
import type { OffersApi, OffersReader } from '../api/offers.ts';
import { createFindOffers, TYPING_PAUSE_MS } from './find-offers.ts';
import { createOffers } from './offers.ts';

beforeEach(() => {
  mock.restoreAll();
  mock.timers.reset();
  mock.method(console, 'error', () => {});
});

const COUNTS: OfferCounts = { status: { pending: 2, accepted: 1 }, held: 0, domains: ['lap.app'] };
const ADA = { id: 'ada', customer_name: 'Ada', status: 'pending' } as Offer;
const GRACE = { id: 'grace', customer_name: 'Grace', status: 'accepted' } as Offer;

/** A dashboard of these offers, whose URL is `history.at(-1)`. */
function dashboardOf(rows: Offer[] = [ADA, GRACE]) {
  const history = [''];
  const matching = (filter: OfferFilter) =>
    rows.filter(
      (row) =>
        (filter.term === undefined || row.customer_name.toLowerCase().includes(filter.term)) &&
        (filter.status === undefined || row.status === filter.status),
    );
  const readerOf = (list: () => Offer[]): OffersReader => ({
    readPage: async () => [...list()],
    readPageIndex: async () => ({ total: list().length, keys: [] }),
    readHeldPage: async () => [],
  });
  const api: OffersApi = {
    ...readerOf(() => rows),
    readOffer: async () => undefined,
    changeStatus: async () => 'changed',
  };
  const findApi = {
    readerOf: mock.fn<FindApi['readerOf']>((filter) => readerOf(() => matching(filter))),
    readCounts: mock.fn<FindApi['readCounts']>(async () => COUNTS),
  };
  const list = createOffers(api);
  const find = createFindOffers(findApi, api, list, (fragment, replaces) => {
    history.splice(replaces ? -1 : history.length, 1, fragment);
  });
  const shown = () => {
    const offers = list.$offers.get();
    return offers.status === 'loaded' ? offers.list.newest.map(({ id }) => id) : offers.status;
  };
  return { rows, history, api, findApi, list, find, shown };
}

/** Until all responses have arrived. */
const settled = () => new Promise((done) => setImmediate(done));

test('a typed text is searched for after a pause, and typing on replaces the view', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const { list, find, history, shown, findApi } = dashboardOf();
  await list.loadOffers();
  find.typeText('gr');
  mock.timers.tick(TYPING_PAUSE_MS);
  assert.equal(findApi.readerOf.mock.callCount(), 0, 'two characters');
  find.typeText('gra');
  mock.timers.tick(TYPING_PAUSE_MS - 1);
  assert.equal(findApi.readerOf.mock.callCount(), 0);
  mock.timers.tick(1);
  await settled();
  assert.deepEqual(shown(), ['grace']);
  find.typeText('grac');
  mock.timers.tick(TYPING_PAUSE_MS);
  assert.deepEqual(history, ['', '#q=grac']);
  find.typeText('g');
  mock.timers.tick(TYPING_PAUSE_MS);
  await settled();
  assert.deepEqual(history, ['', '#q=grac', '']);
  assert.deepEqual(shown(), ['ada', 'grace']);
});

test('Enter searches at once, and filters add to the search', async () => {
  const { list, find, history, shown } = dashboardOf();
  await list.loadOffers();
  find.typeText('ada');
  find.search();
  find.setFilter({ status: 'accepted' });
  find.setFilter({ domain: 'lap.app' });
  await settled();
  assert.deepEqual(shown(), []);
  assert.deepEqual(history.slice(1), [
    '#q=ada',
    '#q=ada&status=accepted',
    '#q=ada&status=accepted&domain=lap.app',
  ]);
  find.setFilter({ status: undefined });
  await settled();
  assert.deepEqual(shown(), ['ada']);
  find.clearFilter();
  await settled();
  assert.deepEqual([history.at(-1), find.$text.get()], ['', '']);
  assert.deepEqual(shown(), ['ada', 'grace']);
});

test('a fragment opens its view before the list is loaded, and again after Back', async () => {
  const { list, find, history, shown, api } = dashboardOf();
  const readPage = mock.method(api, 'readPage');
  find.openView('#q=grace&status=accepted');
  assert.equal(readPage.mock.callCount(), 0);
  await list.loadOffers();
  assert.deepEqual([shown(), find.$text.get()], [['grace'], 'grace']);
  assert.equal(readPage.mock.callCount(), 0, 'all offers were not read');
  find.openView('#held-offers');
  assert.deepEqual(find.$filter.get(), { term: 'grace', status: 'accepted', domain: undefined });
  find.openView('');
  await settled();
  assert.deepEqual([shown(), find.$text.get()], [['ada', 'grace'], '']);
  assert.deepEqual(history, [''], 'the browser has written it');
});

test('the list of another filter stays until the first page is there, and a late response is dropped', async () => {
  const { list, find, shown, findApi } = dashboardOf();
  await list.loadOffers();
  const late = Promise.withResolvers<Offer[]>();
  const none = { readPageIndex: async () => ({ total: 0, keys: [] }), readHeldPage: async () => [] };
  findApi.readerOf.mock.mockImplementationOnce(() => ({ ...none, readPage: () => late.promise }));
  find.setFilter({ status: 'pending' });
  assert.deepEqual(shown(), ['ada', 'grace']);
  find.setFilter({ status: 'accepted' });
  await settled();
  late.resolve([ADA]);
  await settled();
  assert.deepEqual(shown(), ['grace']);
});

test('a filter whose list cannot be read shows its error in place of the rows', async () => {
  const { list, find, findApi } = dashboardOf();
  await list.loadOffers();
  const broken = async () => Promise.reject(new Error('The database is resting.'));
  findApi.readerOf.mock.mockImplementationOnce(() => ({
    readPage: broken,
    readPageIndex: broken,
    readHeldPage: broken,
  }));
  find.setFilter({ status: 'accepted' });
  await settled();
  assert.deepEqual(list.$offers.get(), { status: 'failed', message: 'The database is resting.' });
});

test('new offers are compared with the list of all offers', async () => {
  const { list, find, rows } = dashboardOf();
  await list.loadOffers();
  const known = () => {
    const all = find.$allOffers.get();
    return all.status === 'loaded' ? all.list.newest.length : all.status;
  };
  find.setFilter({ status: 'accepted' });
  await settled();
  rows.unshift({ ...ADA, id: 'new' });
  assert.equal(known(), 2);
  find.clearFilter();
  await settled();
  assert.equal(known(), 3);
});

test('counts are read with each list, and unavailable ones once', async () => {
  const { list, find, findApi } = dashboardOf();
  await list.loadOffers();
  await settled();
  assert.deepEqual(find.$counts.get(), COUNTS);
  findApi.readCounts.mock.mockImplementation(async () => 'unavailable');
  await list.loadOffers();
  await settled();
  assert.equal(find.$canFind.get(), false);
  await list.loadOffers();
  assert.equal(findApi.readCounts.mock.callCount(), 2);
});

test('a filtered list is read again once the counts have changed and nothing is in use', async () => {
  const { list, find, findApi, rows, shown } = dashboardOf();
  const { signal } = new AbortController();
  await list.loadOffers();
  find.setFilter({ status: 'pending' });
  await settled();
  await find.checkFound(signal, () => true);
  rows.unshift({ ...ADA, id: 'new' });
  await find.checkFound(signal, () => true);
  assert.deepEqual(shown(), ['ada'], 'the counts are the same');
  findApi.readCounts.mock.mockImplementation(async () => ({ ...COUNTS, status: { pending: 3 } }));
  await find.checkFound(signal, () => false);
  assert.deepEqual(shown(), ['ada'], 'the list is in use');
  await find.checkFound(signal, () => true);
  assert.deepEqual(shown(), ['new', 'ada']);
});

test('a signed-out user leaves no search behind', async () => {
  const { list, find, shown } = dashboardOf();
  await list.loadOffers();
  find.openView('#q=ada');
  await settled();
  list.forgetOffers();
  find.forgetFilter();
  assert.deepEqual([find.$filter.get(), find.$text.get(), find.$counts.get()], [{}, '', undefined]);
  await list.loadOffers();
  assert.deepEqual(shown(), ['ada', 'grace']);
});
