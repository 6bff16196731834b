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

test('an empty page is an error if the session has ended', async () => {
  const message = 'Your session has ended. Please sign in again.';
  const ended = clientOf(({ url }) =>
    url.pathname.endsWith('/rpc/offer_pages')
      ? Response.json({ code: 'PT401', message: message }, { status: 401 })
      : Response.json([]),
  );
  await assert.rejects(createOffersApi(ended).readPage(), { name: 'SessionEnded', message: message });
  await assert.rejects(createOffersApi(ended).readPage({ created_at: 'T', id: '1' }), {
    name: 'SessionEnded',
  });
  const silent = clientOf(() => Response.json({ message: 'JWT expired' }, { status: 401 }));
  await assert.rejects(createOffersApi(silent).readPage(), { name: 'SessionEnded', message: message });
  const broken = clientOf(({ url }) =>
    url.pathname.endsWith('/rpc/offer_pages') ? Response.json({}, { status: 503 }) : Response.json([]),
  );
  await assert.rejects(createOffersApi(broken).readPage(), { name: 'Error' });
  const empty = clientOf(() => Response.json([]));
  assert.deepEqual(await createOffersApi(empty).readPage(), []);
});

test('held offers are fetched separately, and no row is in both lists', async () => {
  const seen: (string | null)[] = [];
  // As a server that ignores the filter would respond.
  const rows = [{ ...offer, held: true }, { ...offer, held: false }, offer];
  const api = createOffersApi(
    clientOf(({ url }) => {
      seen.push(url.searchParams.get('held'));
      return Response.json(rows);
    }),
  );
  assert.deepEqual(await api.readHeldPage(), rows.slice(0, 1));
  assert.deepEqual(await api.readPage(), rows.slice(1));
  assert.deepEqual(seen, ['is.true', 'is.false']);
});

test('the first page has the newest offers', async () => {
  const api = createOffersApi(
    clientOf(({ url }) => {
      assert.equal(
        decodeURIComponent(url.search),
        '?select=*&held=is.false&order=created_at.desc,id.desc&limit=100',
      );
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
      return Response.json([offer]);
    }),
  );
  await api.readPage({ created_at, id });
});

test('the index of pages is sorted, and one that ends too early is an error', async () => {
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

test('an error has the server’s message; a response of another kind has none', async () => {
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
