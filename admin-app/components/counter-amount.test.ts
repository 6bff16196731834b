import assert from 'node:assert/strict';
import { test } from 'node:test';
import { priceOf } from '#contract/price-of.ts';
import { currencyIn, distanceOf, isUntyped, lacksCurrency, withOneCurrency } from './counter-amount.ts';

test('the currency is that of the price, else that of the offer, as it precedes an amount', () => {
  for (const [price, offer, currency] of [
    ['$15,000', '€ 100', '$'],
    ['15.000 €', '$1', '€'],
    ['CHF 1 000', '$1', 'CHF '],
    ['on request', 'usd 5k', '$'],
    ['', '1,000', ''],
  ] as const) {
    assert.equal(currencyIn([priceOf(price), priceOf(offer)], undefined), currency, `${price} ${offer}`);
  }
});

test('what precedes an amount is read as that currency, also where countries share its sign', () => {
  for (const [currency, currencies, text] of [
    ['JPY', undefined, 'JPY '],
    ['JPY', { '¥': 'JPY' }, '¥'],
    ['JPY', { '¥': 'CNY' }, 'JPY '],
    ['USD', { $: 'CAD' }, 'USD '],
    ['CAD', { $: 'CAD' }, 'CA$'],
  ] as const) {
    assert.equal(currencyIn([{ amount: '5', currency }], currencies), text);
  }
  for (const currency of Intl.supportedValuesOf('currency')) {
    const text = `${currencyIn([{ amount: '5', currency }], undefined)}5,000`;
    assert.deepEqual(priceOf(text), { amount: '5000', currency }, text);
  }
});

test('a field that holds the currency alone, or nothing, has no amount', () => {
  for (const amount of ['$', ' $ ', '', '  ']) assert.ok(isUntyped(amount, '$'), `“${amount}”`);
  for (const amount of ['$1', '1', '€']) assert.ok(!isUntyped(amount, '$'), amount);
});

test('a number alone lacks a currency, any sign or word may be one', () => {
  for (const amount of ['14,000', ' 14.000 ', '14k', "14'000.50"]) assert.ok(lacksCurrency(amount), amount);
  for (const amount of ['$14,000', '14 000 kr', 'USD 14000', '14 thousand', 'make me smile', '']) {
    assert.ok(!lacksCurrency(amount), amount);
  }
});

test('the distance is from the offer and from the price, as far as their currency is the same', () => {
  for (const [amount, offer, price, distance] of [
    ['$4,200', '$3,900', '$4,500', '$300 above the offer, 93 % of asking'],
    ['$3,900', '$4,000', '$4,500', '$100 below the offer, 87 % of asking'],
    ['$3,900', '$3,900.00', '$3,900', 'as much as the offer, 100 % of asking'],
    ['$3,900.50', '$3,900', null, '$0.50 above the offer'],
    ['4.200 €', '$3,900', '4.500 €', '93 % of asking'],
    ['4.200 €', '3.900 €', '$4,500', '€300 above the offer'],
    ['4.200 €', 'make me smile', 'on request', ''],
    ['4200', '$3,900', '$4,500', ''],
    ['$', '$3,900', '$4,500', ''],
  ] as const) {
    const beside = { offered: priceOf(offer), asking: priceOf(price ?? '') };
    assert.equal(distanceOf(amount, beside), distance, `${amount} ${offer} ${price}`);
  }
});

test('a currency that was typed beside the one that stood there takes its place', () => {
  for (const [typed, currency, amount] of [
    ['$$14,000', '$', '$14,000'],
    ['$14,000', '$', '$14,000'],
    ['CHF CHF 14', 'CHF ', 'CHF 14'],
    ['€14.000 €', '€', '14.000 €'],
    ['$14.000 €', '$', '14.000 €'],
    ['14.000 €', '$', '14.000 €'],
    ['$14k', '$', '$14k'],
    ['$4,200 (was $4,500)', '$', '$4,200 (was $4,500)'],
    ['14,000', '', '14,000'],
  ] as const) {
    assert.equal(withOneCurrency(typed, currency, undefined), amount, typed);
  }
  assert.equal(withOneCurrency('SEK 14 000 kr', 'SEK ', { kr: 'SEK' }), '14 000 kr');
});
