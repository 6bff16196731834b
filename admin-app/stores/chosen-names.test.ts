import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MutationObserver } from '@tanstack/react-query';
import { MAX_NAME_CHANGES } from '#contract/names.ts';
import { IDLE, nameOf, namesOf, settled } from './names.fixture.ts';

test('chosen names get one state, and those that have it are left out', async () => {
  const { toggle, setStates, write, client, api, $chosen } = namesOf(4);
  write([{ name: nameOf(1), field: 'state', to: 'sold' }]);
  for (const n of [0, 1, 2]) toggle(nameOf(n));
  toggle(nameOf(2));
  await new MutationObserver(client, setStates).mutate('sold');
  assert.deepEqual(
    api.change.mock.calls.map(({ arguments: [, changes] }) => changes),
    [[{ name: nameOf(0), field: 'state', from: null, to: 'sold' }]],
  );
  assert.deepEqual([...$chosen.get()], []);
});

test('chosen names that all have the state are left as they are, and no longer chosen', async () => {
  const { toggle, setStates, write, client, api, $chosen } = namesOf(2);
  for (const n of [0, 1]) {
    write([{ name: nameOf(n), field: 'state', to: 'sold' }]);
    toggle(nameOf(n));
  }
  await new MutationObserver(client, setStates).mutate('sold');
  assert.deepEqual([api.change.mock.callCount(), $chosen.get().size], [0, 0]);
});

test('a state takes the place of the one that the file has now, not of one that was read before', async () => {
  const { toggle, setStates, write, client, values, fileQuery, valuesQuery } = namesOf(2);
  toggle(nameOf(0));
  await client.query(fileQuery([nameOf(0)]));
  write([{ name: nameOf(0), field: 'state', to: 'reserved' }]);
  assert.equal((await client.query(valuesQuery([nameOf(0)]))).get(nameOf(0))?.state.value, 'reserved');
  await new MutationObserver(client, setStates).mutate('sold');
  assert.equal(values.get(nameOf(0))?.state.value, 'sold');
});

test('without a file that can be read no values are known', async () => {
  const { readValues } = namesOf(2, 'unavailable');
  assert.equal((await readValues([nameOf(0)])).size, 0);
});

test('a state that is saved late leaves what was chosen since', async () => {
  const { toggle, setStates, client, api, $chosen } = namesOf(4);
  toggle(nameOf(0));
  const saving = Promise.withResolvers<void>();
  api.change.mock.mockImplementationOnce(async (batch) => {
    await saving.promise;
    return { batch, saved_at: 'now', build: IDLE };
  });
  const saved = new MutationObserver(client, setStates).mutate('sold');
  await settled();
  toggle(nameOf(1));
  saving.resolve();
  await saved;
  assert.deepEqual([...$chosen.get()], [nameOf(1)]);
});

test('what was chosen stays where it could not be saved', async () => {
  const { toggle, setStates, client, api, $chosen } = namesOf(4);
  toggle(nameOf(0));
  api.change.mock.mockImplementationOnce(() => Promise.reject(new Error('')));
  await new MutationObserver(client, setStates).mutate('sold');
  assert.deepEqual([...$chosen.get()], [nameOf(0)]);
});

test('all names of a list are chosen, at most those of one change', async () => {
  const { chooseAll, client, $chosen, toggle } = namesOf(1_000);
  await new MutationObserver(client, chooseAll).mutate();
  assert.equal($chosen.get().size, MAX_NAME_CHANGES);
  toggle(nameOf(900));
  assert.equal($chosen.get().has(nameOf(900)), false);
  toggle(nameOf(0));
  toggle(nameOf(900));
  assert.equal($chosen.get().has(nameOf(900)), true);
});

test('another list has nothing chosen', async () => {
  const { toggle, setView, $chosen, $isChoosing } = namesOf(4);
  $isChoosing.set(true);
  toggle(nameOf(0));
  setView({ state: 'sold' });
  await settled();
  assert.deepEqual([$chosen.get().size, $isChoosing.get()], [0, false]);
});

test('the values of 250 names are read in parts, and those of a text that is no name not at all', async () => {
  const { readValues, api } = namesOf(250);
  const names = Array.from({ length: 250 }, (_, n) => nameOf(n));
  assert.equal((await readValues([...names, 'no name', 'x'])).size, 250);
  assert.deepEqual(
    api.readFile.mock.calls.map(({ arguments: [part] }) => part.length),
    [100, 100, 50],
  );
});

test('names of a list that is left while they are read are not chosen in the next one', async (t) => {
  t.mock.method(console, 'error', () => {});
  const { chooseAll, setView, client, call, open, $chosen } = namesOf(600);
  const close = await open();
  const page = Promise.withResolvers<never>();
  call.mock.mockImplementationOnce(() => page.promise);
  const choosing = new MutationObserver(client, chooseAll).mutate().catch(() => {});
  await settled();
  assert.deepEqual(call.mock.calls.at(-1)?.arguments[1].page, 1);
  setView({ state: 'sold' });
  page.resolve({ total: 200, names: [] } as never);
  await Promise.race([choosing, settled()]);
  await settled();
  assert.deepEqual([...$chosen.get()], []);
  close();
});
