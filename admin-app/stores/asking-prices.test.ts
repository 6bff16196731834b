import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { atom } from 'nanostores';
import type { Offer } from '#contract/offer.ts';
import { type AskingPricesApi, type Listing, MAX_NAMES } from '../api/asking-prices.ts';
import { SessionEnded } from '../api/with-fresh-token.ts';
import { createAskingPrices } from './asking-prices.ts';
import { listOfFirstPage, listWithStatus, withPage } from './offer-list.ts';
import type { LoadedOffers, Offers } from './offers.ts';

beforeEach(() => {
  mock.restoreAll();
  mock.method(console, 'info', () => {});
});

const PRICE = '$10,000';

function offerFor(domain_name: string): Offer {
  return {
    id: crypto.randomUUID(),
    domain_name,
    offer_amount: '$1',
    customer_name: 'Ada Lovelace',
    customer_email: 'ada@example.com',
    created_at: '2026-11-20T13:37:07.282+00:00',
    status: 'pending',
  };
}

function loaded(names: readonly string[], more: Partial<LoadedOffers> = {}): LoadedOffers {
  return {
    status: 'loaded',
    list: listOfFirstPage(names.map(offerFor)),
    held: { offers: [], hasMore: false },
    reloading: false,
    saving: new Map(),
    ...more,
  };
}

const listingOf = (name: string): Listing => ({ name, state: 'for_sale', price: PRICE });

function pricesOf() {
  const $offers = atom<Offers>({ status: 'loading' });
  const readAskingPrices = mock.fn<AskingPricesApi['readAskingPrices']>(async (names) =>
    names.map(listingOf),
  );
  const onSessionEnded = mock.fn();
  const prices = createAskingPrices({ readAskingPrices }, { $offers }, onSessionEnded);
  return {
    ...prices,
    readAskingPrices,
    onSessionEnded,
    /** The names of each call so far. */
    calls: () => readAskingPrices.mock.calls.map(({ arguments: [names] }) => names),
    async show(offers: Offers) {
      $offers.set(offers);
      await settle();
    },
  };
}

/** Lets everything that is resolved be noticed. */
const settle = () => new Promise((done) => setImmediate(done));

test('the distinct names of a list, held offers included, are read once it is loaded', async () => {
  const { $listings, calls, show } = pricesOf();
  const held = { offers: [offerFor('held.example')], hasMore: false };
  const list = loaded(['lap.app', 'host.example', 'lap.app'], { held });
  await show({ ...list, reloading: true });
  assert.deepEqual(calls(), []);
  await show(list);
  assert.deepEqual(calls(), [['lap.app', 'host.example', 'held.example']]);
  assert.deepEqual($listings.get().get('lap.app'), listingOf('lap.app'));
});

test('what does not come from a reading of the list reads no names again', async () => {
  const { calls, show } = pricesOf();
  const list = loaded(['lap.app']);
  const [offer] = list.list.newest;
  await show(list);
  await show({ ...list, list: listWithStatus(list.list, offer?.id ?? '', 'accepted') });
  await show({ ...list, error: 'offline' });
  assert.equal(calls().length, 1);
});

test('a page that is scrolled to adds its new names', async () => {
  const { $listings, calls, show } = pricesOf();
  const list = loaded(['lap.app']);
  await show(list);
  await show({ ...list, list: withPage(list.list, 1, [offerFor('lap.app'), offerFor('host.example')]) });
  assert.deepEqual(calls(), [['lap.app'], ['host.example']]);
  assert.deepEqual([...$listings.get().keys()], ['lap.app', 'host.example']);
});

test('another reading of the list reads all names again, and forgets what left the catalogue', async () => {
  const { $listings, readAskingPrices, show } = pricesOf();
  await show(loaded(['lap.app', 'host.example']));
  const before = $listings.get().get('lap.app');
  readAskingPrices.mock.mockImplementation(async () => [listingOf('lap.app')]);
  await show(loaded(['lap.app', 'host.example']));
  assert.deepEqual([...$listings.get().keys()], ['lap.app']);
  // The same object, so that its rows are not rendered again.
  assert.equal($listings.get().get('lap.app'), before);
});

