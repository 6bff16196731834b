import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Offer } from '#contract/offer.ts';
import { isAfter, listOfFirstPage, offerAt, pageOfKey, pagesToRead, upTo } from './offer-list.ts';

const offer = (id: string) => ({ id, status: 'pending' }) as Offer;
const key = (id: string) => ({ id, sort_key: 'T' });

function indexOf(total: number) {
  return { total, keys: Array.from({ length: Math.ceil(total / 100) }, (_, page) => key(`${page}`)) };
}

test('an offer is found by its row, and a row of a page not in memory is empty', () => {
  const pages = new Map([[3, [offer('first'), offer('second')]]]);
  assert.equal(offerAt(pages, 301)?.id, 'second');
  assert.equal(offerAt(pages, 302), undefined);
  assert.equal(offerAt(pages, 401), undefined);
});

test('all pages of a short list are in memory, of a long one those of the visible rows', () => {
  assert.deepEqual(pagesToRead(indexOf(250), 0, 0), [0, 1, 2]);
  assert.deepEqual(pagesToRead(indexOf(2_050), -40, 99), [0]);
  assert.deepEqual(pagesToRead(indexOf(2_050), 99, 100), [0, 1]);
  assert.deepEqual(pagesToRead(indexOf(2_050), 1_990, 2_400), [19, 20]);
  assert.deepEqual(pagesToRead(listOfFirstPage({}, []).index, 0, 10), []);
});

test('a page ends before the next one begins', () => {
  const at = (minute: number) => {
    const time = `2026-11-20T12:0${minute}:00Z`;
    return { ...offer(`${minute}`), created_at: time, sort_key: time };
  };
  const rows = [at(9), at(7), at(5)];
  assert.deepEqual(upTo(rows, at(5)), rows.slice(0, 2));
  assert.deepEqual(upTo(rows, at(8)), rows.slice(0, 1), 'whose first offer is gone');
  assert.deepEqual(upTo(rows, at(1)), rows);
  assert.deepEqual(upTo(rows, undefined), rows);
});

test('a page of a list by urgency or amount ends where the next one begins, whatever the times', () => {
  const at = (sort_key: string, id = 'b') => ({ ...offer(id), sort_key });
  const urgent = [
    at('3973-12-01T00:00:00+00:00'),
    at('3973-11-01T00:00:00+00:00'),
    at('2026-11-20T12:00:00+00:00'),
  ];
  assert.deepEqual(
    upTo(urgent, { ...urgent[1], sort_key: '3973-11-01T00:00:00+00:00', id: 'b' }),
    urgent.slice(0, 1),
  );
  const key = (currency: string, cents: number) =>
    `${currency.padEnd(3)} ${String(1e17 + cents).padStart(18, '0')} 20261120120000000000`;
  const byAmount = [at(key('USD', 50_000)), at(key('USD', 900)), at(key('EUR', 70_000)), at(key('', 0))];
  assert.deepEqual(upTo(byAmount, { sort_key: key('EUR', 70_000), id: 'b' }), byAmount.slice(0, 2));
  assert.deepEqual(upTo(byAmount, { sort_key: key('EUR', 80_000), id: 'b' }), byAmount.slice(0, 2));
});

test('the page of an offer is found by its key, to the microsecond and in any time zone', () => {
  const at = (created_at: string, id = 'b') => ({ created_at, sort_key: created_at, id });
  const index = {
    total: 300,
    keys: [
      at('2026-11-20T12:00:00.5+00:00'),
      at('2026-11-20T12:00:00.123456+00:00', 'c'),
      at('2026-11-20T12:00:00.123455+00:00'),
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

test('an offer is after a time to the microsecond, and after none at all', () => {
  const at = (created_at: string) => ({ ...offer('a'), created_at });
  assert.equal(isAfter(at('2026-11-20T12:00:00.123457+00:00'), '2026-11-20T12:00:00.123456+00:00'), true);
  assert.equal(isAfter(at('2026-11-20T12:00:00.123456+00:00'), '2026-11-20T12:00:00.123456+00:00'), false);
  assert.equal(isAfter(at('2026-11-20T12:00:00+00:00'), ''), true);
});
