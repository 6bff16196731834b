import assert from 'node:assert/strict';
import { test } from 'node:test';
import { productData } from './product-data.ts';
import { summaryOf } from './summary-of.ts';

const LAP = {
  name: 'lap.app',
  description: 'Short & </script><script>alert("1")</script>\u2028',
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

test('a description cannot end the script element of the structured data', () => {
  assert.doesNotMatch(productData(LAP), /</);
});

test('the call to action follows the description', () => {
  assert.equal(summaryOf('Short.', 'Make an offer.'), 'Short. Make an offer.');
  assert.equal(summaryOf('x'.repeat(150), 'Make an offer.'), 'x'.repeat(150));
});
