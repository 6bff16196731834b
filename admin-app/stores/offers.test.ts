import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { QueryObserver } from '@tanstack/react-query';
import { SCHEMA_VERSION } from '#contract/calls.ts';
import type { Offer } from '#contract/offer.ts';
import { SessionEnded } from '../api/with-fresh-token.ts';
import { dashboardOf, idOf, offerOf, settled } from './dashboard.fixture.ts';
import { OLDER_DATABASE, OLDER_PAGES } from './offers.ts';

beforeEach(() => {
  mock.restoreAll();
  mock.method(console, 'error', () => {});
});

const idsOf = (offers: readonly Offer[]) => offers.map(({ id }) => id);

test('a few offers take one request', async () => {
  const { open, shown, api, rows } = dashboardOf(3);
  await open();
  assert.deepEqual(shown(), rows);
  assert.equal(api.readPageIndex.mock.callCount(), 0);
});

for (const total of [99, 100, 101, 1_001, 2_000]) {
  test(`all of ${total} offers are loaded, each once and in order`, async () => {
    const { open, shown, list, rows } = dashboardOf(total);
    await open();
    assert.deepEqual(idsOf(shown()), idsOf(rows));
    assert.equal(list().getCurrentResult().data?.isWhole, true);
  });
}

test('all of 450 held offers are the list of a filter', async () => {
  const { open, shown, showList, held } = dashboardOf(3, 450);
  await open();
  assert.equal(shown().length, 3);
  showList({ only: 'held' });
  await settled();
  assert.deepEqual(idsOf(shown()), idsOf(held));
});

test('the first page is shown while the others are fetched', async () => {
  const { open, list, reload } = dashboardOf(500);
  const seen = new Set<number | undefined>();
  list().subscribe(({ data }) => seen.add(data?.index.total));
  await open();
  assert.deepEqual([...seen], [undefined, 100, 500]);
  seen.clear();
  await reload();
  assert.deepEqual([...seen], [500], 'no row goes while the list is read again');
});

test('an offer that arrives between the first page and the index is loaded too', async () => {
  const { open, shown, api, rows } = dashboardOf(150);
  api.readPageIndex.mock.mockImplementationOnce(async () => {
    rows.unshift(offerOf(-1, { id: idOf(9_999) }));
    const keys = rows
      .filter((_, n) => n % 100 === 0)
      .map(({ id, created_at }) => ({ id, sort_key: created_at }));
    return { total: rows.length, keys };
  });
  await open();
  assert.deepEqual(idsOf(shown()), idsOf(rows));
});

test('of a long list the rows on the screen are fetched, and read again with the list', async () => {
  const { open, shown, api, $inView, reload, list, client, pageQuery, showList } = dashboardOf(100_000);
  const close = await open();
  assert.equal(shown().length, 100);
  $inView.set([50_000, 50_020]);
  const before = api.readPage.mock.callCount();
  await reload();
  assert.equal(api.readPage.mock.callCount() - before, 2, 'the first page and the one in view');
  assert.ok(idsOf(shown()).includes(idOf(50_007)));
  const { filter = {}, index } = list().getCurrentResult().data ?? {};
  const [onScreen, left] = [index?.keys[500], index?.keys[700]];
  assert.ok(onScreen && left);
  const page = new QueryObserver(client, pageQuery(filter, onScreen));
  const leave = page.subscribe(() => {});
  await client.query(pageQuery(filter, left));
  await reload();
  leave();
  assert.equal(api.readPage.mock.callCount() - before, 5, 'and one that was scrolled past');
  assert.equal(client.getQueryData(pageQuery(filter, left).queryKey), undefined);
  showList({});
  assert.deepEqual($inView.get(), [0, 0]);
  close();
});

for (const total of [3, 150])
  test(`an error of loading ${total} offers goes once the list is there, or another one is chosen`, async () => {
    const { open, reload, api, showList, $loadError } = dashboardOf(total);
    const close = await open();
    const fail = async () => {
      api.readPage.mock.mockImplementationOnce(() => Promise.reject(new Error('Offline.')));
      await reload();
    };
    await fail();
    assert.equal($loadError.get(), 'Offline.');
    await reload();
    assert.equal($loadError.get(), undefined);
    await fail();
    showList({});
    assert.equal($loadError.get(), undefined);
    close();
  });

test('the error of a page goes once that page is there, not another one', async () => {
  const { open, list, client, pageQuery, api, showLoadError, $loadError } = dashboardOf(100_000);
  await open();
  const { filter = {}, index } = list().getCurrentResult().data ?? {};
  const [failing, other] = [index?.keys[300], index?.keys[400]];
  assert.ok(failing && other);
  api.readPage.mock.mockImplementationOnce(() => Promise.reject(new Error('Offline.')));
  const error = await client.query(pageQuery(filter, failing)).catch((reason: Error) => reason);
  showLoadError(error as Error);
  await client.query(pageQuery(filter, other));
  assert.equal($loadError.get(), 'Offline.');
  await client.query(pageQuery(filter, failing));
  assert.equal($loadError.get(), undefined);
});

