import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ALL_NAMES,
  isAllNames,
  isOfVisits,
  MAX_TERM_LENGTH,
  type NamesView,
  namesFragmentOf,
  nameTermOf,
  parseNamesFragment,
  sortedBy,
} from './names-view.ts';

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
  const byState = sortedBy({ ...ALL_NAMES, term: 'lap' }, 'state');
  assert.deepEqual(byState, { term: 'lap', sort: 'state', descending: false });
});

test('a list is of all names where nothing is looked for, in whatever order', () => {
  assert.equal(isAllNames({ sort: 'price', descending: true }), true);
  for (const part of [{ term: 'lap' }, { state: 'sold' }, { only: 'no_price' }] as const)
    assert.equal(isAllNames({ ...ALL_NAMES, ...part }), false, JSON.stringify(part));
});

test('two of the columns are of visits', () => {
  const sorts = ['name', 'state', 'price', 'visits_7', 'visits_30'] as const;
  assert.deepEqual(sorts.filter(isOfVisits), ['visits_7', 'visits_30']);
});

test('the longest term is searched for', () => {
  const term = 'x'.repeat(MAX_TERM_LENGTH);
  assert.equal(nameTermOf(` ${term} `), term);
});
