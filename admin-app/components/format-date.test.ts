import assert from 'node:assert/strict';
import { test } from 'node:test';

// Another zone than that of the machine, which may be UTC: before the module has made its format.
process.env.TZ = 'Asia/Kolkata';
const { formatDate, formatDay, formatTime } = await import('./format-date.ts');

test('a time is shown in US English and in the browser’s time zone, whatever the zone it is written in', () => {
  for (const time of ['2026-11-20T20:35:59.123456+00:00', '2026-11-20 22:35:59+02', '2026-11-21T02:05:59']) {
    assert.equal(formatDate(time), 'Nov 21, 2026, 2:05 AM', time);
  }
});

test('a time of the day and a date stand alone, in the same time zone', () => {
  const time = '2026-11-20T20:35:59Z';
  assert.deepEqual([formatTime(time), formatDay(time)], ['2:05 AM', 'Nov 21, 2026']);
});

test('an invalid time is shown unchanged', () => {
  assert.equal(formatDate('yesterday'), 'yesterday');
});
