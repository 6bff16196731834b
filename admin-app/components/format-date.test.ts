import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDate } from './format-date.ts';

test('a time is shown in US English: short month, day, year, hour and minute', () => {
  assert.equal(formatDate('2026-11-20T13:05:59'), 'Nov 20, 2026, 1:05 PM');
  assert.match(formatDate('2026-11-20T13:05:00.123456+00:00'), /^Nov \d\d, 2026, \d{1,2}:\d\d [AP]M$/);
});

test('an invalid time is shown unchanged', () => {
  assert.equal(formatDate('yesterday'), 'yesterday');
});
