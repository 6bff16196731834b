import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALL_NAMES, type NamesView, namesFragmentOf, parseNamesFragment, sortedBy } from './names-view.ts';

const VIEWS: [string, NamesView][] = [
  ['', ALL_NAMES],
  ['#q=lap', { ...ALL_NAMES, term: 'lap' }],
  ['#state=sold', { ...ALL_NAMES, state: 'sold' }],
  ['#only=no_price&sort=price', { only: 'no_price', sort: 'price', descending: true }],
  ['#sort=price&order=asc', { sort: 'price', descending: false }],
  ['#order=desc', { sort: 'name', descending: true }],
];

for (const [fragment, view] of VIEWS)
  test(`the fragment ${fragment || 'of all names'} is a view, and the other way round`, () => {
    assert.equal(namesFragmentOf(view), fragment);
    assert.deepEqual(
      { ...parseNamesFragment(fragment) },
      { term: undefined, state: undefined, only: undefined, ...view },
    );
  });

test('wrong values of a fragment are left out', () => {
  for (const fragment of [
    '#state=gone&only=x&sort=toString',
    '#offer=7',
    '#q=%00',
    `#q=${'x'.repeat(101)}`,
    '#q=+',
  ])
    assert.equal(namesFragmentOf(parseNamesFragment(fragment)), '');
});

test('a press on the title of a column sorts by it, a second one the other way round', () => {
  const byPrice = sortedBy(ALL_NAMES, 'price');
  assert.deepEqual(byPrice, { sort: 'price', descending: true });
  assert.deepEqual(sortedBy(byPrice, 'price'), { sort: 'price', descending: false });
  assert.deepEqual(sortedBy(byPrice, 'name'), { sort: 'name', descending: false });
});
