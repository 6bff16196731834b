import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { MutationObserver, QueryObserver } from '@tanstack/react-query';
import type { OfferStatus } from '#contract/offer.ts';
import { SessionEnded } from '../api/with-fresh-token.ts';
import { dashboardOf, idOf, settled } from './dashboard.fixture.ts';
import type { Change } from './offer-status.ts';

beforeEach(() => {
  mock.restoreAll();
  mock.method(console, 'error', () => {});
});

const change = (to: OfferStatus, from = 'pending', n = 0): Change => ({
  id: idOf(n),
  domain: 'lap.app',
  from,
  to,
});

async function openDashboard(total = 1) {
  const dashboard = dashboardOf(total);
  await dashboard.open();
  const statuses = () => dashboard.shown().map(({ status }) => status);
  return { ...dashboard, statuses };
}

test('a selected status is shown at once, then saved, and the list is read again', async () => {
  const { changeStatus, $choices, statuses, api, rows, list } = await openDashboard();
  const shown: unknown[] = [];
  list().subscribe(() => shown.push($choices.get()[idOf(0)] ?? statuses()[0]));
  changeStatus(change('accepted'));
  assert.deepEqual($choices.get(), { [idOf(0)]: 'accepted' });
  await settled();
  assert.deepEqual([rows[0]?.status, statuses()], ['accepted', ['accepted']]);
  assert.ok(shown.every((status) => status === 'accepted'));
  assert.deepEqual($choices.get(), {});
  assert.equal(api.readPage.mock.callCount(), 2);
});

test('an offer is accepted only where its last move is the one that was seen; another status needs none', async () => {
  const { changeStatus, api } = await openDashboard();
  // The server knows of no move.
  changeStatus({ ...change('accepted'), seen: { at: '2026-11-29T10:00:00Z' } });
  await settled();
  assert.equal(api.changeStatus.mock.callCount(), 0);
  changeStatus({ ...change('rejected'), seen: { at: '2026-11-29T10:00:00Z' } });
  await settled();
  changeStatus({ ...change('accepted', 'rejected'), seen: { at: undefined } });
  await settled();
  assert.equal(api.changeStatus.mock.callCount(), 2);
});

test('an offer that had no move when it was seen is not accepted after one', async () => {
  const { changeStatus, api, lastMoveOf, updateErrors } = await openDashboard();
  lastMoveOf.mock.mockImplementation(async () => '2026-11-29T10:00:00Z');
  changeStatus({ ...change('accepted'), seen: { at: undefined } });
  await settled();
  assert.equal(api.changeStatus.mock.callCount(), 0);
  assert.deepEqual(updateErrors(), ['This offer was changed in the meantime. The list has been reloaded.']);
});

test('an acceptance is not sent once the session has ended or another status is chosen while its last move is read', async () => {
  for (const [what, sent] of [
    ['Logout', []],
    ['Undo', []],
    ['another status', [['pending', 'rejected']]],
  ] as const) {
    const { changeStatus, undo, cache, api, lastMoveOf } = await openDashboard();
    const read = Promise.withResolvers<undefined>();
    lastMoveOf.mock.mockImplementation(() => read.promise);
    changeStatus({ ...change('accepted'), seen: { at: undefined } });
    await settled();
    if (what === 'Logout') cache.clear();
    else if (what === 'Undo') undo();
    else changeStatus(change('rejected'));
    read.resolve(undefined);
    await settled();
    const calls = api.changeStatus.mock.calls.map((call) => call.arguments.slice(1));
    assert.deepEqual(calls, sent, what);
  }
});

