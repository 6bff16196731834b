import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import type { Offer } from '#contract/offer.ts';
import type { OffersApi } from '../api/offers.ts';
import { createLinkedOffer } from './linked-offer.ts';
import { createOffers } from './offers.ts';

beforeEach(() => {
  mock.restoreAll();
  mock.method(console, 'error', () => {});
});

const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const linkTo = (n: number) => `#offer=${idOf(n)}`;
/** The n-th offer is n minutes older than the first. */
const offer = (n: number, held = false) =>
  ({
    id: idOf(n),
    created_at: new Date(Date.UTC(2026, 10, 20) - n * 60_000).toISOString(),
    status: 'pending',
    held,
  }) as Offer;

function dashboardOf(total: number, heldTotal = 0) {
  const rows = Array.from({ length: total }, (_, n) => offer(n));
  const held = Array.from({ length: heldTotal }, (_, n) => offer(900_000 + n, true));
  const pageOf = (list: Offer[], from?: { id: string }) => {
    const first = from ? list.findIndex(({ id }) => id === from.id) : 0;
    return list.slice(first, first + 100);
  };
  const api = {
    readPage: mock.fn<OffersApi['readPage']>(async (from) => pageOf(rows, from)),
    readPageIndex: mock.fn<OffersApi['readPageIndex']>(async () => ({
      total: rows.length,
      keys: rows.filter((_, n) => n % 100 === 0),
    })),
    readHeldPage: mock.fn<OffersApi['readHeldPage']>(async (from) => pageOf(held, from)),
    readOffer: mock.fn<OffersApi['readOffer']>(async (id) => [...rows, ...held].find((row) => row.id === id)),
    changeStatus: mock.fn<OffersApi['changeStatus']>(async () => 'changed'),
  };
  const list = createOffers(api);
  return { rows, api, list, ...createLinkedOffer(api, list) };
}

test('waits for the list, then finds the row without a request', async () => {
  const { $linked, openLink, list, api } = dashboardOf(3);
  const opening = openLink(linkTo(2));
  assert.deepEqual($linked.get(), { status: 'searching', id: idOf(2) });
  await list.loadOffers();
  await opening;
  assert.deepEqual($linked.get(), { status: 'found', id: idOf(2), row: 2, isFocused: false });
  assert.equal(api.readOffer.mock.callCount(), 0);
});

for (const n of [100, 199, 54_321, 99_999]) {
  test(`finds offer ${n} of 100,000 on its page`, async () => {
    const { $linked, openLink, list } = dashboardOf(100_000);
    await list.loadOffers();
    await openLink(linkTo(n));
    assert.deepEqual($linked.get(), { status: 'found', id: idOf(n), row: n, isFocused: false });
  });
}

test('finds a held offer, however many there are', async () => {
  const { $linked, openLink, list } = dashboardOf(3, 350);
  await list.loadOffers();
  await openLink(linkTo(900_320));
  assert.deepEqual($linked.get(), { status: 'found', id: idOf(900_320), row: undefined, isFocused: false });
});

test('reads the list again for an offer that is newer than it', async () => {
  const { $linked, openLink, list, rows } = dashboardOf(2_500);
  await list.loadOffers();
  rows.unshift({ ...offer(-1), id: idOf(5_000) });
  await openLink(linkTo(5_000));
  assert.deepEqual($linked.get(), { status: 'found', id: idOf(5_000), row: 0, isFocused: false });
});

for (const total of [0, 3, 2_500]) {
  test(`an unknown offer among ${total} is unknown`, async () => {
    const { $linked, openLink, list } = dashboardOf(total);
    await list.loadOffers();
    await openLink(linkTo(7_777));
    assert.deepEqual($linked.get(), { status: 'unknown', id: idOf(7_777) });
  });
}

test('takes the focus once, and any other fragment closes it', async () => {
  const { $linked, openLink, linkedOfferFocused, list } = dashboardOf(3);
  await list.loadOffers();
  await openLink(linkTo(1));
  linkedOfferFocused();
  assert.deepEqual($linked.get(), { status: 'found', id: idOf(1), row: 1, isFocused: true });
  await openLink('#held-offers');
  assert.deepEqual($linked.get(), { status: 'none' });
});

test('a link that another one has overtaken changes nothing', async () => {
  const { $linked, openLink, list, api } = dashboardOf(2_500);
  await list.loadOffers();
  const late = Promise.withResolvers<Offer | undefined>();
  api.readOffer.mock.mockImplementationOnce(() => late.promise);
  const first = openLink(linkTo(1_500));
  await new Promise((done) => setImmediate(done));
  assert.equal(api.readOffer.mock.callCount(), 1);
  await openLink(linkTo(1));
  late.resolve(offer(1_500));
  await first;
  assert.deepEqual($linked.get(), { status: 'found', id: idOf(1), row: 1, isFocused: false });
});
