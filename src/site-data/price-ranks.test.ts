import assert from 'node:assert/strict';
import { test } from 'node:test';
import { priceRanks } from './price-ranks.ts';

const DOMAINS = ['€ 1.500', 'make an offer', '$2,000', '$900', '$15-20k', undefined].map((price, n) => ({
  name: `name${n}.app`,
  price,
}));

test('prices are in order by amount within a currency, the most frequent one first, and what is no amount has no place', () => {
  assert.deepEqual(
    [...priceRanks(DOMAINS, { showPrice: 'everywhere' })],
    [
      ['name3.app', 0],
      ['name2.app', 1],
      ['name0.app', 2],
    ],
  );
});

test('a price that cards do not show has no place', () => {
  for (const showPrice of ['never', 'page'] as const)
    assert.equal(priceRanks(DOMAINS, { showPrice }).size, 0);
});
