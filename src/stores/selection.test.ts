import '../api/settings.stub.ts';
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

const { $offer } = await import('./offer.ts');
const { $selected, deselectDomain, selectDomain } = await import('./selection.ts');

const lap = { name: 'lap.app' };

beforeEach(() => {
  $selected.set(null);
  $offer.set({ status: 'editing' });
});

test('choosing a domain selects it', () => {
  selectDomain(lap);
  assert.deepEqual($selected.get(), lap);
});

test('choosing clears an earlier success, even if the same domain is chosen again', () => {
  selectDomain(lap);
  const offer = {
    domain_name: 'lap.app',
    offer_amount: '$1',
    customer_name: 'Ada',
    customer_email: 'a@b.example',
  };
  $offer.set({ status: 'submitted', domain: 'lap.app', offer });
  selectDomain(lap);
  assert.deepEqual($offer.get(), { status: 'editing' });
});

test('choosing clears an earlier error', () => {
  $offer.set({ status: 'failed', reason: 'unexpected' });
  selectDomain(lap);
  assert.deepEqual($offer.get(), { status: 'editing' });
});

test('choosing keeps an offer in flight', () => {
  $offer.set({ status: 'submitting' });
  selectDomain(lap);
  assert.deepEqual($offer.get(), { status: 'submitting' });
});

test('selecting none clears the selection and an earlier error', () => {
  selectDomain(lap);
  $offer.set({ status: 'failed', reason: 'unexpected' });
  deselectDomain();
  assert.deepEqual([$selected.get(), $offer.get()], [null, { status: 'editing' }]);
});
