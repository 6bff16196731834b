import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OFFER_STATUSES } from '#contract/offer.ts';
import type { OfferFilter } from '../stores/fragment.ts';
import type { OfferCounts } from '../stores/offers.ts';
import { choicesOf, pressed, selected } from './filter-choices.ts';

const COUNTS: OfferCounts = {
  status: { pending: 3, accepted: 1 },
  held: 2,
  low: 4,
  overdue: 5,
  messages: 6,
  withdrawn: 1,
  domains: ['lap.app'],
};
const ALL = ['all', ...OFFER_STATUSES, 'overdue', 'with message', 'low', 'held', 'withdrawn'];
const choices = (filter: OfferFilter, counts?: OfferCounts) => choicesOf(filter, counts).flat();
const chosen = (filter: OfferFilter) =>
  choices(filter, COUNTS).flatMap(({ text, isChosen }) => (isChosen ? [text] : []));
const choice = (text: string, filter: OfferFilter) => {
  const found = choices(filter, COUNTS).find((each) => each.text === text);
  assert.ok(found, text);
  return found;
};

test('each choice after each other is the only one, and the rest of the filter stays', () => {
  const rest = { term: 'ada', domain: 'lap.app', sort: 'urgent' } as const;
  for (const first of ALL)
    for (const second of ALL)
      for (const choose of [pressed, selected]) {
        const before = { ...rest, ...choose(choice(first, rest)) };
        const after = { ...before, ...choose(choice(second, before)) };
        const isRemoved = choose === pressed && first === second;
        assert.deepEqual(chosen(after), [isRemoved ? 'all' : second], `${first}, then ${second}`);
        const { term, domain, sort } = after;
        assert.deepEqual({ term, domain, sort }, rest);
      }
});

test('each choice lists what it names', () => {
  for (const [text, part] of [
    ['all', {}],
    ...OFFER_STATUSES.map((status) => [status, { status }] as const),
    ['overdue', { only: 'overdue' }],
    ['with message', { only: 'message' }],
    ['low', { only: 'low' }],
    ['held', { only: 'held' }],
    ['withdrawn', { only: 'withdrawn' }],
  ] as const)
    assert.deepEqual(choice(text, {}).part, part);
});

test('each choice has its number: all is the sum of the statuses', () => {
  assert.deepEqual(
    choices({}, COUNTS).map(({ text, count }) => [text, count]),
    [
      ['all', 4],
      ...OFFER_STATUSES.map((status) => [status, COUNTS.status[status]]),
      ['overdue', 5],
      ['with message', 6],
      ['low', 4],
      ['held', 2],
      ['withdrawn', 1],
    ],
  );
});

test('a list that is empty is no choice, unless it is the one that is shown', () => {
  const empty: OfferCounts = {
    status: {},
    held: 0,
    low: 0,
    overdue: 0,
    messages: 0,
    withdrawn: 0,
    domains: [],
  };
  const texts = (filter: OfferFilter, counts?: OfferCounts) =>
    choices(filter, counts)
      .slice(5)
      .map(({ text }) => text);
  assert.deepEqual(texts({}, empty), ['overdue']);
  assert.deepEqual(texts({ only: 'message' }, empty), ['overdue', 'with message']);
  assert.deepEqual(texts({ only: 'low' }, empty), ['overdue', 'low']);
  assert.deepEqual(texts({ only: 'held' }, empty), ['overdue', 'held']);
  // While they are not known.
  assert.deepEqual(texts({}), []);
  assert.deepEqual(texts({ only: 'held' }), ['held']);
  assert.equal(choices({})[0]?.count, undefined);
});
