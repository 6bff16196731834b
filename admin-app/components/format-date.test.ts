import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDate, isoTime } from './format-date.ts';

test('a time is shown in US English: short month, day, year, hour and minute', () => {
  assert.equal(formatDate('2026-11-20T13:05:59'), 'Nov 20, 2026, 1:05 PM');
  assert.match(formatDate('2026-11-20T13:05:00.123456+00:00'), /^Nov \d\d, 2026, \d{1,2}:\d\d [AP]M$/);
});

test('an invalid time is shown unchanged', () => {
  assert.equal(formatDate('yesterday'), 'yesterday');
});

test('the time formats of both backends become one that every browser parses', () => {
  assert.equal(isoTime('2026-11-20 13:37:07.282+00'), '2026-11-20T13:37:07.282+00:00');
  assert.equal(isoTime('2026-11-20 13:37:07+0530'), '2026-11-20T13:37:07+05:30');
  assert.equal(isoTime('2026-11-20T13:37:07.123456+00:00'), '2026-11-20T13:37:07.123456+00:00');
  assert.equal(isoTime('2026-11-20'), '2026-11-20');
});
