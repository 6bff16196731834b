import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { MutationObserver } from '@tanstack/react-query';
import { dashboardOf, offerOf, settled } from './dashboard.fixture.ts';
import { createExport } from './export-offers.ts';

async function exportOf(total: number) {
  const dashboard = dashboardOf(total);
  const save = mock.fn<(lines: string[]) => void>();
  const { exportOffers } = createExport(dashboard, dashboard.cache, save);
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
    '\uFEFFid,domain_name,offer_amount,customer_name,customer_email,created_at,status\r\n',
  );
  assert.equal(lines().length, 2);
  assert.match(lines()[1] ?? '', /,lap\.app,'=1\+1,"'@Ada, ""Countess""",ada@example\.com,.*,accepted\r\n$/);
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
