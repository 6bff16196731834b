import assert from 'node:assert/strict';
import { test } from 'node:test';
import { priceOf } from './price-of.ts';

const READ: [text: string, amount: string, currency: string][] = [
  ['$15,000', '15000', 'USD'],
  ['US$ 15,000', '15000', 'USD'],
  ['€1,000', '1000', 'EUR'],
  ['15.000 €', '15000', 'EUR'],
  ['15000 EUR', '15000', 'EUR'],
  ['EUR 1.234.567,89', '1234567.89', 'EUR'],
  ['£2,500.00', '2500', 'GBP'],
  ['£2,500.50', '2500.50', 'GBP'],
  ["CHF 12'000", '12000', 'CHF'],
  ['1\u202f000 €', '1000', 'EUR'],
  [' $5 ', '5', 'USD'],
  ['99,90 €', '99.90', 'EUR'],
];
for (const [text, amount, currency] of READ) {
  test(`the amount “${text}” is parsed as ${amount} ${currency}`, () =>
    assert.deepEqual(priceOf(text), { amount, currency }));
}

const DOUBTFUL = [
  'make me smile',
  '15,000',
  '$15k',
  '15.000',
  '1,5 Mio',
  '20 million',
  'from $15,000',
  '$15,000 – $20,000',
  '$15,000 €',
  '$15,00,000',
  '1,000,000.000 €',
  '1.000.00 €',
  '0.999 €',
  '$0',
  '$-5',
  '¥5,000',
  '15000 XYZ',
  '$1 000 each',
  '$',
  '',
];
for (const text of DOUBTFUL) {
  test(`the amount “${text}” cannot be read`, () => assert.equal(priceOf(text), undefined));
}
