import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOfferArrivals } from './offer-arrivals.ts';

test('offers arrive until 300 ms after the last one', () => {
  let time = 0;
  const { add, areArriving } = createOfferArrivals(() => time);
  assert.equal(areArriving(), false);
  const seen: boolean[] = [];
  for (const [at, isOffer] of [
    [100, true],
    [399, false],
    [399, true],
    [698, false],
    [699, false],
  ] as const) {
    time = at;
    if (isOffer) add();
    seen.push(areArriving());
  }
  assert.deepEqual(seen, [true, true, true, true, false]);
});