test('what could not be loaded is loaded again every 20 seconds, and when the network is back', () => {
  const { schemaQuery, listQuery, pageQuery } = dashboardOf(1);
  for (const query of [schemaQuery, listQuery({}), pageQuery({}, { sort_key: '', id: idOf(0) })]) {
    const { refetchInterval, refetchOnReconnect } = query as unknown as Record<
      'refetchInterval' | 'refetchOnReconnect',
      (query: object) => unknown
    >;
    const of = (status: string) =>
      [refetchInterval, refetchOnReconnect].map((decide) => decide({ state: { status } }));
    assert.deepEqual(
      [of('error'), of('success')],
      [
        [20_000, true],
        [false, false],
      ],
    );
  }
});

test('which offers are new is known from the list of all, not from that of a filter', async () => {
  const { open, showList, $openedAt, rows } = dashboardOf(3, 4);
  showList({ only: 'held' });
  await open();
  assert.equal($openedAt.get(), undefined);
  showList({});
  await settled();
  assert.equal($openedAt.get(), rows[0]?.created_at);
});

test('offers that were on the screen are known until the session ends', async () => {
  const { open, markSeen, $seen } = dashboardOf(2);
  const close = await open();
  for (const n of [0, 1, 0]) markSeen(idOf(n));
  assert.deepEqual([...$seen.get()], [idOf(0), idOf(1)]);
  close();
  assert.equal($seen.get().size, 0);
});

test('an ended session is reported', async () => {
  const { open, list, reload, api, onSessionEnded } = dashboardOf(1);
  api.readPage.mock.mockImplementationOnce(() => Promise.reject(new SessionEnded()));
  await open();
  assert.equal(onSessionEnded.mock.callCount(), 1);
  assert.equal(list().getCurrentResult().data, undefined);
  await reload();
  assert.equal(list().getCurrentResult().data?.index.total, 1);
});

test('a failed refresh keeps the rows, and the next one clears its message', async () => {
  const { open, shown, refresh, $loadError, $isRefreshing, api, client } = dashboardOf(2);
  await open();
  for (const [message, expected] of [
    ['offline', 'offline'],
    ['', 'Failed to fetch offers'],
  ] as const) {
    api.readPage.mock.mockImplementationOnce(() => Promise.reject(new Error(message)));
    await refresh();
    assert.equal(shown().length, 2);
    assert.equal($loadError.get(), expected);
    assert.equal($isRefreshing.get(), false);
  }
  client.setQueryData(['site', 'health'], {});
  const refreshing = refresh();
  assert.equal(client.getQueryState(['site', 'health'])?.isInvalidated, true);
  assert.deepEqual([$loadError.get(), $isRefreshing.get()], [undefined, true]);
  await refreshing;
  assert.equal($loadError.get(), undefined);
});

test('a quiet reading shows no error', async () => {
  const { open, reload, $loadError, api } = dashboardOf(1);
  await open();
  api.readPage.mock.mockImplementationOnce(() => Promise.reject(new Error('offline')));
  assert.equal(await reload({ quiet: true }), false);
  assert.equal($loadError.get(), undefined);
});

test('a response that is overtaken by a newer one is dropped', async () => {
  const { open, shown, reload, api, rows } = dashboardOf(1);
  await open();
  const late = Promise.withResolvers<Offer[]>();
  api.readPage.mock.mockImplementationOnce(() => late.promise);
  const first = reload();
  rows.unshift(offerOf(-1, { id: idOf(9_999) }));
  await reload();
  late.resolve([]);
  await first;
  await settled();
  assert.deepEqual(idsOf(shown()), idsOf(rows));
});

test('counts are read with each list', async () => {
  const { open, reload, api } = dashboardOf(1);
  await open();
  await reload();
  await settled();
  assert.equal(api.readCounts.mock.callCount(), 2);
});

for (const [version, problem] of [
  [SCHEMA_VERSION, null],
  [SCHEMA_VERSION - 1, OLDER_DATABASE],
  [SCHEMA_VERSION + 1, OLDER_PAGES],
] as const)
  test(`the list of a filter is shown only by a database of the same schema: ${problem ?? 'the same'}`, async () => {
    const { open, shown, showList, $filter, $loadError, client, schemaQuery, api, rows, held } = dashboardOf(
      3,
      4,
    );
    api.readSchemaVersion.mock.mockImplementation(async () => version);
    const only = { only: 'held' } as const;
    showList(only);
    await open();
    for (const _ of ['at first', 'once the schema is known']) {
      assert.equal(await client.query(schemaQuery), problem);
      assert.deepEqual($filter.get(), problem === null ? only : {});
      assert.deepEqual(idsOf(shown()), idsOf(problem === null ? held : rows));
      showList(only);
      await settled();
    }
    const wasFiltered = api.readPage.mock.calls.some(({ arguments: [filter] }) => 'only' in filter);
    assert.equal(wasFiltered, problem === null);
    assert.equal($loadError.get(), undefined);
    assert.equal(api.readSchemaVersion.mock.callCount(), 1);
  });
