import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deadlineText } from './deadline-text.ts';

process.env.TZ = 'Europe/Berlin';

test('a deadline is named by its day, today, tomorrow, or weekday and date, with the zone of its time', () => {
  const now = new Date(2026, 10, 24, 14, 47);
  for (const [hours, english, german] of [
    [1, 'today, 3:47 PM GMT+1', 'heute, 15:47 MEZ'],
    [24, 'tomorrow, 2:47 PM GMT+1', 'morgen, 14:47 MEZ'],
    [36, 'Thursday, November 26, 2:47 AM GMT+1', 'Donnerstag, 26. November, 02:47 MEZ'],
    [96, 'Saturday, November 28, 2:47 PM GMT+1', 'Samstag, 28. November, 14:47 MEZ'],
  ] as const) {
    assert.equal(deadlineText(now, hours, 'en').replace(/\s/g, ' '), english);
    assert.equal(deadlineText(now, hours, 'de'), german);
  }
});

test('an hour that passes midnight ends tomorrow', () => {
  assert.match(deadlineText(new Date(2026, 10, 24, 23, 30), 1, 'en'), /^tomorrow, 12:30/);
});
