import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withRow } from './with-row.ts';

const range = { startIndex: 10, endIndex: 12, overscan: 1, count: 100 };

test('the row with the focus is rendered, wherever it is', () => {
  assert.deepEqual(withRow(range, 3), [3, 9, 10, 11, 12, 13]);
  assert.deepEqual(withRow(range, 50), [9, 10, 11, 12, 13, 50]);
});

test('no row, a visible row and a removed row add nothing', () => {
  for (const row of [undefined, 11, 100, Number.NaN]) {
    assert.deepEqual(withRow(range, row), [9, 10, 11, 12, 13]);
  }
});
