import assert from 'node:assert/strict';
import { test } from 'node:test';
import { payBy } from './pay-by.ts';

// A zone behind UTC, in which the first moment of a date in UTC is the day before.
process.env.TZ = 'America/New_York';

test('a date has the days that are left in the visitor’s calendar, and its year only where it is far', () => {
  const date = '2026-12-04';
  // Times of this computer's zone.
  for (const [now, days] of [
    [new Date(2026, 10, 29, 23, 59), 5],
    [new Date(2026, 11, 3, 0, 1), 1],
    [new Date(2026, 11, 4, 23, 59), 0],
    [new Date(2026, 11, 5, 0, 1), -1],
  ] as const)
    assert.deepEqual(payBy(date, 'en', now), { text: 'Friday, December\u00a04', days }, String(now));
  assert.equal(payBy(date, 'de', new Date(2026, 10, 29)).text, 'Freitag, 4.\u00a0Dezember');
  assert.equal(payBy('2027-06-01', 'en', new Date(2026, 10, 29)).text, 'Tuesday, June\u00a01, 2027');
});
