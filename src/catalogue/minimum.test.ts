import assert from 'node:assert/strict';
import { test } from 'node:test';
import { publicationOf } from '../../site-builder/built-site/publication.ts';
import { parseCatalogue } from './load.ts';
import { unreadableMinimums } from './minimum.ts';

const catalogue = (entry: object, defaults?: object) =>
  parseCatalogue(
    'test.json',
    JSON.stringify({
      ...(defaults && { defaults }),
      domains: [{ name: 'lap.app', price: '$15,000', description: 'Short.', ...entry }],
    }),
  );
const minimumFor = (entry: object, defaults?: object) =>
  publicationOf(catalogue(entry, defaults), 'build').entries[0]?.minimum;

test('a minimum is published as an amount, a share in cents, and that of an entry before the default', () => {
  for (const [minimum, amount, price = '$15,000'] of [
    ['$500', '500'],
    ['25%', '3750'],
    ['100 %', '15000'],
    ['33%', '363', '$1,100'],
    ['10%', '0.11', '$1.10'],
    ['1%', '0.01', '$0.49'],
    ['1%', '150.01', '$15,000.50'],
  ] as const) {
    assert.deepEqual(minimumFor({ minimum, price }), { amount, currency: 'USD' }, minimum);
  }
  assert.deepEqual(minimumFor({}, { minimum: '10%' }), { amount: '1500', currency: 'USD' });
  assert.deepEqual(minimumFor({ minimum: '400 EUR' }, { minimum: '10%' }), {
    amount: '400',
    currency: 'EUR',
  });
});

test('without a minimum the publication has none', () => {
  assert.deepEqual(publicationOf(catalogue({}), 'build').entries, [
    { name: 'lap.app', state: 'for_sale', price: '$15,000', value: '15000', currency: 'USD' },
  ]);
});

test('a share of a price that cannot be read causes a warning, and no offer is low', () => {
  const doubtful = { minimum: '25%', price: 'make an offer' };
  assert.equal(minimumFor(doubtful), undefined);
  assert.match(
    unreadableMinimums(catalogue(doubtful)) ?? '',
    /^lap\.app: the minimum is 25% of the price, and “make an offer”/,
  );
  assert.match(
    unreadableMinimums(catalogue({ minimum: '25%', price: undefined })) ?? '',
    /^lap\.app: the minimum is 25% of the price, and there is none, so that no offer is low\./,
  );
  for (const entry of [
    {},
    { minimum: '25%' },
    { ...doubtful, minimum: '$5' },
    { ...doubtful, state: 'sold' },
  ])
    assert.equal(unreadableMinimums(catalogue(entry)), undefined, JSON.stringify(entry));
});

test('a wrong minimum stops the build with what to write', () => {
  for (const minimum of ['500', '$500-700', '0%', '101%', '2.5%', '', '$0', '¥5,000']) {
    assert.throws(
      () => catalogue({ minimum }),
      /minimum.*write an amount with its currency, such as "\$500", or a share/s,
      minimum,
    );
    assert.throws(() => catalogue({}, { minimum }), /field minimum/, minimum);
  }
  assert.throws(() => catalogue({ minimum: 500 }), /minimum is a number: write an amount with its currency/);
});
