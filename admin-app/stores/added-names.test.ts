import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { MutationObserver } from '@tanstack/react-query';
import { type CatalogueApi, CatalogueRejection } from '../api/catalogue.ts';
import { createAddedNames } from './added-names.ts';
import { IDLE } from './names.fixture.ts';
import { createSessionCache } from './session-cache.ts';

const PLAN = { id: 'p', added: [], changed: [], unchanged: [], left_out: [], warnings: [] };

beforeEach(() => {
  mock.restoreAll();
  mock.method(console, 'error', () => {});
});

function addedOf() {
  const add = mock.fn<CatalogueApi['add']>(async (batch) => ({ batch, saved_at: 'now', build: IDLE }));
  const plan = mock.fn<CatalogueApi['plan']>(async () => PLAN);
  const init = mock.fn<CatalogueApi['init']>(async () => ({ saved_at: 'now', build: IDLE }));
  const cache = createSessionCache(() => {});
  const store = createAddedNames({ plan, add, init }, cache);
  const { client } = cache;
  const press = (text = 'lap.app', id = 'p') =>
    new MutationObserver(client, store.addNames).mutate({ text, plan: id, names: 1, prices: 2 });
  return { ...store, add, init, client, press };
}

test('the text is kept until its names are added', async () => {
  const { $pasted, $added, add, press } = addedOf();
  $pasted.set('lap.app');
  add.mock.mockImplementationOnce(() => Promise.reject(new Error('')));
  await assert.rejects(press());
  assert.deepEqual([$pasted.get(), $added.get()], ['lap.app', undefined]);
  await press();
  const [first, second] = add.mock.calls.map(({ arguments: [batch] }) => batch);
  assert.equal(second, first, 'a lost response');
  assert.deepEqual([$pasted.get(), $added.get()], ['', { batch: first, names: 1, prices: 2, at: 'now' }]);
  await press();
  assert.notEqual(add.mock.calls[2]?.arguments[0], first);
});

test('what is typed while names are added stays', async () => {
  const { $pasted, press } = addedOf();
  $pasted.set('lap.app');
  const added = press();
  $pasted.set('lap.app\ncup.app');
  await added;
  assert.equal($pasted.get(), 'lap.app\ncup.app');
});

test('after names were added, or could not be, what the page has read of names is read again', async () => {
  const { add, press, client } = addedOf();
  const BUILD = { ...IDLE, changes: ['batch'] };
  add.mock.mockImplementation(async () => ({ saved_at: 'now', build: BUILD }));
  const read = () => {
    for (const about of ['page', 'plan']) client.setQueryData(['names', about], 1);
    client.setQueryData(['list'], 1);
  };
  const outdated = () =>
    [['names', 'page'], ['names', 'plan'], ['list']].map(
      (queryKey) => client.getQueryState(queryKey)?.isInvalidated,
    );
  read();
  await press();
  assert.deepEqual(outdated(), [true, true, false]);
  assert.deepEqual(client.getQueryData(['names', 'build']), BUILD);
  read();
  add.mock.mockImplementationOnce(() => Promise.reject(new Error('The file has changed.')));
  await assert.rejects(press());
  assert.deepEqual(outdated(), [false, true, false]);
});

for (const [what, ...next] of [
  ['text', 'lap.app cup.app', 'p'],
  ['plan', 'lap.app', 'p2'],
] as const)
  test(`another ${what} after a lost response is another batch`, async () => {
    const { add, press } = addedOf();
    add.mock.mockImplementationOnce(() => Promise.reject(new Error('')));
    await assert.rejects(press('lap.app', 'p'));
    await press(...next);
    const [first, second] = add.mock.calls.map(({ arguments: [batch] }) => batch);
    assert.notEqual(second, first);
  });

test('a rejected list is another batch the next time', async () => {
  const { add, press } = addedOf();
  add.mock.mockImplementationOnce(() =>
    Promise.reject(new CatalogueRejection({ error: 'x', code: 'plan_changed' })),
  );
  await assert.rejects(press());
  await press();
  const [first, second] = add.mock.calls.map(({ arguments: [batch] }) => batch);
  assert.notEqual(second, first);
});

test('after Make your own the names are read again, also where its response was lost', async () => {
  const { makeOwn, init, client } = addedOf();
  init.mock.mockImplementationOnce(() => Promise.reject(new Error('')));
  for (const outcome of ['lost', 'made']) {
    client.setQueryData(['names', 'file', []], 1);
    await new MutationObserver(client, makeOwn).mutate().catch(() => {});
    assert.equal(client.getQueryState(['names', 'file', []])?.isInvalidated, true, outcome);
  }
});
