import assert from 'node:assert/strict';
import { test } from 'node:test';
import { productData } from './product-data.ts';
import { summaryOf } from './summary-of.ts';

const LAP = {
  name: 'lap.app',
  description: 'Short & </script><script>alert("1")</script>\u2028',
  state: undefined,
  url: 'https://lap.app/',
  image: 'https://lap.app/share/lap.app.png',
  price: undefined,
};

test('structured data describes a product in stock, with a price only if published', () => {
  const { offers, ...product } = JSON.parse(productData(LAP));
  assert.equal(product.description, LAP.description);
  assert.deepEqual(offers, {
    '@type': 'Offer',
    url: 'https://lap.app/',
    availability: 'https://schema.org/InStock',
  });
  const priced = JSON.parse(productData({ ...LAP, price: { amount: '15000', currency: 'USD' } }));
  assert.equal(priced.offers.price, '15000');
  assert.equal(priced.offers.priceCurrency, 'USD');
});

test('structured data of a domain that is not for sale says so and has no description', () => {
  for (const [state, availability] of [
    ['sold', 'https://schema.org/SoldOut'],
    ['reserved', 'https://schema.org/Reserved'],
  ] as const) {
    const product = JSON.parse(productData({ ...LAP, description: undefined, state }));
    assert.equal(product.offers.availability, availability);
    assert.equal('description' in product, false);
  }
});

test('a description cannot end the script element of the structured data', () => {
  assert.doesNotMatch(productData(LAP), /</);
});

test('the call to action follows the description', () => {
  assert.equal(summaryOf('Short.', 'Make an offer.'), 'Short. Make an offer.');
  assert.equal(summaryOf('x'.repeat(150), 'Make an offer.'), 'x'.repeat(150));
});
