import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import type { Call } from '../api/call.ts';
import { createAskingPrices, type Listings, MAX_NAMES } from './asking-prices.ts';
import { offerOf } from './dashboard.fixture.ts';
import { createSessionCache } from './session-cache.ts';

const LAP_APP = { name: 'lap.app', state: 'sold', price: '$10,000' };

function readingOf(
  names: readonly string[],
  response: (names: readonly string[]) => unknown = () => [LAP_APP],
) {
  const call = mock.fn(async (_: string, given: { names: readonly string[] }) => response(given.names));
  const cache = createSessionCache(() => {});
  const { client, clear } = cache;
  const { listingsQuery } = createAskingPrices(call as unknown as Call, cache);
  const query = listingsQuery(names.map((domain_name, n) => offerOf(n, { domain_name })));
  const listings = client.query(query).finally(clear);
  const calls = () => call.mock.calls.map(({ arguments: [, { names: batch }] }) => batch);
  return { listings, calls };
}

test('the distinct names are read, and those that are not in the catalogue are known as such', async () => {
  const { listings, calls } = readingOf(['lap.app', 'gone.example', 'lap.app']);
  assert.deepEqual(await listings, { 'lap.app': LAP_APP, 'gone.example': null });
  assert.deepEqual(calls(), [['gone.example', 'lap.app']]);
});

test(`more than ${MAX_NAMES} names are read in several calls`, async () => {
  const names = Array.from({ length: 2 * MAX_NAMES + 1 }, (_, index) => `n${index}.example`);
  const { listings, calls } = readingOf(names, () => []);
  assert.equal(Object.keys((await listings) as object).length, names.length);
  assert.deepEqual(
    calls().map(({ length }) => length),
    [MAX_NAMES, MAX_NAMES, 1],
  );
});

test('the longest call is below the 64 KiB that the server reads', () => {
  const names = Array<string>(MAX_NAMES).fill('a'.repeat(253));
  assert.ok(JSON.stringify({ names }).length < 64 * 1024);
});

test('names that the server would reject are not sent, and stay unknown', async () => {
  const { listings, calls } = readingOf(['lap.app', 'LAP.APP', 'münchen.example', '', 'a'.repeat(254)]);
  assert.deepEqual(await listings, { 'lap.app': LAP_APP });
  assert.deepEqual(calls(), [['lap.app']]);
});

const GONE = null;
const SOLD = { ...LAP_APP, state: 'sold' };
const FREE = { name: 'lap.app', state: 'for sale', price: '$9' };
for (const polled of [SOLD, FREE, GONE])
  test(`a polled name that is ${polled?.state ?? 'gone'} is shown in each list that has it`, async () => {
    const call = mock.fn(async (): Promise<unknown> => (polled === GONE ? [] : [polled]));
    const cache = createSessionCache(() => {});
    const { client, clear } = cache;
    const { listingsQuery, polledListingQuery } = createAskingPrices(call as unknown as Call, cache);
    const keyOf = (...names: string[]) =>
      listingsQuery(names.map((domain_name, n) => offerOf(n, { domain_name }))).queryKey;
    const [own, both, other] = [keyOf('lap.app'), keyOf('lap.app', 'cup.example'), keyOf('cup.example')];
    const put = (key: readonly unknown[], listings: Listings) => client.setQueryData(key, listings);
    const before = { ...LAP_APP, state: 'reserved' };
    put(own, { 'lap.app': before });
    put(both, { 'lap.app': GONE, 'cup.example': GONE });
    put(other, { 'cup.example': GONE });
    assert.deepEqual(await client.query({ ...polledListingQuery('lap.app'), retry: false }), polled);
    assert.deepEqual(call.mock.calls[0]?.arguments.slice(0, 2), ['asking_prices', { names: ['lap.app'] }]);
    assert.deepEqual(client.getQueryData(own), { 'lap.app': polled });
    assert.deepEqual(client.getQueryData(both), { 'lap.app': polled, 'cup.example': GONE });
    assert.deepEqual(client.getQueryData(other), { 'cup.example': GONE });
    clear();
  });
