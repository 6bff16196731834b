import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { QueryObserver } from '@tanstack/react-query';
import type { Offer } from '#contract/offer.ts';
import { SessionEnded } from '../api/with-fresh-token.ts';
import { dashboardOf, idOf, offerOf, settled } from './dashboard.fixture.ts';
import { createSessionCache, POLL } from './session-cache.ts';

beforeEach(() => {
  mock.restoreAll();
  mock.method(console, 'error', () => {});
});

/** Everything that the page could still show. */
const contentOf = ({ client, ...atoms }: ReturnType<typeof dashboardOf>) =>
  JSON.stringify([
    client
      .getQueryCache()
      .getAll()
      .map(({ state }) => state),
    client
      .getMutationCache()
      .getAll()
      .map(({ state }) => state),
    atoms.shown(),
    [atoms.$filter, atoms.$loadError, atoms.$choices, atoms.$undo, atoms.$seen].map(($atom) => $atom.get()),
  ]);

test('responses of the former session that arrive after the next sign-in are shown nowhere', async () => {
  const dashboard = dashboardOf(3);
  const { api, shown, changeStatus, reload } = dashboard;
  const signOut = await dashboard.open();
  const reading = Promise.withResolvers<Offer[]>();
  const saving = Promise.withResolvers<'changed'>();
  const failing = Promise.withResolvers<never>();
  api.readPage.mock.mockImplementationOnce(() => reading.promise);
  api.changeStatus.mock.mockImplementationOnce(() => saving.promise);
  api.changeStatus.mock.mockImplementationOnce(() => failing.promise, 1);
  changeStatus({ id: idOf(0), domain: 'lap.app', from: 'pending', to: 'accepted' });
  changeStatus({ id: idOf(1), domain: 'lap.app', from: 'pending', to: 'accepted' });
  void reload();
  await settled();

  signOut();
  assert.doesNotMatch(contentOf(dashboard), /Customer/);
  await dashboard.open();
  // What the list has from now on can only come from the late responses.
  api.readPage.mock.mockImplementation(() => new Promise(() => {}));
  reading.resolve([offerOf(7, { customer_name: 'Former' })]);
  saving.resolve('changed');
  failing.reject(new SessionEnded());
  await settled();
  assert.equal(shown().length, 3);
  assert.doesNotMatch(contentOf(dashboard), /Former|accepted/);
  assert.equal(dashboard.onSessionEnded.mock.callCount(), 0, 'nor do they end the new session');
});

test('a late first page does not begin the list of the next session', async () => {
  const dashboard = dashboardOf(1);
  const late = Promise.withResolvers<Offer[]>();
  dashboard.api.readPage.mock.mockImplementationOnce(() => late.promise);
  const signOut = await dashboard.open();
  signOut();
  dashboard.api.readPage.mock.mockImplementation(() => new Promise(() => {}));
  await dashboard.open();
  late.resolve(Array.from({ length: 100 }, (_, n) => offerOf(n, { customer_name: 'Former' })));
  await settled();
  assert.doesNotMatch(contentOf(dashboard), /Former/);
  assert.equal(dashboard.$openedAt.get(), undefined);
});

test('a status that is saved after signing out reads nothing', async () => {
  const { open, api, changeStatus } = dashboardOf(1);
  const saving = Promise.withResolvers<'changed'>();
  const signOut = await open();
  api.changeStatus.mock.mockImplementationOnce(() => saving.promise);
  changeStatus({ id: idOf(0), domain: 'lap.app', from: 'pending', to: 'accepted' });
  await settled();
  signOut();
  saving.resolve('changed');
  await settled();
  assert.equal(api.readPage.mock.callCount(), 1);
});

test('what a late response of the former session would write is dropped', async () => {
  const { client, sessionAtom, clear } = createSessionCache(() => {});
  const $added = sessionAtom(0);
  for (const end of [() => {}, () => Promise.reject(new Error('offline'))]) {
    const saving = Promise.withResolvers<void>();
    const saved = client
      .getMutationCache()
      .build(client, {
        mutationFn: () => saving.promise.then(end),
        onSuccess: () => $added.set(1),
        onError: () => $added.set(2),
        onSettled: () => $added.set(3),
      })
      .execute(undefined)
      .catch(() => {});
    await settled();
    clear();
    saving.resolve();
    await saved;
    assert.equal($added.get(), 0);
  }
});

test('a query that is still on the page holds nothing once the session has ended', async () => {
  const { client, clear } = createSessionCache(() => {});
  const observer = new QueryObserver(client, { queryKey: ['call'], queryFn: async () => 'Former' });
  const unsubscribe = observer.subscribe(() => {});
  await settled();
  const [query] = client.getQueryCache().getAll();
  assert.equal(query?.state.data, 'Former');
  clear();
  assert.equal(query?.state.data, undefined);
  unsubscribe();
});

test('an atom of the session gets its first value again', () => {
  const { sessionAtom, clear } = createSessionCache(() => {});
  const $text = sessionAtom('');
  $text.set('ada@example.com');
  clear();
  assert.equal($text.get(), '');
});

test('an unavailable call is not made again, and any other failed poll is, after a growing pause', async () => {
  const { client } = createSessionCache(() => {});
  const call = mock.fn(async () => 'unavailable');
  const observer = new QueryObserver(client, { ...POLL, queryKey: ['call'], queryFn: call });
  observer.subscribe(() => {});
  await settled();
  await client.invalidateQueries({ queryKey: ['call'] });
  assert.equal(call.mock.callCount(), 1);
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5].map((failures) => POLL.retryDelay(failures) / 1_000),
    [20, 40, 80, 160, 300, 300],
  );
  assert.equal(POLL.retry(9, new Error('offline')), true);
  assert.equal(POLL.retry(0, new SessionEnded()), false);
});
