import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isoTime } from './iso-time.ts';

test('the time formats of both backends become one that every browser parses', () => {
  assert.equal(isoTime('2026-11-20 13:37:07.282+00'), '2026-11-20T13:37:07.282+00:00');
  assert.equal(isoTime('2026-11-20 13:37:07+0530'), '2026-11-20T13:37:07+05:30');
  assert.equal(isoTime('2026-11-20T13:37:07.123456+00:00'), '2026-11-20T13:37:07.123456+00:00');
  assert.equal(isoTime('2026-11-20'), '2026-11-20');
});
