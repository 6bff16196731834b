import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agoOf, timeLeft, turnOf } from './time-left.ts';

const CREATED = '2026-11-20T12:00:00.123456+00:00';
const after = (hours: number, minutes = 0, seconds = 0) =>
  timeLeft(CREATED, Date.parse('2026-11-20T12:00:00.123Z') + ((hours * 60 + minutes) * 60 + seconds) * 1_000);

const CASES: [age: Parameters<typeof after>, text: string][] = [
  [[0], '24 h left'],
  [[0, 0, 1], '23 h left'],
  [[1], '23 h left'],
  [[22, 59], '1 h left'],
  [[23], '1 h left'],
  [[23, 20], '40 min left'],
  [[23, 59, 30], '1 min left'],
  [[24], 'Overdue by 1 min'],
  [[24, 59], 'Overdue by 59 min'],
  [[27], 'Overdue by 3 h'],
  [[71, 59], 'Overdue by 47 h'],
  [[72], 'Overdue by 2 d'],
  [[24 * 31], 'Overdue by 30 d'],
];
for (const [age, text] of CASES) {
  test(`${age.join(':')} after the offer it says ${text}`, () => {
    assert.equal(after(...age)?.text, text);
  });
}

test('how long ago is in minutes, hours and days', () => {
  const now = Date.parse(CREATED);
  const ago = (minutes: number) => agoOf(new Date(now - minutes * 60_000).toISOString(), now);
  assert.deepEqual([-5, 0, 59, 60, 47 * 60, 48 * 60, 32 * 24 * 60].map(ago), [
    '1 min ago',
    '1 min ago',
    '59 min ago',
    '1 h ago',
    '47 h ago',
    '2 d ago',
    '32 d ago',
  ]);
  assert.equal(agoOf('yesterday', now), undefined);
});

test('a clock that is behind shows no more than 24 hours', () => {
  assert.equal(after(-5)?.text, '24 h left');
});

test('with another promise that time is left', () => {
  const at = (replyWithin: string, hours: number) =>
    timeLeft(CREATED, Date.parse('2026-11-20T12:00:00.123Z') + hours * 3_600_000, replyWithin);
  assert.deepEqual(at('3 days', 0), { text: '3 d left', isOver: false });
  assert.deepEqual(at('3 days', -5), { text: '3 d left', isOver: false });
  assert.deepEqual(at('3 days', 59.9), { text: '12 h left', isOver: false });
  assert.deepEqual(at('3 days', 73), { text: 'Overdue by 1 h', isOver: true });
  assert.deepEqual(at('1 hour', 0.5), { text: '30 min left', isOver: false });
});

test('what is no time has nothing left', () => {
  assert.equal(timeLeft('yesterday', 0), undefined);
});

const LAST = '2026-11-20T12:00:00Z';
const TURNS: [
  kind: string,
  status: string,
  hours: number,
  turn: ReturnType<typeof turnOf>,
  replyWithin?: string,
][] = [
  ['offer', 'negotiating', 4, { text: 'Your move, 20 h left', tone: 'yours' }],
  ['offer', 'negotiating', 20, { text: 'Your move, 2 d left', tone: 'yours' }, '3 days'],
  ['offer', 'negotiating', 27, { text: 'Overdue by 3 h', tone: 'overdue' }],
  ['offer', 'pending', 4, { text: 'Your move, 20 h left', tone: 'yours' }],
  ['take_back', 'negotiating', 1, { text: 'Your move, 23 h left', tone: 'yours' }],
  ['counter', 'negotiating', 0, { text: 'Their move, 7 d left' }],
  ['counter', 'negotiating', 1, { text: 'Their move, 7 d left' }],
  ['counter', 'negotiating', 13, { text: 'Their move, 6 d left' }],
  ['counter', 'negotiating', 167, { text: 'Their move, 1 h left' }],
  ['counter', 'negotiating', 168, { text: 'Ended', tone: 'yours' }],
  ['accept', 'accepted', 1, { text: 'Agreed 1 h ago' }],
  ['accept', 'accepted', 168, { text: 'Heard nothing for 7 d' }],
  // A status that is selected and not saved yet, or set by hand.
  ['accept', 'pending', 1, undefined],
  ['counter', 'rejected', 1, undefined],
  ['offer', 'accepted', 1, undefined],
  ['decline', 'rejected', 1, undefined],
  ['withdraw', 'rejected', 1, { text: 'Withdrawn by the buyer' }],
  ['withdraw', 'negotiating', 1, undefined],
  ['close', 'negotiating', 1, undefined],
  ['one of a later version', 'negotiating', 1, undefined],
];
for (const [kind, status, hours, turn, replyWithin] of TURNS) {
  test(`${hours} hours after ${kind}, ${status}, it says ${turn?.text ?? 'nothing'}`, () => {
    const standing = { kind, at: LAST, ...(kind === 'counter' && { valid_until: '2026-11-27T12:00:00Z' }) };
    assert.deepEqual(turnOf({ status }, standing, Date.parse(LAST) + hours * 3_600_000, replyWithin), turn);
  });
}

const DEALS: [status: string, deal: object, hours: number, turn: ReturnType<typeof turnOf>][] = [
  ['accepted', { pay_by: '2026-11-24' }, 24, { text: 'Pay by Nov 24, 3 d left' }],
  ['accepted', { pay_by: '2026-11-19' }, 24, { text: 'Overdue by 2 d', tone: 'overdue' }],
  ['accepted', { paid_at: LAST }, 24, { text: 'Paid Nov 20' }],
  // A status that is selected and not saved yet.
  ['rejected', { pay_by: '2026-11-24' }, 24, undefined],
];
test('an offer that was accepted by hand says nothing of the time since', () => {
  const deal = { reference: 'LAP-7F3K' };
  for (const [kind, turn] of [
    ['accept', { text: 'Heard nothing for 9 d' }],
    ['close', undefined],
  ] as const)
    assert.deepEqual(
      turnOf({ status: 'accepted' }, { kind, at: LAST, deal }, Date.parse(LAST) + 9 * 86_400_000),
      turn,
    );
});

for (const [status, deal, hours, turn] of DEALS)
  for (const kind of ['accept', 'close'])
    test(`a deal of ${kind}, ${status}, with ${JSON.stringify(deal)} says ${turn?.text ?? 'nothing'}`, () => {
      const standing = { kind, at: LAST, deal: { reference: 'LAP-7F3K', ...deal } };
      assert.deepEqual(turnOf({ status }, standing, Date.parse(LAST) + hours * 3_600_000), turn);
    });
