import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCatalogue } from './load.ts';
import { unreadablePrices } from './unreadable-prices.ts';

function warningOf(...entries: object[]) {
  const domains = entries.map((entry, index) => ({ name: `n${index}.example`, ...entry }));
  return unreadablePrices(parseCatalogue('test.json', JSON.stringify({ domains })));
}

test('every price that has a digit or an error and is no amount is listed with what that costs', () => {
  const texts = ['1E+04', 'Jan-00', '-500', '(500)', '15000', 'NaN', '#REF!', ' #### ', 'Err:502'];
  const spoiled = texts.map((price) => ({ price }));
  const [first, ...lines] =
    warningOf(...spoiled, {}, { price: '$5' }, { price: 'make an offer' })?.split('\n') ?? [];
  assert.equal(
    first,
    '9 prices cannot be read as an amount, so that these names come last where prices are sorted, have none in their ' +
      'structured data, and no minimum as a share. Write a price with its currency, such as "$15,000":',
  );
  assert.deepEqual(
    lines,
    texts.map((price, index) => `  n${index}.example: ${JSON.stringify(price.trim())}`),
  );
});

test('prices that are amounts, none or of names that are not for sale cause no warning', () => {
  assert.equal(
    warningOf({}, { price: '$5' }, { price: 'ask' }, { price: '1E+04', state: 'sold' }),
    undefined,
  );
  assert.match(warningOf({ price: '5' }) ?? '', /^a price cannot be read as an amount, /);
});