test('a changed price or state is shown', async () => {
  const { $listings, readAskingPrices, show } = pricesOf();
  await show(loaded(['lap.app', 'host.example']));
  const changed = [
    { name: 'lap.app', state: 'sold', price: PRICE },
    { name: 'host.example', state: 'for_sale', price: '$1' },
  ];
  readAskingPrices.mock.mockImplementation(async () => changed);
  await show(loaded(['lap.app', 'host.example']));
  assert.deepEqual([...$listings.get().values()], changed);
});

test(`more than ${MAX_NAMES} names are read in several calls`, async () => {
  const { $listings, calls, show } = pricesOf();
  const names = Array.from({ length: 2 * MAX_NAMES + 1 }, (_, index) => `n${index}.example`);
  await show(loaded(names));
  assert.deepEqual(
    calls().map(({ length }) => length),
    [MAX_NAMES, MAX_NAMES, 1],
  );
  assert.equal($listings.get().size, names.length);
});

test('names that the server would reject are not sent', async () => {
  const { calls, show } = pricesOf();
  await show(loaded(['lap.app', 'LAP.APP', 'münchen.example', '', 'a'.repeat(254)]));
  assert.deepEqual(calls(), [['lap.app']]);
});

test('an error leaves what is known, and the next reading of the list tries again', async () => {
  const { $listings, readAskingPrices, calls, show, onSessionEnded } = pricesOf();
  const list = loaded(['lap.app']);
  await show(list);
  readAskingPrices.mock.mockImplementationOnce(() => Promise.reject(new Error('offline')));
  await show(loaded(['lap.app', 'host.example']));
  assert.deepEqual([...$listings.get().keys()], ['lap.app']);
  await show(loaded(['lap.app', 'host.example']));
  assert.deepEqual([...$listings.get().keys()], ['lap.app', 'host.example']);
  assert.equal(calls().length, 3);
  assert.equal(onSessionEnded.mock.callCount(), 0);
});

test('an ended session is reported', async () => {
  const { readAskingPrices, show, onSessionEnded } = pricesOf();
  readAskingPrices.mock.mockImplementationOnce(() => Promise.reject(new SessionEnded()));
  await show(loaded(['lap.app']));
  assert.equal(onSessionEnded.mock.callCount(), 1);
});

test('a project without the function is called once for each sign-in', async () => {
  const { $listings, readAskingPrices, calls, show, forgetPrices } = pricesOf();
  readAskingPrices.mock.mockImplementationOnce(async () => 'unavailable');
  await show(loaded(['lap.app']));
  await show(loaded(['lap.app']));
  assert.equal(calls().length, 1);
  forgetPrices();
  await show(loaded(['lap.app']));
  assert.equal($listings.get().size, 1);
});

test('signing out clears everything and drops late responses', async () => {
  for (const late of [[listingOf('host.example')], 'unavailable', new SessionEnded()] as const) {
    const { $listings, readAskingPrices, show, forgetPrices, onSessionEnded } = pricesOf();
    await show(loaded(['lap.app']));
    const response = Promise.withResolvers<Listing[] | 'unavailable'>();
    readAskingPrices.mock.mockImplementationOnce(() => response.promise);
    await show(loaded(['host.example']));
    forgetPrices();
    if (late instanceof Error) response.reject(late);
    else response.resolve(late === 'unavailable' ? late : [...late]);
    await settle();
    assert.equal($listings.get().size, 0);
    assert.equal(onSessionEnded.mock.callCount(), 0);
    await show(loaded(['lap.app']));
    assert.equal($listings.get().size, 1);
  }
});

test('a response of an earlier reading does not replace a later one', async () => {
  const { $listings, readAskingPrices, show } = pricesOf();
  const response = Promise.withResolvers<Listing[]>();
  readAskingPrices.mock.mockImplementationOnce(() => response.promise);
  await show(loaded(['lap.app']));
  await show(loaded(['lap.app']));
  response.resolve([{ name: 'lap.app', state: 'sold', price: '$1' }]);
  await settle();
  assert.deepEqual($listings.get().get('lap.app'), listingOf('lap.app'));
});
