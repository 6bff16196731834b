import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MutationObserver } from '@tanstack/react-query';
import { MAX_NAME_CHANGES } from '#contract/names.ts';
import { nameOf, namesOf, settled } from './names.fixture.ts';

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
  const { toggle, setView, $chosen } = namesOf(4);
  toggle(nameOf(0));
  setView({ state: 'sold' });
  await settled();
  assert.equal($chosen.get().size, 0);
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
