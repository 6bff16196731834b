/** The demo's numbers are such as an owner sees: a week has its rhythm, the year a growth and one spike, and offers are the demo's. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { demoNumbers } from './demo-numbers.ts';
import { DEMO_EVENTS, DEMO_NAMES } from './demo-offers.ts';

const NOW = Date.parse('2026-11-29T20:00:00Z');
const DAY_MS = 24 * 3_600_000;

const months = demoNumbers(DEMO_NAMES, DEMO_EVENTS, NOW);
const days = months.flatMap((row) =>
  row.visits.map((visits, place) => ({
    name: row.name,
    ago: Math.floor((NOW - Date.parse(row.month)) / DAY_MS) - place,
    weekday: new Date(Date.parse(row.month) + place * DAY_MS).getUTCDay(),
    ...{
      visits: visits ?? 0,
      begun: row.begun[place] ?? 0,
      sent: row.sent[place] ?? 0,
      agreed: row.agreed[place] ?? 0,
    },
  })),
);
const sum = (rows: readonly (typeof days)[number][], of: 'visits' | 'sent' | 'agreed' = 'visits') =>
  rows.reduce((total, row) => total + row[of], 0);

test('each name has a row for each month of a year, without zeros and days to come', () => {
  assert.equal(months.length, DEMO_NAMES.length * 13);
  for (const { month, visits } of months) {
    assert.match(month, /^202[56]-\d\d-01$/);
    assert.ok(visits.length <= 31 && visits.every((count) => count === null || count > 0));
    assert.notEqual(visits.at(-1), null);
  }
  assert.equal(sum(days.filter(({ ago }) => ago < 0)), 0);
  assert.deepEqual(demoNumbers(DEMO_NAMES, DEMO_EVENTS, NOW), months);
});

test('weekends have fewer visits, and the last quarter more than the first', () => {
  const isWeekend = ({ weekday }: (typeof days)[number]) => weekday % 6 === 0;
  assert.ok(sum(days.filter(isWeekend)) / 2 < (0.8 * sum(days.filter((day) => !isWeekend(day)))) / 5);
  assert.ok(
    sum(days.filter(({ ago }) => ago >= 0 && ago < 90)) > 1.3 * sum(days.filter(({ ago }) => ago >= 275)),
  );
  const ofSpike = days.filter(({ name }) => name === 'quietmotor.com');
  const most = ofSpike.toSorted((a, b) => b.visits - a.visits)[0];
  assert.equal(most?.ago, 97);
  assert.ok((most?.visits ?? 0) > (5 * sum(ofSpike)) / 365);
});

test('offers and the agreement of the last ten days are those of the demo', () => {
  for (const { visits, begun, sent } of days) assert.ok(visits >= begun && begun >= sent);
  const recent = days.filter(({ ago }) => ago >= 0 && ago < 10);
  assert.equal(sum(recent, 'sent'), DEMO_EVENTS.sent.length);
  assert.equal(sum(days, 'agreed'), 1);
});
