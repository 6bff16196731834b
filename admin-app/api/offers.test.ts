import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientOf } from './fake-backend.ts';
import { createOffersApi } from './offers.ts';

const offer = {
  id: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
  domain_name: 'lap.app',
  offer_amount: '1,000 €',
  customer_name: 'Ada',
  customer_email: 'ada@example.com',
  created_at: '2026-11-20T13:05:00.123456+00:00',
  status: 'pending',
};

test('the first page asks for the newest offers', async () => {
  const api = createOffersApi(
    clientOf(({ url }) => {
      assert.equal(decodeURIComponent(url.search), '?select=*&order=created_at.desc,id.desc&limit=100');
      return Response.json([offer]);
    }),
  );
  assert.deepEqual(await api.readPage(), [offer]);
});

test('a later page begins at its key, to the microsecond and with the + of the time zone', async () => {
  const { created_at, id } = offer;
  const api = createOffersApi(
    clientOf(({ url }) => {
      assert.equal(
        url.searchParams.get('or'),
        `(created_at.lt."${created_at}",and(created_at.eq."${created_at}",id.lte."${id}"))`,
      );
      return Response.json([]);
    }),
  );
  await api.readPage({ created_at, id });
});

test('the index of pages is put in order, and one that ends too early is an error', async () => {
  const page = (number: number, total: number) => ({
    page: number,
    first_created_at: 'T',
    first_id: `${number}`,
    total,
  });
  const whole = clientOf(() => Response.json([page(1, 150), page(0, 150)]));
  assert.deepEqual(await createOffersApi(whole).readPageIndex(), {
    total: 150,
    keys: [
      { created_at: 'T', id: '0' },
      { created_at: 'T', id: '1' },
    ],
  });
  const cut = clientOf(() => Response.json([page(0, 150)]));
  await assert.rejects(createOffersApi(cut).readPageIndex());
});

test('an update that matched no row is a conflict', async () => {
  const api = createOffersApi(
    clientOf(({ url, method, body }) => {
      assert.equal(method, 'PATCH');
      assert.equal(url.searchParams.get('id'), `eq.${offer.id}`);
      assert.deepEqual(body, { status: 'accepted' });
      return Response.json(url.searchParams.get('status') === 'eq.pending' ? [{ id: offer.id }] : []);
    }),
  );
  assert.equal(await api.changeStatus(offer.id, 'pending', 'accepted'), 'changed');
  assert.equal(await api.changeStatus(offer.id, 'rejected', 'accepted'), 'conflict');
});

test('the server’s message is the error’s; an answer of another kind has none', async () => {
  const denied = clientOf(() =>
    Response.json({ message: 'permission denied', code: '42501' }, { status: 403 }),
  );
  await assert.rejects(createOffersApi(denied).readPage(), { message: 'permission denied' });
  const strange = clientOf(() => Response.json([{ id: 'no offer' }]));
  await assert.rejects(createOffersApi(strange).readPage(), { message: '' });
  const proxy = clientOf(() => new Response('<h1>Bad gateway</h1>', { status: 502 }));
  await assert.rejects(createOffersApi(proxy).readPage(), { message: '' });
  const silent = clientOf(() => Response.json({}, { status: 500 }));
  await assert.rejects(createOffersApi(silent).readPage(), { message: '' });
  const offline = clientOf(() => {
    throw new TypeError('Failed to fetch');
  });
  await assert.rejects(createOffersApi(offline).readPage(), { message: '' });
});
