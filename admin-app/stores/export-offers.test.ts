import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { MutationObserver } from '@tanstack/react-query';
import type { Call } from '../api/call.ts';
import { dashboardOf, idOf, MOVE_KINDS, offerOf, settled } from './dashboard.fixture.ts';
import { createExport } from './export-offers.ts';
import { createStandings, type Standings } from './standings.ts';

async function exportOf(total: number, standings: Standings = {}) {
  const dashboard = dashboardOf(total);
  const save = mock.fn<(lines: string[]) => void>();
  const call = mock.fn(async (_: string, { offer_ids }: { offer_ids: readonly string[] }) =>
    Object.fromEntries(offer_ids.flatMap((id) => (standings[id] ? [[id, standings[id]]] : []))),
  );
  const source = createStandings(call as unknown as Call);
  const { exportOffers } = createExport(dashboard, source, dashboard.cache, save);
  await dashboard.open();
  const run = () => new MutationObserver(dashboard.client, exportOffers).mutate();
  return { ...dashboard, save, run, lines: () => save.mock.calls[0]?.arguments[0] ?? [] };
}

for (const total of [3, 250, 2_500]) {
  test(`the file has a line for each of ${total} offers, in their order`, async () => {
    const { run, lines, rows } = await exportOf(total);
    await run();
    assert.deepEqual(
      lines()
        .slice(1)
        .map((line) => line.slice(0, 36)),
      rows.map(({ id }) => id),
    );
  });
}

for (const first of ['is still there', 'was removed']) {
  test(`an offer stands once in the file where a page overlaps the next, whose first offer ${first}`, async () => {
    const { run, lines, rows, api } = await exportOf(250);
    const places = new Map(rows.map(({ id }, place) => [id, place]));
    // Removed by another administrator after the list was read: its pages begin where they did.
    const removed = first === 'was removed' ? [3, 7, 100, 150] : [3, 7, 150];
    const left = rows.filter((_, place) => !removed.includes(place));
    api.readPage.mock.mockImplementation(async (_filter, from) => {
      const start = from ? (places.get(from.id) ?? 0) : 0;
      return left.filter(({ id }) => (places.get(id) ?? 0) >= start).slice(0, 100);
    });
    await run();
    assert.deepEqual(
      lines()
        .slice(1)
        .map((line) => line.slice(0, 36)),
      left.map(({ id }) => id),
    );
  });
}

test('the file has what the filter shows, and no cell that a spreadsheet runs', async () => {
  const { run, lines, rows, showList } = await exportOf(2);
  rows.push(offerOf(7, { status: 'accepted', offer_amount: '=1+1', customer_name: '@Ada, "Countess"' }));
  showList({ status: 'accepted' });
  await run();
  assert.equal(
    lines()[0],
    '\uFEFFid,domain_name,offer_amount,customer_name,customer_email,created_at,status,current_amount,agreed_amount,value,currency,current_value,current_currency,agreed_value,agreed_currency,reference,pay_by,paid_at,transferred_at,sold_at\r\n',
  );
  assert.equal(lines().length, 2);
  assert.match(
    lines()[1] ?? '',
    /,lap\.app,'=1\+1,"'@Ada, ""Countess""",ada@example\.com,.*,accepted,'=1\+1,'=1\+1,,,,,,,,,,,\r\n$/,
  );
});

for (const kind of MOVE_KINDS) {
  test(`after ${kind} the file has the amount that was named last, as agreed and with the deal where it is accepted`, async () => {
    const at = '2026-11-20T00:00:00Z';
    const named = { kind, at, amount: '4,100', value: 4100, currency: 'USD' };
    const deal = { reference: 'LAP-7F3K', pay_by: '2026-12-04', paid_at: at };
    const { run, lines, rows } = await exportOf(3, {
      [idOf(0)]: named,
      [idOf(1)]: { kind, at },
      [idOf(2)]: { ...named, deal },
    });
    rows[2] = offerOf(2, { ...rows[2], status: 'accepted' });
    await run();
    assert.deepEqual(
      lines()
        .slice(1)
        .map((line) => line.replace(/^.*?,(?=pending|accepted)/, '')),
      [
        'pending,"4,100",,,,4100,USD,,,,,,,\r\n',
        'pending,1,,,,,,,,,,,,\r\n',
        `accepted,"4,100","4,100",,,4100,USD,4100,USD,LAP-7F3K,2026-12-04,${at},,\r\n`,
      ],
    );
  });
}

test('the standings of each page are in the file, and none where the project has none', async () => {
  const at = '2026-11-20T00:00:00Z';
  const standing = { kind: 'accept', at, amount: '$77' };
  const numbers = [0, 99, 100, 199, 249];
  const many = await exportOf(250, Object.fromEntries(numbers.map((n) => [idOf(n), standing])));
  await many.run();
  const named = many.lines().flatMap((line, n) => (line.includes(',pending,$77,,') ? [n - 1] : []));
  assert.deepEqual(named, numbers);
});

test('the file is of the list as it is now, not as it was shown', async () => {
  const { run, lines, rows } = await exportOf(2);
  rows.unshift(offerOf(-1, { id: idOf(9_999) }));
  await run();
  assert.equal(lines()[1]?.slice(0, 36), idOf(9_999));
});

test('a page of a long list that was on the screen is in the file as it is now', async () => {
  const { run, lines, rows, client, $filter, listQuery, pageQuery } = await exportOf(2_500);
  const { filter, index } = await client.query(listQuery($filter.get()));
  const key = index.keys[20];
  assert.ok(key);
  await client.query(pageQuery(filter, key));
  rows[2_050] = { ...offerOf(2_050), status: 'accepted' };
  await run();
  assert.match(lines()[2_051] ?? '', /,accepted,/);
});

test('a file is not saved where a reading fails', async () => {
  const failure = () => Promise.reject(new Error('offline'));
  const failures: ((api: Awaited<ReturnType<typeof exportOf>>['api']) => void)[] = [
    ({ readPage }) => readPage.mock.mockImplementation(failure),
    ({ readPageIndex }) => readPageIndex.mock.mockImplementation(failure),
  ];
  for (const fail of failures) {
    const { run, save, api } = await exportOf(150);
    mock.method(console, 'error', () => {});
    fail(api);
    await assert.rejects(run(), /offline/);
    assert.equal(save.mock.callCount(), 0);
  }
});

test('the end of the session ends the export', async () => {
  const { run, save, api, cache } = await exportOf(250);
  mock.method(console, 'error', () => {});
  const response = Promise.withResolvers<ReturnType<typeof offerOf>[]>();
  api.readPage.mock.mockImplementation(() => response.promise);
  const running = run();
  await settled();
  cache.clear();
  const before = api.readPage.mock.callCount();
  response.resolve([offerOf(1)]);
  await assert.rejects(running);
  assert.equal(save.mock.callCount(), 0);
  assert.equal(api.readPage.mock.callCount(), before);
});
