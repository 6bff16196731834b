import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NameNumbers } from '#contract/calls.ts';
import { changeOf, lineOf, summaryOf, visitsText } from './visit-shares.ts';

const NONE: NameNumbers = {
  ...{ week: 0, month: 0, before: 0, begun: 0, sent: 0, agreed: 0 },
  periods: Array(12).fill(0),
};

test('a change is said from 30 visits before on', () => {
  for (const [before, month, arrow, text] of [
    [0, 0, undefined, 'too few to say'],
    [29, 400, undefined, 'too few to say'],
    [30, 0, 'down', '100 %'],
    [350, 412, 'up', '18 %'],
    [1000, 1004, undefined, 'as before'],
    [30, 600, 'up', '1,900 %'],
  ] as const) {
    const { arrow: found, ...rest } = changeOf({ ...NONE, before, month });
    assert.deepEqual([found, rest.text], [arrow, text]);
  }
});

test('a summary has shares from 30 visits on, and what begins elsewhere is left out', () => {
  assert.equal(visitsText({ ...NONE, month: 1 }), '1 visit in 30 days');
  assert.equal(
    summaryOf({ ...NONE, week: 98, month: 1412, begun: 31, sent: 4, agreed: 1 }),
    '1,412 visits in 30 days (98 in 7), 31 began an offer (2 %), 4 sent (under 1 %), 1 agreed',
  );
  assert.equal(
    summaryOf({ ...NONE, week: 2, month: 29, sent: 1 }),
    '29 visits in 30 days (2 in 7), 1 sent, none agreed: too few to say a share',
  );
});

test('a line begins at zero and ends at the last period', () => {
  assert.equal(lineOf(NONE.periods), undefined);
  assert.deepEqual(lineOf([0, 5, 10]), { line: 'M4,24 56,14 108,4', end: [108, 4] });
});