test('the last of several statuses chosen during a save is saved after it', async () => {
  const { changeStatus, api, rows } = await openDashboard();
  const saved = Promise.withResolvers<void>();
  api.changeStatus.mock.mockImplementationOnce(async () => {
    await saved.promise;
    Object.assign(rows[0] ?? {}, { status: 'accepted' });
    return 'changed';
  });
  changeStatus(change('accepted'));
  await settled();
  changeStatus(change('rejected'));
  changeStatus(change('negotiating'));
  saved.resolve();
  await settled();
  assert.deepEqual(
    api.changeStatus.mock.calls.map((call) => call.arguments.slice(1)),
    [
      ['pending', 'accepted'],
      ['accepted', 'negotiating'],
    ],
  );
  assert.equal(rows[0]?.status, 'negotiating');
});

test('a status changed by another admin meanwhile is shown, not overwritten', async () => {
  const { changeStatus, updateErrors, statuses, rows, $undo } = await openDashboard();
  Object.assign(rows[0] ?? {}, { status: 'rejected' });
  changeStatus(change('accepted'));
  await settled();
  assert.deepEqual(updateErrors(), ['This offer was changed in the meantime. The list has been reloaded.']);
  assert.deepEqual([rows[0]?.status, statuses()], ['rejected', ['rejected']]);
  assert.equal($undo.get(), undefined);
});

test('a saved status after which the list could not be read again is reported as that', async () => {
  const { changeStatus, updateErrors, api, $loadError } = await openDashboard();
  api.readPage.mock.mockImplementation(() => Promise.reject(new Error('offline')));
  changeStatus(change('accepted'));
  await settled();
  assert.deepEqual([updateErrors(), $loadError.get()], [[], 'offline']);
});

test('a list that could not be read again is not said to be reloaded', async () => {
  const { changeStatus, updateErrors, rows, api } = await openDashboard();
  Object.assign(rows[0] ?? {}, { status: 'rejected' });
  api.readPage.mock.mockImplementation(() => Promise.reject(new Error('offline')));
  changeStatus(change('accepted'));
  await settled();
  assert.deepEqual(updateErrors(), ['Failed to update offer status']);
});

for (const total of [3, 150])
  test(`of ${total} offers only the one that was changed has another status, also before the list is read again`, async () => {
    const { changeStatus, shown, rows, api, client, list, pageQuery } = await openDashboard(total);
    const { filter = {}, index } = list().getCurrentResult().data ?? {};
    const leave = (index?.keys ?? []).map((key) =>
      new QueryObserver(client, pageQuery(filter, key)).subscribe(() => {}),
    );
    api.readPage.mock.mockImplementation(() => Promise.reject(new Error('offline')));
    changeStatus(change('accepted', 'pending', 1));
    await settled();
    assert.deepEqual(
      shown(),
      rows.map((row) => (row.id === idOf(1) ? { ...row, status: 'accepted' } : row)),
    );
    for (const stop of leave) stop();
  });

test('two offers are changed at once, and a failure of one leaves the other one and its Undo', async () => {
  const { changeStatus, api, rows, $choices, $undo, updateErrors } = await openDashboard(2);
  const first = Promise.withResolvers<never>();
  api.changeStatus.mock.mockImplementationOnce(() => first.promise);
  changeStatus(change('accepted'));
  changeStatus(change('rejected', 'pending', 1));
  assert.deepEqual($choices.get(), { [idOf(0)]: 'accepted', [idOf(1)]: 'rejected' });
  first.reject(new Error('offline'));
  await settled();
  assert.deepEqual([rows[1]?.status, $undo.get()?.id, updateErrors()], ['rejected', idOf(1), ['offline']]);
});

for (const [message, shown] of [
  ['permission denied', 'permission denied'],
  ['', 'Failed to update offer status'],
] as const) {
  test(`a failure to save shows “${shown}” and no second error, and cannot be undone`, async () => {
    const { changeStatus, updateErrors, statuses, api, $choices, $undo, $loadError } = await openDashboard();
    api.changeStatus.mock.mockImplementationOnce(() => Promise.reject(new Error(message)));
    api.readPage.mock.mockImplementationOnce(() => Promise.reject(new Error('offline')));
    changeStatus(change('accepted'));
    assert.deepEqual($undo.get(), change('accepted'));
    await settled();
    assert.deepEqual(updateErrors(), [shown]);
    assert.deepEqual([$choices.get(), statuses(), $undo.get()], [{}, ['pending'], undefined]);
    assert.equal($loadError.get(), undefined);
  });
}

