import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hoursOf, replyTime, urgentHoursOf } from './reply-within.ts';

const TEXTS = { hour: '1 hour', hours: '{count} hours', day: '1 day', days: '{count} days' };

const CASES: [replyWithin: string | undefined, hours: number, urgent: number, words: string][] = [
  [undefined, 24, 20, '24 hours'],
  ['24 hours', 24, 20, '24 hours'],
  ['3 days', 72, 60, '3 days'],
  ['1 days', 24, 20, '1 day'],
  ['1 hour', 1, 5 / 6, '1 hour'],
  ['999 days', 23_976, 19_980, '999 days'],
  ['soon', 24, 20, '24 hours'],
];
for (const [replyWithin, hours, urgent, words] of CASES) {
  test(`replyWithin: ${replyWithin} is ${words}`, () => {
    assert.equal(hoursOf(replyWithin), hours);
    assert.ok(Math.abs(urgentHoursOf(replyWithin) - urgent) < 1e-9);
    assert.equal(replyTime(replyWithin, TEXTS), words);
  });
}
