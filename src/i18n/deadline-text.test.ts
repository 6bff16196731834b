import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deadlineText } from './deadline-text.ts';

test('a deadline is named by its day: today, tomorrow, or weekday and date', () => {
  const now = new Date(2026, 10, 24, 14, 47);
  for (const [hours, english, german] of [
    [1, 'today, 3:47 PM', 'heute, 15:47'],
    [24, 'tomorrow, 2:47 PM', 'morgen, 14:47'],
    [36, 'Thursday, November 26, 2:47 AM', 'Donnerstag, 26. November, 02:47'],
    [96, 'Saturday, November 28, 2:47 PM', 'Samstag, 28. November, 14:47'],
  ] as const) {
    assert.equal(deadlineText(now, hours, 'en').replace(/\s/g, ' '), english);
    assert.equal(deadlineText(now, hours, 'de'), german);
  }
});

test('an hour that passes midnight ends tomorrow', () => {
  assert.match(deadlineText(new Date(2026, 10, 24, 23, 30), 1, 'en'), /^tomorrow, 12:30/);
});
