import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoredMove } from '#contract/negotiation.ts';
import { daysLeft } from './days-left.ts';

const DAY_MS = 86_400_000;
const AT = Date.parse('2026-11-20T08:00:00Z');
const time = (ms: number) => new Date(ms).toISOString();
const COUNTER = { number: 2, side: 'owner', kind: 'counter', at: time(AT) } as const;
const MOVE: StoredMove = { ...COUNTER, valid_until: time(AT + 7 * DAY_MS) };

test('the nearest whole days are left until the end, and never more than there were', () => {
  for (const [now, days] of [
    [AT, 7],
    [AT + 1_000, 7],
    [AT + 0.5 * DAY_MS + 1, 6],
    [AT + 5.4 * DAY_MS, 2],
    [AT + 6 * DAY_MS, 1],
    [AT + 6 * DAY_MS + 1, 0],
    [AT + 7 * DAY_MS, undefined],
    [AT + 400 * DAY_MS, undefined],
    [AT - 600_000, 7],
    [AT - 400 * DAY_MS, 7],
  ] as const)
    assert.equal(daysLeft(MOVE, now), days, time(now));
  assert.equal(daysLeft(COUNTER, AT), undefined, 'a move without an end');
});
