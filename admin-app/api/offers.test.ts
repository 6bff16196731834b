import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientOf } from './fake-backend.ts';
import { createOffersApi } from './offers.ts';

const { signal } = new AbortController();

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
  await assert.rejects(createOffersApi(ended).readPage({}, undefined, signal), {
    name: 'SessionEnded',
    message: message,
  });
  await assert.rejects(createOffersApi(ended).readPage({}, { sort_key: 'T', id: '1' }, signal), {
    name: 'SessionEnded',
  });
  const silent = clientOf(() => Response.json({ message: 'JWT expired' }, { status: 401 }));
  await assert.rejects(createOffersApi(silent).readPage({}, undefined, signal), {
    name: 'SessionEnded',
    message: message,
  });
  const broken = clientOf(({ url }) =>
    url.pathname.endsWith('/rpc/offer_pages') ? Response.json({}, { status: 503 }) : Response.json([]),
  );
  await assert.rejects(createOffersApi(broken).readPage({}, undefined, signal), { name: 'Error' });
  const empty = clientOf(() => Response.json([]));
  assert.deepEqual(await createOffersApi(empty).readPage({}, undefined, signal), []);
});

test('held and low offers are not among the others, also where the server ignores that', async () => {
  const rows = [{ ...offer, held: true }, { ...offer, low: true }, { ...offer, held: false }, offer];
  const api = createOffersApi(
    clientOf(({ url }) => {
      assert.equal(url.searchParams.get('held'), 'is.false');
      assert.equal(url.searchParams.get('low'), 'is.false');
      return Response.json(rows);
    }),
  );
  assert.deepEqual(await api.readPage({}, undefined, signal), rows.slice(2));
});

test('the first page has the newest offers', async () => {
  const api = createOffersApi(
    clientOf(({ url }) => {
      assert.equal(
        decodeURIComponent(url.search),
        '?select=*&held=is.false&low=is.false&order=created_at.desc,id.desc&limit=100',
      );
      return Response.json([offer]);
    }),
  );
  assert.deepEqual(await api.readPage({}, undefined, signal), [offer]);
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
  await api.readPage({}, { sort_key: created_at, id }, signal);
});

test('the index of pages is sorted, and one that ends too early is an error', async () => {
  const page = (number: number, total: number) => ({
    page: number,
    first_sort_key: 'T',
    first_id: `${number}`,
    total,
  });
  const whole = clientOf(() => Response.json([page(1, 150), page(0, 150)]));
  assert.deepEqual(await createOffersApi(whole).readPageIndex({}, signal), {
    total: 150,
    keys: [
      { sort_key: 'T', id: '0' },
      { sort_key: 'T', id: '1' },
    ],
  });
  const cut = clientOf(() => Response.json([page(0, 150)]));
  await assert.rejects(createOffersApi(cut).readPageIndex({}, signal));
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
  await assert.rejects(createOffersApi(denied).readPage({}, undefined, signal), {
    message: 'permission denied',
  });
  const strange = clientOf(() => Response.json([{ id: 'no offer' }]));
  await assert.rejects(createOffersApi(strange).readPage({}, undefined, signal), { message: '' });
  const proxy = clientOf(() => new Response('<h1>Bad gateway</h1>', { status: 502 }));
  await assert.rejects(createOffersApi(proxy).readPage({}, undefined, signal), { message: '' });
  const plain = clientOf(() => new Response('Bad gateway', { status: 502 }));
  await assert.rejects(createOffersApi(plain).readPage({}, undefined, signal), { message: '' });
  const silent = clientOf(() => Response.json({}, { status: 500 }));
  await assert.rejects(createOffersApi(silent).readPage({}, undefined, signal), { message: '' });
  const offline = clientOf(() => {
    throw new TypeError('Failed to fetch');
  });
  await assert.rejects(createOffersApi(offline).readPage({}, undefined, signal), { message: '' });
});

test('each read carries the signal that aborts it', async () => {
  const sent = new Map<string, AbortSignal | undefined>();
  const { auth } = clientOf(() => assert.fail('a request'));
  const api = createOffersApi({
    auth,
    requestData: async (path, request) => {
      sent.set(path.split('?')[0] ?? '', request?.signal);
      return { status: 200, body: path.endsWith('schema_version') ? 7 : [offer] };
    },
  });
  await api.readPage({}, undefined, signal);
  await api.readSchemaVersion(signal);
  assert.deepEqual(
    [...sent],
    [
      ['offers', signal],
      ['rpc/schema_version', signal],
    ],
  );
});

const FILTER = { term: 'ada@example.com', status: 'pending', only: 'held' } as const;

test('a filter is sent in the body, with the key of a page', async () => {
  const calls: unknown[] = [];
  const api = createOffersApi(
    clientOf(({ method, url, body }) => {
      calls.push([method, url.pathname + url.search, body]);
      if (url.pathname.endsWith('find_offers')) return Response.json({ offers: [offer] });
      return Response.json([{ page: 0, first_sort_key: offer.created_at, first_id: offer.id, total: 1 }]);
    }),
  );
  assert.deepEqual(await api.readPage(FILTER, undefined, signal), [offer]);
  await api.readPage(FILTER, { sort_key: offer.created_at, id: offer.id }, signal);
  const key = { sort_key: offer.created_at, id: offer.id };
  assert.deepEqual(await api.readPageIndex(FILTER, signal), { total: 1, keys: [key] });
  const from = { from_sort_key: offer.created_at, from_id: offer.id };
  assert.deepEqual(calls, [
    ['POST', '/rest/v1/rpc/find_offers', { filter: FILTER, page_size: 100 }],
    ['POST', '/rest/v1/rpc/find_offers', { filter: FILTER, ...from, page_size: 100 }],
    ['POST', '/rest/v1/rpc/offer_pages', { page_size: 100, filter: FILTER }],
  ]);
});

test('the error of a filter has the message of the server, but not the HTML of a proxy', async () => {
  const readOf = (response: () => Response) =>
    createOffersApi(clientOf(response)).readPage(FILTER, undefined, signal);
  const resting = () => Response.json({ message: 'The database is resting.' }, { status: 500 });
  await assert.rejects(readOf(resting), { message: 'The database is resting.' });
  await assert.rejects(
    readOf(() => new Response('<h1>Bad Gateway</h1>', { status: 502 })),
    { message: '' },
  );
  await assert.rejects(
    readOf(() => Response.json([])),
    { message: '' },
  );
});

test('counts are read', async () => {
  const counts = {
    status: { pending: 3 },
    held: 0,
    low: 0,
    overdue: 0,
    messages: 0,
    withdrawn: 0,
    domains: ['lap.app'],
  };
  assert.deepEqual(await createOffersApi(clientOf(() => Response.json(counts))).readCounts(signal), counts);
});

test('the number of the schema is read, and is 0 of a database without the function', async () => {
  const versionOf = (body: unknown, status = 200) =>
    createOffersApi(clientOf(() => Response.json(body, { status }))).readSchemaVersion(signal);
  assert.equal(await versionOf(7), 7);
  assert.equal(await versionOf({ code: 'PGRST202', message: 'no function' }, 404), 0);
  await assert.rejects(versionOf({ message: 'The database is resting.' }, 500), /The database is resting/);
  await assert.rejects(versionOf('<h1>'), { message: '' });
  // Of a proxy that does not lead there.
  for (const body of [null, '<h1>', { message: 'Not Found' }])
    await assert.rejects(versionOf(body, 404), JSON.stringify(body));
});
