import assert from 'node:assert/strict';
import { test } from 'node:test';
import { priceRanks } from './price-ranks.ts';

const DOMAINS = ['$2,000', 'make an offer', '€ 1.500', '$900', '$15-20k', undefined].map((price, n) => ({
  name: `name${n}.app`,
  price,
}));

test('prices are in order by amount within a currency, and what is no amount has no place', () => {
  assert.deepEqual(
    [...priceRanks(DOMAINS, { showPrice: 'everywhere' })],
    [
      ['name3.app', 0],
      ['name0.app', 1],
      ['name2.app', 2],
    ],
  );
});

test('a price that cards do not show has no place', () => {
  for (const showPrice of ['never', 'page'] as const)
    assert.equal(priceRanks(DOMAINS, { showPrice }).size, 0);
});
