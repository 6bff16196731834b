import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filledIn } from './filled-in.ts';

const PRICE = { amount: '4100', currency: 'USD' };

test('what a payment page gets is read from its URL', () => {
  for (const [url, amount, reference] of [
    ['https://pay.example/lap?__prefilled_amount=410000&client_reference_id=LAP-7F3K', true, true],
    ['https://pay.example/ada?amount=4100&currency=USD&description=lap.app%20LAP-7F3K', true, true],
    ['https://pay.example/ada/4100USD', true, false],
    ['https://pay.example/ada/usd4100', true, false],
    ['https://pay.example/to#LAP-7F3K', false, true],
    ['https://4100.example/t/8f41004100?ref=LAP-7F3KX', false, false],
    ['https://pay.example:4100/', false, false],
    ['https://pay.example', false, false],
  ] as const)
    assert.deepEqual(filledIn(deal(url), PRICE), { amount, reference }, url);
  assert.deepEqual(filledIn(deal('https://pay.example/?a=&b'), undefined), {
    amount: false,
    reference: false,
  });
  assert.deepEqual(filledIn(deal('https://pay.example/?a=4100.50'), { amount: '4100.50', currency: 'USD' }), {
    amount: true,
    reference: false,
  });
});

function deal(url: string) {
  return { reference: 'LAP-7F3K', agreed_at: '', pay: { url, host: 'pay.example' } };
}
