import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientOf } from './fake-backend.ts';
import { createFindApi } from './find-offers.ts';

const OFFER = {
  id: '7f3c2f0e-6f7a-4f0c-9d0a-0a4f5d1c2b3a',
  domain_name: 'lap.app',
  offer_amount: '1,000 €',
  customer_name: 'Ada Lovelace',
  customer_email: 'ada@example.com',
  created_at: '2026-11-20T13:37:07.282123+00:00',
  status: 'pending',
  held: false,
};
const FILTER = { term: 'ada@example.com', status: 'pending' } as const;

test('a filter is sent in the body, with the key of a page', async () => {
  const calls: unknown[] = [];
  const reader = createFindApi(
    clientOf(({ method, url, body }) => {
      calls.push([method, url.pathname + url.search, body]);
      if (url.pathname.endsWith('find_offers')) return Response.json({ offers: [OFFER] });
      const key = { page: 0, first_created_at: OFFER.created_at, first_id: OFFER.id, total: 1 };
      return Response.json([key]);
    }),
  ).readerOf(FILTER);
  assert.deepEqual(await reader.readPage(), [OFFER]);
  await reader.readPage(OFFER);
  await reader.readHeldPage();
  const key = { created_at: OFFER.created_at, id: OFFER.id };
  assert.deepEqual(await reader.readPageIndex(), { total: 1, keys: [key] });
  const from = { from_created_at: OFFER.created_at, from_id: OFFER.id };
  assert.deepEqual(calls, [
    ['POST', '/rest/v1/rpc/find_offers', { filter: FILTER, page_size: 100 }],
    ['POST', '/rest/v1/rpc/find_offers', { filter: FILTER, ...from, page_size: 100 }],
    ['POST', '/rest/v1/rpc/find_offers', { filter: { ...FILTER, held: true }, page_size: 100 }],
    ['POST', '/rest/v1/rpc/offer_pages', { page_size: 100, filter: FILTER }],
  ]);
});

test('an error has the message of the server, but not the HTML of a proxy', async () => {
  const readerOf = (response: () => Response) => createFindApi(clientOf(response)).readerOf(FILTER);
  const resting = readerOf(() => Response.json({ message: 'The database is resting.' }, { status: 500 }));
  await assert.rejects(resting.readPage(), { message: 'The database is resting.' });
  const proxy = readerOf(() => new Response('<h1>Bad Gateway</h1>', { status: 502 }));
  await assert.rejects(proxy.readPage(), { message: '' });
  await assert.rejects(readerOf(() => Response.json([])).readPage(), { message: '' });
});

test('counts are read, and unavailable where the database has no such function', async () => {
  const counts = { status: { pending: 3 }, held: 0, domains: ['lap.app'] };
  const api = createFindApi(clientOf(() => Response.json(counts)));
  assert.deepEqual(await api.readCounts(), counts);
  const older = createFindApi(clientOf(() => Response.json({ code: 'PGRST202' }, { status: 404 })));
  assert.equal(await older.readCounts(), 'unavailable');
});
