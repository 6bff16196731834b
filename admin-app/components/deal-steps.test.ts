import assert from 'node:assert/strict';
import { test } from 'node:test';

// A zone behind UTC, in which the first moment of a date in UTC is the day before. Before the module has made its formats.
process.env.TZ = 'America/New_York';
const { dateIn, daysUntil, dealLine, longDayOf, stepsOf, weekdayOf } = await import('./deal-steps.ts');

const AT = '2026-11-27T12:00:00Z';
/** Noon in the browser's time zone. */
const noonOf = (year: number, month: number, day: number) => new Date(year, month - 1, day, 12).getTime();
const NOW = noonOf(2026, 12, 2);

const STATES: [done: string[], states: string[]][] = [
  [[], ['done', 'present', 'later', 'later']],
  [['paid'], ['done', 'done', 'present', 'later']],
  [
    ['paid', 'transferred'],
    ['done', 'done', 'done', 'present'],
  ],
  [
    ['paid', 'transferred', 'sold'],
    ['done', 'done', 'done', 'done'],
  ],
];
for (const [done, states] of STATES)
  test(`the steps of a deal after ${done.join(', ') || 'nothing'} are ${states.join(', ')}`, () => {
    const deal = { agreed_at: AT, ...Object.fromEntries(done.map((step) => [`${step}_at`, AT])) };
    const steps = stepsOf(deal);
    assert.deepEqual(
      steps.map(({ state }) => state),
      states,
    );
    assert.deepEqual(
      steps.flatMap(({ step, at }) => (at === AT ? [step] : [])),
      ['agreed', ...done],
    );
  });

const LINES: [deal: Parameters<typeof dealLine>[0], line: ReturnType<typeof dealLine>][] = [
  [{}, undefined],
  [{ pay_by: '2026-12-04' }, { text: 'Pay by Dec 4, 2 d left' }],
  [{ pay_by: '2026-12-02' }, { text: 'Pay by Dec 2, today' }],
  [{ pay_by: '2026-12-01' }, { text: 'Overdue by 1 d', tone: 'overdue' }],
  [{ pay_by: '2026-11-30', paid_at: AT }, { text: 'Paid Nov 27' }],
  [{ paid_at: AT, transferred_at: AT }, { text: 'Transferred Nov 27' }],
  [{ paid_at: AT, transferred_at: AT, sold_at: '2026-11-28T12:00:00Z' }, { text: 'Sold Nov 28' }],
];
for (const [deal, line] of LINES)
  test(`the list says ${line?.text ?? 'nothing'} of ${JSON.stringify(deal)}`, () => {
    assert.deepEqual(dealLine(deal, NOW), line);
  });

test('days until a date count days of the calendar, at every hour and over a change of the clock', () => {
  for (const hour of [0, 1, 23]) {
    assert.equal(daysUntil('2026-12-04', new Date(2026, 11, 2, hour).getTime()), 2);
    assert.equal(daysUntil('2026-12-02', new Date(2026, 11, 2, hour).getTime()), 0);
  }
  assert.equal(daysUntil('2026-04-05', noonOf(2026, 3, 22)), 14);
});

test('a date so many days away is one of the calendar', () => {
  assert.equal(dateIn(0, NOW), '2026-12-02');
  assert.equal(dateIn(30, NOW), '2027-01-01');
});

test('a date is written as it is in every time zone, and a text that is none stays', () => {
  assert.deepEqual([weekdayOf('2026-12-04'), longDayOf('2026-12-04')], ['Fri, Dec 4', 'Dec 4, 2026']);
  assert.equal(weekdayOf('soon'), 'soon');
});
