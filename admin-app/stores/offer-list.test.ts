import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Offer } from '#contract/offer.ts';
import {
  listOfFirstPage,
  listWithStatus,
  type OfferList,
  offerAt,
  pageOfKey,
  pagesOfRows,
  rowOf,
  upTo,
  withPage,
} from './offer-list.ts';

const offer = (id: string) => ({ id, status: 'pending' }) as Offer;
const key = (id: string) => ({ id, created_at: 'T' });

function longList(total = 100_000) {
  const keys = Array.from({ length: Math.ceil(total / 100) }, (_, page) => key(`${page}`));
  return { index: { total, keys }, pages: new Map<number, Offer[]>(), newest: [] };
}

test('an offer is found by its row, and a row of a page not in memory is empty', () => {
  const list = withPage(longList(), 3, [offer('first'), offer('second')]);
  assert.equal(offerAt(list, 301)?.id, 'second');
  assert.equal(offerAt(list, 302), undefined);
  assert.equal(offerAt(list, 401), undefined);
});

test('the pages of the visible rows end at the end of the list', () => {
  const { index } = longList(250);
  assert.deepEqual(pagesOfRows(index, -40, 99), [0]);
  assert.deepEqual(pagesOfRows(index, 99, 100), [0, 1]);
  assert.deepEqual(pagesOfRows(index, 190, 400), [1, 2]);
  assert.deepEqual(pagesOfRows(listOfFirstPage([]).index, 0, 10), []);
});

test('thirty pages of a long list stay in memory, those nearest to the last fetched', () => {
  let list: OfferList = longList();
  for (const page of [500, ...Array(40).keys(), 0]) list = withPage(list, page, []);
  assert.equal(list.pages.size, 30);
  assert.ok(list.pages.has(0) && list.pages.has(38) && !list.pages.has(39) && !list.pages.has(500));
});

test('a new status is set on any page without changing earlier lists', () => {
  const before = listOfFirstPage([offer('a'), offer('b')]);
  const after = listWithStatus(before, 'b', 'accepted');
  assert.equal(offerAt(after, 1)?.status, 'accepted');
  assert.equal(offerAt(before, 1)?.status, 'pending');
});

test('a page ends before the next one begins', () => {
  const rows = [offer('a'), offer('b'), offer('c')];
  assert.deepEqual(upTo(rows, key('c')), rows.slice(0, 2));
  assert.deepEqual(upTo(rows, key('z')), rows);
  assert.deepEqual(upTo(rows, undefined), rows);
});

test('the row of an offer is known where its page is in memory', () => {
  const list = withPage(longList(), 3, [offer('first'), offer('second')]);
  assert.equal(rowOf(list, 'second'), 301);
  assert.equal(rowOf(list, 'third'), undefined);
});

test('the page of an offer is found by its key, to the microsecond and in either way of writing it', () => {
  const at = (created_at: string, id = 'b') => ({ created_at, id });
  const index = {
    total: 300,
    keys: [
      at('2026-11-20 12:00:00.5+00'),
      at('2026-11-20 12:00:00.123456+00', 'c'),
      at('2026-11-20 12:00:00.123455+00'),
    ],
  };
  assert.equal(pageOfKey(index, at('2026-11-20T12:00:00.500001+00:00')), -1);
  assert.equal(pageOfKey(index, at('2026-11-20T12:00:00.500000+00:00')), 0);
  assert.equal(pageOfKey(index, at('2026-11-20T12:00:00.123457+00:00')), 0);
  assert.equal(pageOfKey(index, at('2026-11-20T12:00:00.123456+00:00', 'd')), 0);
  assert.equal(pageOfKey(index, at('2026-11-20T12:00:00.123456+00:00', 'c')), 1);
  assert.equal(pageOfKey(index, at('2026-11-20T13:00:00.123455+01:00')), 2);
  assert.equal(pageOfKey(index, at('2025-01-01T00:00:00+00:00')), 2);
});
