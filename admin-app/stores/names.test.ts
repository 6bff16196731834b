import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameOf, namesOf, settled } from './names.fixture.ts';
import { pagesInView } from './names.ts';

for (const [total, inView, pages] of [
  [0, [0, 0], []],
  [40, [0, 0], [0]],
  [500, [0, 0], [0, 1, 2, 3, 4]],
  [10_000, [0, 0], [0]],
  [10_000, [-40, 60], [0]],
  [10_000, [4_990, 5_010], [49, 50]],
  [10_000, [9_950, 10_040], [99]],
] as const)
  test(`of ${total} names with rows ${inView.join(' to ')} in view the pages ${pages.join(' and ') || 'none'} are read`, () => {
    assert.deepEqual(pagesInView(total, inView), pages);
  });

test('10,000 names take one request of 100 rows', async () => {
  const { open, rows, call } = namesOf(10_000);
  const close = await open();
  assert.equal(rows().length, 100);
  assert.deepEqual(
    call.mock.calls.map(({ arguments: [name, args] }) => [name, args.page, args.page_size]),
    [['list_names', 0, 100]],
  );
  close();
});

test('a row that was changed keeps its place until the list is sorted', async () => {
  const { open, rows, showNames, setView } = namesOf(3);
  const close = await open();
  const [first, second] = rows();
  showNames(new Map([[nameOf(0), { state: 'sold' }]]));
  assert.deepEqual(
    rows().map(({ name, state }) => [name, state]),
    [
      [nameOf(0), 'sold'],
      [nameOf(1), 'for_sale'],
      [nameOf(2), 'for_sale'],
    ],
  );
  assert.notEqual(rows()[0], first);
  assert.equal(rows()[1], second, 'other rows are not rendered again');
  setView({ descending: true });
  await settled();
  assert.equal(rows()[0]?.name, nameOf(2));
  close();
});

test('a list that was left is read again', async () => {
  const { open, rows, setView, write } = namesOf(3);
  const close = await open();
  setView({ sort: 'price', descending: true });
  await settled();
  write([{ name: nameOf(0), field: 'price', to: '$9' }]);
  setView({ sort: 'name', descending: false });
  await settled();
  setView({ sort: 'price', descending: true });
  await settled();
  setView({ sort: 'name', descending: false });
  await settled();
  assert.equal(rows()[0]?.price, '$9');
  close();
});

test('the view stands in the fragment, and a typed term is searched for after a pause', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { setView, typeText, fragments, $view, $text } = namesOf(3);
  setView({ state: 'reserved' });
  typeText('00001');
  t.mock.timers.tick(249);
  assert.deepEqual(fragments, ['#state=reserved']);
  t.mock.timers.tick(1);
  assert.deepEqual(fragments, ['#state=reserved', '#q=00001&state=reserved']);
  assert.deepEqual([$view.get().term, $text.get()], ['00001', '00001']);
});

test('what is chosen while a text is typed searches for it as well, and Back and Show all drop it', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { setView, sortBy, showAll, openView, typeText, stopTyping, fragments, $view, $text } = namesOf(3);
  typeText('lap');
  setView({ state: 'sold' });
  typeText('lapp');
  t.mock.timers.tick(249);
  typeText('lappp');
  t.mock.timers.tick(249);
  sortBy('price');
  t.mock.timers.tick(250);
  assert.deepEqual(fragments.splice(0), ['#q=lap&state=sold', '#q=lappp&state=sold&sort=price']);
  typeText('la');
  stopTyping();
  t.mock.timers.tick(250);
  assert.deepEqual(fragments, [], 'on the next page');
  typeText('la');
  openView('#state=reserved');
  t.mock.timers.tick(250);
  assert.deepEqual([fragments, $view.get().term, $text.get()], [[], undefined, '']);
  typeText('la');
  showAll();
  t.mock.timers.tick(250);
  assert.deepEqual([fragments, $view.get().state, $text.get()], [[''], undefined, '']);
});

test('a press on a title sorts what was chosen last, also while the list before is still shown', async () => {
  const { open, setView, showAll, sortBy, fragments } = namesOf(3);
  const close = await open();
  setView({ only: 'no_price' });
  await settled();
  showAll();
  sortBy('name');
  setView({ state: 'sold' });
  sortBy('price');
  assert.deepEqual(fragments, [
    ...['#only=no_price', '', '#order=desc'],
    ...['#state=sold&order=desc', '#state=sold&sort=price'],
  ]);
  close();
});

test('a fragment opens its view, and writes none', () => {
  const { openView, fragments, $view, $text } = namesOf(3);
  openView('#q=lap&only=offers&sort=offers');
  assert.deepEqual($view.get(), {
    term: 'lap',
    state: undefined,
    only: 'offers',
    sort: 'offers',
    descending: true,
  });
  assert.equal($text.get(), 'lap');
  assert.deepEqual(fragments, []);
});

test('the next page of a history begins where the one before ended', async () => {
  const { historyQuery, call } = namesOf(1);
  const { signal } = new AbortController();
  for (const [name, pageParam] of [
    [undefined, undefined],
    [undefined, 7],
    [nameOf(0), 7],
  ] as const)
    await historyQuery(name).queryFn({ pageParam, signal });
  assert.deepEqual(
    call.mock.calls.map(({ arguments: [, args] }) => args),
    [{}, { before: 7 }, { name: nameOf(0), before: 7 }],
  );
});

test('another list begins at its top, and an open row is closed by a second press', () => {
  const { setView, $inView, toggleName, $open } = namesOf(3);
  $inView.set([400, 420]);
  setView({ state: 'sold' });
  assert.deepEqual($inView.get(), [0, 0]);
  for (const name of [nameOf(0), nameOf(1), nameOf(0)]) toggleName(name);
  assert.deepEqual([...$open.get()], [nameOf(1)]);
});
