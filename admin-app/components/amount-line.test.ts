import assert from 'node:assert/strict';
import { test } from 'node:test';
import { priceOf } from '#contract/price-of.ts';
import { shownPrice } from '#contract/shown-amount.ts';
import { amountLine, isFullPrice } from './amount-line.ts';

const asking = (text: string) => ({ ...shownPrice(text, 'en'), price: priceOf(text) });

test('below an amount stands what was understood, where it differs, and its share of the price', () => {
  for (const [amount, value, currency, price, line] of [
    ['$3,900', 3900, 'USD', '$4,500', '87 % of $4,500'],
    ['15k', 15000, 'USD', '$16,000', '$15,000, 94 % of $16,000'],
    ['1.900 €', 1900, 'EUR', '2.400 €', '79 % of €2,400'],
    ['$2,500.00', 2500, 'USD', 'USD 5000', '50 % of $5,000'],
    ['USD 2500', 2500, 'USD', '$5,000', '50 % of $5,000'],
    ['2500', 2500, 'USD', '$5,000', '$2,500, 50 % of $5,000'],
    ['800 Euro', 800, 'EUR', undefined, '€800'],
    ['$800', 800, 'USD', undefined, ''],
    ['$48,000', 48000, 'USD', '$48,000', 'Asking $48,000'],
    ['50k', 50000, 'USD', '$48,000', '$50,000, asking $48,000'],
    ['$47,999', 47999, 'USD', '$48,000', '99 % of $48,000'],
    ['$1', 1, 'USD', '$48,000', 'under 1 % of $48,000'],
    ['€3,900', 3900, 'EUR', '$4,500', 'Asking $4,500'],
    ['ask me', null, null, '$4,500', 'Asking $4,500'],
    ['$3,900', 3900, 'USD', 'from $4,500', 'Asking from $4,500'],
    // Not read yet.
    ['15k', undefined, undefined, '$16,000', 'Asking $16,000'],
  ] as const) {
    const offered = { amount, value, currency };
    assert.equal(
      amountLine(offered, price === undefined ? undefined : asking(price)),
      line,
      `${amount} ${price}`,
    );
  }
});

test('an amount is the full price from the price on, in its currency', () => {
  const isFull = (value: number | null, currency: string | null, price?: string) =>
    isFullPrice({ amount: '', value, currency }, price === undefined ? undefined : asking(price));
  assert.deepEqual(
    [
      isFull(48000, 'USD', '$48,000'),
      isFull(50000, 'USD', '$48,000'),
      isFull(47999.99, 'USD', '$48,000'),
      isFull(48000, 'EUR', '$48,000'),
      isFull(48000, 'USD'),
      isFull(null, null, '$48,000'),
      isFull(48000, 'USD', 'make an offer'),
    ],
    [true, true, false, false, false, false, false],
  );
});
