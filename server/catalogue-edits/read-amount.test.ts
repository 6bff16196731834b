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

test('a number whose currency is not in its cell, or as a shared sign, is written as people write an amount', () => {
  for (const [cell, currency, written] of [
    ['6900', 'USD', '$6,900'],
    ['6900', 'EUR', '€6,900'],
    ['6900', 'CHF', 'CHF 6’900'],
    ['6900', 'SEK', 'SEK 6,900'],
    ['2.500,00', 'EUR', '€2,500'],
    ["1'500", 'CHF', 'CHF 1’500'],
    ['2500,-', 'EUR', '€2,500'],
    ['1,999.50', 'USD', '$1,999.50'],
    ['2500.0', 'USD', '$2,500'],
    ['4888.5000', 'USD', '$4,888.50'],
    ['1000000', 'GBP', '£1,000,000'],
    ['¥6900', 'JPY', 'JPY 6900'],
    ['5 000 kr', 'SEK', 'SEK 5,000'],
  ] as const) {
    assert.equal(withCurrency(cell, currency), written);
  }
  for (const cell of ['USD 1,200', 'USD 6900', '$900', '6.900 $', 'make an offer', '25%', '900 €'])
    assert.equal(withCurrency(cell, 'CHF'), cell);
  assert.equal(withCurrency('900', undefined), '900');
  assert.equal(withCurrency('5 000 kr', 'EUR'), '5 000 kr');
  assert.equal(withCurrency('5 000 kr', 'SEK', { kr: 'SEK' }), '5 000 kr', 'it is read as it is');
  assert.equal(withCurrency('6900', 'USD', { $: 'CAD' }), 'USD 6900', 'the sign stands for another one');
});

test('what is written in any currency is read as the same amount', () => {
  for (const currency of Intl.supportedValuesOf('currency')) {
    const written = withCurrency('6900', currency);
    assert.deepEqual(priceOf(written), { amount: '6900', currency }, written);
    assert.doesNotMatch(written, /[^\S ]/, 'a plain space alone');
  }
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
