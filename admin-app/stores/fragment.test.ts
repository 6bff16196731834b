import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ONLY } from '#contract/calls.ts';
import { OFFER_STATUSES } from '#contract/offer.ts';
import type { OfferFilter } from '../api/offers.ts';
import {
  fragmentOf,
  isEmptyFilter,
  MAX_TERM_LENGTH,
  parseFragment,
  termOf,
  writeFragment,
} from './fragment.ts';

const ID = '7f3c2f0e-6f7a-4f0c-9d0a-0a4f5d1c2b3a';

/** Without properties that are undefined. */
const plain = (value: unknown) => JSON.parse(JSON.stringify(value));

const FILTERS: [fragment: string, filter: OfferFilter][] = [
  ['', {}],
  ['#q=ada%40example.com', { term: 'ada@example.com' }],
  ['#q=a%2Bb%26status%3D+%23', { term: 'a+b&status= #' }],
  ['#status=pending', { status: 'pending' }],
  ['#domain=lap.app', { domain: 'lap.app' }],
  ['#only=held', { only: 'held' }],
  ['#only=low', { only: 'low' }],
  ['#only=message', { only: 'message' }],
  ['#only=overdue&sort=urgent', { only: 'overdue', sort: 'urgent' }],
  [
    '#q=%E6%BC%A2%E5%AD%97%C3%A9&status=rejected&domain=xn--bcher-kva.example',
    {
      term: '漢字é',
      status: 'rejected',
      domain: 'xn--bcher-kva.example',
    },
  ],
];
for (const [fragment, filter] of FILTERS) {
  test(`${fragment || 'an empty fragment'} is parsed, and written for its filter`, () => {
    assert.deepEqual(plain(parseFragment(fragment)), { filter });
    assert.equal(fragmentOf(filter), fragment);
  });
}

const NEAR: [fragment: string, filter: OfferFilter][] = [
  ['#q=ab&status=pending', { status: 'pending' }],
  [`#q=${'a'.repeat(101)}`, {}],
  ['#q=%20ada%20', { term: 'ada' }],
  ['#q=ada%00', {}],
  ['#status=sold&q=ada', { term: 'ada' }],
  ["#domain=lap.app'--", {}],
  ['#only=both&sort=price', {}],
  ['#', {}],
];
for (const [fragment, filter] of NEAR) {
  test(`${fragment.slice(0, 30)} is parsed without its wrong values`, () => {
    assert.deepEqual(plain(parseFragment(fragment)), { filter });
  });
}

test('an offer is shown in the list of all offers', () => {
  assert.deepEqual(parseFragment(`#offer=${ID}`), { filter: {}, offer: ID });
  assert.deepEqual(parseFragment(`#offer=${ID.toUpperCase()}&status=pending`), { filter: {}, offer: ID });
});

for (const fragment of ['#some-element', '#q', '#q=', '#offer=1', `#offer=${ID}&x=y`, '#access_token=a']) {
  test(`${fragment} is no view`, () => assert.equal(parseFragment(fragment), undefined));
}

test('a term has three characters or more, whatever their length in bytes', () => {
  assert.equal(termOf(' ab '), undefined);
  assert.equal(termOf('😀😀'), undefined);
  assert.equal(termOf('😀😀😀'), '😀😀😀');
  assert.equal(termOf('abc\ud800'), undefined);
  assert.equal(termOf('x'.repeat(MAX_TERM_LENGTH)), 'x'.repeat(MAX_TERM_LENGTH));
});

test('a fragment is written into the URL of the page, as a step for Back or in place of the last one', () => {
  const written: unknown[] = [];
  const write = (how: string) => (_state: unknown, _title: string, url: string) => written.push([how, url]);
  Object.assign(globalThis, {
    location: { pathname: '/admin/dashboard', search: '?theme=dark' },
    history: { pushState: write('push'), replaceState: write('replace') },
  });
  writeFragment('#q=ada', false);
  writeFragment('', true);
  assert.deepEqual(written, [
    ['push', '/admin/dashboard?theme=dark#q=ada'],
    ['replace', '/admin/dashboard?theme=dark'],
  ]);
});

const PARTS: OfferFilter[] = ([undefined, 'a&b=#+ü'] as const).flatMap((term) =>
  [undefined, ...OFFER_STATUSES].flatMap((status) =>
    [undefined, 'lap.app'].flatMap((domain) =>
      ([undefined, 'urgent', 'amount'] as const).flatMap((sort) =>
        [undefined, ...ONLY].map((only) => ({ term, status, domain, sort, only })),
      ),
    ),
  ),
);
test('every filter is written into a fragment of its own, and read from it again', () => {
  const fragments = new Set(PARTS.map(fragmentOf));
  assert.equal(fragments.size, PARTS.length);
  for (const filter of PARTS)
    assert.deepEqual(plain(parseFragment(fragmentOf(filter))), { filter: plain(filter) });
});

test('a filter is empty where it has no part', () => {
  const full = PARTS.filter((filter) => !isEmptyFilter(filter));
  assert.equal(full.length, PARTS.length - 1);
  assert.equal(isEmptyFilter({}), true);
});
