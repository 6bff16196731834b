import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import type { Offer } from '#contract/offer.ts';
import { dashboardOf, settled } from './dashboard.fixture.ts';
import { createFindOffers, TYPING_PAUSE_MS } from './find-offers.ts';

beforeEach(() => {
  mock.timers.reset();
  mock.restoreAll();
});

/** A dashboard whose URL is `history.at(-1)`. */
function searchOf() {
  const dashboard = dashboardOf(12);
  const history = [''];
  const find = createFindOffers(dashboard, dashboard.cache, (fragment, replaces) => {
    history.splice(replaces ? -1 : history.length, 1, fragment);
  });
  return {
    ...dashboard,
    ...find,
    history,
    names: () => dashboard.shown().map((offer) => offer.customer_name),
  };
}

test('a typed text is searched for after a pause, and typing on replaces the view', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const { typeText, history, $filter } = searchOf();
  typeText('gr');
  mock.timers.tick(TYPING_PAUSE_MS);
  assert.deepEqual(history, [''], 'two characters');
  typeText('gra');
  mock.timers.tick(TYPING_PAUSE_MS - 1);
  assert.deepEqual(history, ['']);
  mock.timers.tick(1);
  assert.equal($filter.get().term, 'gra');
  typeText('grac');
  mock.timers.tick(TYPING_PAUSE_MS);
  assert.deepEqual(history, ['', '#q=grac']);
  typeText('g');
  mock.timers.tick(TYPING_PAUSE_MS);
  assert.deepEqual(history, ['', '#q=grac', '']);
  mock.timers.reset();
});

test('Enter searches at once, and filters add to the search', async () => {
  const { open, typeText, search, setFilter, clearFilter, history, names, $text } = searchOf();
  await open();
  typeText('Customer 1');
  search();
  await settled();
  assert.deepEqual(names(), ['Customer 1', 'Customer 10', 'Customer 11']);
  setFilter({ status: 'accepted' });
  setFilter({ domain: 'lap.app' });
  await settled();
  assert.deepEqual(names(), []);
  assert.deepEqual(history.slice(1), [
    '#q=Customer+1',
    '#q=Customer+1&status=accepted',
    '#q=Customer+1&status=accepted&domain=lap.app',
  ]);
  clearFilter();
  await settled();
  assert.deepEqual([history.at(-1), $text.get(), names().length], ['', '', 12]);
});

test('a fragment opens its view before the list is read, and again after Back', async () => {
  const { open, openFilter, history, names, api, $text, $filter } = searchOf();
  openFilter('#q=Customer+7&status=pending');
  await open();
  assert.deepEqual([names(), $text.get()], [['Customer 7'], 'Customer 7']);
  assert.equal(api.readPage.mock.callCount(), 1, 'all offers were not read');
  openFilter('#some-element');
  assert.equal($filter.get().term, 'Customer 7');
  openFilter('');
  await settled();
  assert.deepEqual([names().length, $text.get()], [12, '']);
  assert.deepEqual(history, [''], 'the browser has written it');
});

test('a late response of another filter is dropped', async () => {
  const { open, setFilter, names, api } = searchOf();
  await open();
  const late = Promise.withResolvers<Offer[]>();
  api.readPage.mock.mockImplementationOnce(() => late.promise);
  setFilter({ status: 'accepted' });
  setFilter({ status: 'pending' });
  await settled();
  late.resolve([]);
  await settled();
  assert.equal(names().length, 12);
});