test('a stored change whose response was lost is shown, with the message', async () => {
  const { changeStatus, updateErrors, statuses, api, rows } = await openDashboard();
  api.changeStatus.mock.mockImplementationOnce(() => {
    Object.assign(rows[0] ?? {}, { status: 'accepted' });
    return Promise.reject(new Error('no response'));
  });
  changeStatus(change('accepted'));
  await settled();
  assert.deepEqual([updateErrors(), statuses()], [['no response'], ['accepted']]);
});

test('the error of a row is cleared by the next attempt, by dismissing it and by Refresh', async () => {
  const { changeStatus, updateErrors, clearUpdateError, refresh, api } = await openDashboard(2);
  const fail = async (n: number) => {
    api.changeStatus.mock.mockImplementationOnce(() => Promise.reject(new Error(`offline ${n}`)));
    changeStatus(change('accepted', 'pending', n));
    await settled();
  };
  await fail(0);
  await fail(1);
  assert.deepEqual(updateErrors(), ['offline 0', 'offline 1']);
  clearUpdateError(idOf(0));
  assert.deepEqual(updateErrors(), ['offline 1']);
  changeStatus(change('accepted', 'pending', 1));
  await settled();
  assert.deepEqual(updateErrors(), []);
  await fail(0);
  await refresh();
  assert.deepEqual(updateErrors(), []);
});

test('Refresh leaves a change that is being saved, and its error', async () => {
  const { changeStatus, api, refresh, updateErrors } = await openDashboard();
  const saved = Promise.withResolvers<never>();
  api.changeStatus.mock.mockImplementationOnce(() => saved.promise);
  changeStatus(change('accepted'));
  await refresh();
  saved.reject(new Error('offline'));
  await settled();
  assert.deepEqual(updateErrors(), ['offline']);
});

test('a change is undone by the former status, once, also of an offer that left the list', async () => {
  const { changeStatus, undo, showList, shown, rows, api, $undo } = await openDashboard();
  showList({ status: 'pending' });
  await settled();
  changeStatus(change('accepted'));
  await settled();
  assert.deepEqual(shown(), []);
  undo();
  assert.equal($undo.get(), undefined);
  undo();
  await settled();
  assert.equal(rows[0]?.status, 'pending');
  assert.equal(shown().length, 1);
  assert.equal(api.changeStatus.mock.callCount(), 2);
});

test('of several changes the last one can be undone, and none that changed nothing or is unknown here', async () => {
  const { changeStatus, $undo } = await openDashboard(2);
  changeStatus(change('accepted', 'accepted'));
  changeStatus(change('accepted', 'escalated'));
  assert.equal($undo.get(), undefined);
  changeStatus(change('accepted'));
  changeStatus(change('rejected', 'pending', 1));
  assert.equal($undo.get()?.id, idOf(1));
});

test('a removed offer takes the change that could be undone along, and no other', async () => {
  const { changeStatus, removeOffer, client, $undo, shown } = await openDashboard(3);
  const remove = (n: number) => new MutationObserver(client, removeOffer).mutate(idOf(n));
  changeStatus(change('accepted', 'pending', 1));
  await settled();
  await remove(2);
  assert.equal($undo.get()?.id, idOf(1));
  await remove(1);
  assert.equal($undo.get(), undefined);
  await settled();
  assert.deepEqual(
    shown().map(({ id }) => id),
    [idOf(0)],
  );
});

test('an ended session is reported', async () => {
  const { changeStatus, api, onSessionEnded } = await openDashboard();
  api.changeStatus.mock.mockImplementationOnce(() => Promise.reject(new SessionEnded()));
  changeStatus(change('accepted'));
  await settled();
  assert.equal(onSessionEnded.mock.callCount(), 1);
});
