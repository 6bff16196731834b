import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import type { Offer } from '#contract/offer.ts';
import { dashboardOf, settled } from './dashboard.fixture.ts';
import { createFindOffers, TYPING_PAUSE_MS } from './find-offers.ts';
import { MAX_TERM_LENGTH } from './fragment.ts';

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
  mock.timers.tick(TYPING_PAUSE_MS - 1);
  typeText('grac ');
  mock.timers.tick(TYPING_PAUSE_MS - 1);
  assert.equal($filter.get().term, 'gra', 'every letter begins the pause anew');
  mock.timers.tick(1);
  assert.deepEqual(history, ['', '#q=grac']);
  typeText('g');
  mock.timers.tick(TYPING_PAUSE_MS);
  assert.deepEqual(history, ['', '#q=grac', '']);
  mock.timers.reset();
});

test('a text that was just typed is not searched for on the next page', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const { typeText, stopTyping, history } = searchOf();
  typeText('grace');
  stopTyping();
  mock.timers.tick(TYPING_PAUSE_MS);
  assert.deepEqual(history, ['']);
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

/** What a user does with the search, and what the URL is after it. */
const STEPS = {
  type: ({ typeText }: Search) => typeText('Customer 1'),
  'type a little': ({ typeText }: Search) => typeText('C'),
  enter: ({ search }: Search) => search(),
  filter: ({ setFilter }: Search) => setFilter({ status: 'pending' }),
  clear: ({ clearFilter }: Search) => clearFilter(),
  back: ({ openFilter }: Search) => openFilter('#status=rejected'),
  element: ({ openFilter }: Search) => openFilter('#title'),
};
type Search = ReturnType<typeof searchOf>;
type Step = keyof typeof STEPS;

/** The same as a model: the text, the filter, and whether a search is due. */
function modelOf(steps: readonly Step[]) {
  let text = '';
  let filter: { term?: string; status?: string } = {};
  let isDue = false;
  let written = 0;
  const change = (next: typeof filter) => {
    isDue = false;
    if (JSON.stringify(next) !== JSON.stringify(filter)) written += 1;
    filter = next;
  };
  const term = () => (text.length < 3 ? {} : { term: text });
  const status = () => (filter.status === undefined ? {} : { status: filter.status });
  for (const step of steps) {
    if (step === 'type' || step === 'type a little') {
      text = step === 'type' ? 'Customer 1' : 'C';
      isDue = true;
    } else if (step === 'enter') change({ ...term(), ...status() });
    else if (step === 'filter') change({ ...term(), status: 'pending' });
    else if (step === 'clear') {
      text = '';
      change({});
    } else if (step === 'back') [text, filter, isDue] = ['', { status: 'rejected' }, false];
  }
  if (isDue) change({ ...term(), ...status() });
  return { text, filter, written };
}

test('each step after each other, and a pause, ends in one filter, one URL and one search', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const all = Object.keys(STEPS) as Step[];
  for (const first of all)
    for (const second of all)
      for (const third of all) {
        const steps = [first, second, third];
        let written = 0;
        const dashboard = dashboardOf(0);
        const urls = [''];
        const find = createFindOffers(dashboard, dashboard.cache, (fragment) => {
          written += 1;
          urls.push(fragment);
        });
        const shown = mock.fn();
        dashboard.$filter.listen(shown);
        for (const step of steps) STEPS[step]({ ...dashboard, ...find } as unknown as Search);
        mock.timers.tick(TYPING_PAUSE_MS);
        const before = shown.mock.callCount();
        mock.timers.tick(10 * TYPING_PAUSE_MS);
        const expected = modelOf(steps);
        const what = steps.join(', ');
        assert.deepEqual(JSON.parse(JSON.stringify(dashboard.$filter.get())), expected.filter, what);
        assert.equal(find.$text.get(), expected.text, what);
        assert.equal(written, expected.written, what);
        assert.equal(shown.mock.callCount(), before, `${what}: a second search`);
      }
});

test('a search that goes on replaces the one before, any other view is one for Back', () => {
  const replaced: boolean[] = [];
  const dashboard = dashboardOf(0);
  const find = createFindOffers(dashboard, dashboard.cache, (_, replaces) => replaced.push(replaces));
  const { typeText, search, setFilter, clearFilter, $text } = find;
  const searchFor = (text: string) => {
    typeText(text);
    search();
  };
  searchFor('ada');
  searchFor('adam');
  setFilter({ status: 'pending' });
  searchFor('adams');
  searchFor('a');
  searchFor('ada');
  clearFilter();
  assert.deepEqual(replaced, [false, true, false, true, false, false, false]);
  typeText('x'.repeat(200));
  assert.equal($text.get().length, MAX_TERM_LENGTH);
  dashboard.cache.clear();
  assert.equal($text.get(), '');
});
