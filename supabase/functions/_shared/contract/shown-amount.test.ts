import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoredMove } from './negotiation.ts';
import {
  percent,
  type StoredAmount,
  shareOf,
  shownAmountOf,
  shownMove,
  shownPrice,
  standingOf,
} from './shown-amount.ts';

/** With the usual space where the format has another one. */
const plain = (text: string) => text.replace(/\s/g, ' ');

test('a price that is one clear amount is shown by the language, any other text as typed', () => {
  for (const [text, en, de] of [
    ['$15,000', '$15,000', '15.000 $'],
    ['USD 6900', '$6,900', '6.900 $'],
    ['15.000 €', '€15,000', '15.000 €'],
    ["CHF 6'900.–", 'CHF 6,900', '6.900 CHF'],
    ['$99.5', '$99.50', '99,50 $'],
  ] as const) {
    assert.equal(plain(shownPrice(text, 'en').text), en);
    assert.equal(plain(shownPrice(text, 'de').text), de);
    assert.ok(shownPrice(text, 'de').isClear);
  }
  for (const text of ['make an offer', 'from $500', 'about $500', '$500–700', 'kr 5,000', '500'])
    assert.deepEqual(shownPrice(text, 'de'), { text, isClear: false });
  assert.equal(plain(shownPrice('kr 5,000', 'de', { kr: 'SEK' }).text), '5.000 SEK');
});

test('a counter-offer is shown by what was stored, unless it has words beside its amount', () => {
  for (const [stored, text] of [
    [{ amount: 'usd 4.3k', value: 4300, currency: 'USD' }, '4.300 $'],
    [{ amount: '$4,300', value: 4300, currency: 'CAD' }, '4.300 CA$'],
    [{ amount: '4300.5 kr', value: 4300.5, currency: 'SEK' }, '4.300,50 SEK'],
    [{ amount: '¥4,300', value: 4300, currency: 'CNY' }, '4.300 CN¥'],
    [{ amount: '4,300', value: 4300, currency: 'USD' }, '4,300'],
    [{ amount: 'about $4,300', value: 4300, currency: 'USD' }, 'about $4,300'],
    [{ amount: '$4,300', value: null, currency: null }, '$4,300'],
  ] as const) {
    assert.equal(plain(shownMove({ kind: 'counter', ...stored }, 'de').text), text);
  }
});

test('an amount of the buyer stays as typed until it is agreed', () => {
  const move = (kind: string, stored: StoredAmount = {}) =>
    ({ number: 1, side: kind === 'counter' ? 'owner' : 'buyer', kind, ...stored, at: '' }) as StoredMove;
  const five = { amount: 'usd 5k', value: 5000, currency: 'USD' };
  const seven = { amount: 'USD 7500', value: 7500, currency: 'USD' };
  const [offer, counter] = [move('offer', five), move('counter', seven)];
  for (const [moves, shown] of [
    [[], ''],
    [[offer], 'usd 5k'],
    [[offer, move('decline')], 'usd 5k'],
    [[offer, move('accept', five)], '5.000 $'],
    [[offer, counter], '7.500 $'],
    [[offer, counter, move('accept', seven)], '7.500 $'],
    [[offer, counter, offer], 'usd 5k'],
    [[offer, move('accept', five), move('take_back')], 'usd 5k'],
    [[offer, counter, move('accept', seven), move('take_back')], '7.500 $'],
  ] as const) {
    assert.equal(plain(shownAmountOf(moves, 'de').text), shown);
  }
});

test('an acceptance does not change whose amount counts, so that it can be taken back', () => {
  const move = (side: string, kind: string, amount?: string) => ({ side, kind, amount }) as StoredMove;
  const [offer, counter] = [move('buyer', 'offer', '5k'), move('owner', 'counter', '$7,500')];
  for (const end of [
    [],
    [move('owner', 'accept', '5k')],
    [move('owner', 'accept', '5k'), move('owner', 'take_back')],
  ])
    assert.equal(standingOf([offer, ...end]), offer);
  assert.equal(
    standingOf([offer, counter, move('buyer', 'accept', '$7,500'), move('owner', 'take_back')]),
    counter,
  );
  assert.equal(standingOf([]), undefined);
});

test('what is agreed is clear as a number above zero of at most nine digits with a currency', () => {
  for (const [value, text] of [
    [999_999_999, '$999,999,999'],
    [1_234_567.89, '$1,234,567.89'],
    [15_000, '$15,000'],
    [1_000_000_000, undefined],
    [12_345_678.9, undefined],
    [123_456_789.5, undefined],
    [0, undefined],
    [-5, undefined],
    [null, undefined],
  ] as const) {
    const agreed = shownMove({ kind: 'accept', amount: 'as typed', value, currency: 'USD' }, 'en');
    assert.deepEqual(agreed, { text: text ?? 'as typed', isClear: text !== undefined });
  }
});

test('a share is one of amounts in the same currency, and less than the whole is never all or nothing', () => {
  const asking = { amount: '15000', currency: 'USD' };
  for (const [amount, text] of [
    ['1', 'under 1 %'],
    ['150', '1 %'],
    ['12000', '80 %'],
    ['14999.99', '99 %'],
  ] as const)
    assert.equal(percent(shareOf({ amount, currency: 'USD' }, asking) ?? 0), text);
  for (const [price, whole] of [
    [{ amount: '12000', currency: 'EUR' }, asking],
    [undefined, asking],
    [asking, undefined],
    [undefined, undefined],
  ] as const)
    assert.equal(shareOf(price, whole), undefined);
});
