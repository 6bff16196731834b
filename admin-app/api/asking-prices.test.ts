import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAskingPricesApi, MAX_NAMES } from './asking-prices.ts';
import { clientOf } from './fake-backend.ts';

const { signal } = new AbortController();
const LAP_APP = { name: 'lap.app', state: 'sold', price: '$10,000' };

test('the names are sent in the body, and names without a price are read', async () => {
  const calls: unknown[] = [];
  const listings = [LAP_APP, { name: 'host.example', state: 'for_sale', price: null }];
  const api = createAskingPricesApi(
    clientOf(({ method, url, body }) => {
      calls.push([`${method} ${url.pathname}`, body]);
      return Response.json(listings);
    }),
  );
  assert.deepEqual(await api.readAskingPrices(['lap.app', 'host.example'], signal), listings);
  assert.deepEqual(calls, [['POST /rest/v1/rpc/asking_prices', { names: ['lap.app', 'host.example'] }]]);
});

test('a project without the function is unavailable, and any other error is one', async () => {
  const apiOf = (body: unknown, status: number) =>
    createAskingPricesApi(clientOf(() => Response.json(body, { status })));
  assert.equal(await apiOf({ code: 'PGRST202' }, 404).readAskingPrices(['lap.app'], signal), 'unavailable');
  await assert.rejects(apiOf({ message: 'resting' }, 500).readAskingPrices(['lap.app'], signal), /resting/);
  await assert.rejects(apiOf({ prices: [] }, 200).readAskingPrices(['lap.app'], signal), { message: '' });
});

test('the longest call is below the 64 KiB that the server reads', () => {
  const names = Array<string>(MAX_NAMES).fill('a'.repeat(253));
  assert.ok(JSON.stringify({ names }).length < 64 * 1024);
});
