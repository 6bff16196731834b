import assert from 'node:assert/strict';
import { test } from 'node:test';
import { priceOf } from '#contract/price-of.ts';
import { currencyOf, isNoAmount, withCurrency } from './read-amount.ts';

test('what exports write for no price is no amount', () => {
  for (const cell of [
    ...[
      '0',
      '0.00',
      '0,00',
      '$0',
      '$0.00',
      '0 €',
      '0,00 €',
      'EUR 0',
      '0.00 USD',
      'US$0.00',
      '€',
      '0%',
      '0,-',
      '00',
    ],
    ...['-', '–', '$ -', 'n/a', 'N/A', '#N/A', 'None', 'NULL', 'k. A.', 'keine', 'kein Preis'],
  ]) {
    assert.ok(isNoAmount(cell), cell);
  }
  for (const cell of [
    '1',
    '$0.50',
    '10',
    '$100',
    'ask',
    'EUR',
    'make an offer',
    '25%',
    'pre-sale',
    'Preis auf Anfrage',
  ])
    assert.ok(!isNoAmount(cell), cell);
});

test('a currency is written before a number that has none', () => {
  for (const [cell, currency, amount] of [
    ['2.500,00', 'EUR', '2500'],
    ["1'500", 'CHF', '1500'],
    ['2500', 'EUR', '2500'],
    ['2500,-', 'EUR', '2500'],
    ["1'500.–", 'CHF', '1500'],
    ['1,999.50', 'USD', '1999.50'],
    ['2500.0', 'USD', '2500'],
    ['4888.5000', 'USD', '4888.50'],
  ] as const) {
    assert.deepEqual(priceOf(withCurrency(cell, currency)), { amount, currency }, cell);
  }
  for (const cell of ['USD 1,200', '$900', 'make an offer', '25%', '900 €'])
    assert.equal(withCurrency(cell, 'CHF'), cell);
  assert.equal(withCurrency('15k', 'USD'), 'USD 15k');
  assert.equal(withCurrency('900', undefined), '900');
});

test('a currency is read as a code, a sign or a word', () => {
  for (const [cell, code] of [
    ...[
      ['EUR', 'EUR'],
      ['usd', 'USD'],
      [' € ', 'EUR'],
      ['$', 'USD'],
      ['Euro', 'EUR'],
      ['Franken', 'CHF'],
    ],
    ...[
      ['', undefined],
      ['XXY', undefined],
      ['5', undefined],
    ],
  ] as const) {
    assert.equal(currencyOf(cell as string), code, cell);
  }
});
