import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dateIn, timeIn } from './time-in.ts';

// A server behind UTC, where the first moment of a date in UTC is the day before.
process.env.TZ = 'America/New_York';

test('a date to pay by and a time in UTC are the same on a server in any zone', () => {
  assert.equal(dateIn('en', '2026-12-04'), 'Friday, December 4, 2026');
  assert.equal(dateIn('de', '2026-12-04'), 'Freitag, 4. Dezember 2026');
  const time = timeIn('en', Date.parse('2026-11-23T05:18:00Z'));
  assert.equal(time.replaceAll('\u202f', ' '), 'Nov 23, 2026, 5:18 AM UTC');
});
