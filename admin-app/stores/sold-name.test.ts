import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import type { NameChange, NamesRead } from '#contract/names.ts';
import { createSessionCache } from './session-cache.ts';
import { createSoldName } from './sold-name.ts';

/** A catalogue's file with two names, and what was sent to change it. */
function soldNameOf(first: string | null, read?: 'unavailable' | Partial<NamesRead>) {
  const states = new Map([
    ['lap.app', first],
    ['host.example', 'reserved'],
  ]);
  const none = { value: null, is_default: true };
  const file = () => ({
    file: 'own',
    names: Object.fromEntries(
      [...states].map(([name, value]) => [
        name,
        { state: { value, is_default: value === null }, price: none, minimum: none, description: {} },
      ]),
    ),
    ...(read as object),
  });
  let isFailing = false;
  const fileQuery = (names: readonly string[]) => ({
    queryKey: ['names', 'file', names],
    queryFn: async () => {
      if (isFailing) {
        isFailing = false;
        throw new Error('offline');
      }
      return read === 'unavailable' ? read : file();
    },
    // As the page of names reads it.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const failOnce = () => {
    isFailing = true;
  };
  const send = mock.fn(async ([change]: readonly NameChange[]) => {
    // The response takes its time.
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(change?.field, 'state');
    states.set(change.name, change.to);
    return true;
  });
  const cache = createSessionCache(() => {});
  const { showSold } = createSoldName({ fileQuery } as never, { send }, cache);
  const changes = () => send.mock.calls.map(({ arguments: [[change]] }) => [change?.from, change?.to]);
  return { showSold, changes, states, failOnce, clear: cache.clear };
}

test('a name is sold with its deal, and has its state of before after Undo, however soon that comes', async () => {
  for (const state of [null, 'reserved']) {
    const { showSold, changes, clear } = soldNameOf(state);
    await Promise.all([showSold('lap.app', true), showSold('lap.app', false)]);
    assert.deepEqual(changes(), [
      [state, 'sold'],
      ['sold', state],
    ]);
    clear();
  }
});

test('each name has its own state after Undo, and one that was changed meanwhile stays', async () => {
  const { showSold, changes, states, clear } = soldNameOf(null);
  await showSold('lap.app', true);
  await showSold('host.example', true);
  await showSold('lap.app', false);
  assert.deepEqual(changes(), [
    [null, 'sold'],
    ['reserved', 'sold'],
    ['sold', null],
  ]);
  states.set('host.example', null);
  await showSold('host.example', false);
  assert.equal(changes().length, 3);
  clear();
});

test('Undo leaves a name as it is that was sold before', async () => {
  const { showSold, changes, clear } = soldNameOf('sold');
  await showSold('lap.app', true);
  await showSold('lap.app', false);
  assert.deepEqual(changes(), []);
  clear();
});

test('a file that cannot be read once does not stop the next step, and each Undo counts for its own step', async () => {
  const { showSold, changes, states, failOnce, clear } = soldNameOf(null);
  failOnce();
  await showSold('lap.app', true);
  await showSold('lap.app', true);
  await showSold('lap.app', false);
  // Sold by hand since: an Undo of no step leaves that.
  states.set('lap.app', 'sold');
  await showSold('lap.app', false);
  assert.deepEqual(changes(), [
    [null, 'sold'],
    ['sold', null],
  ]);
  clear();
});

test('nothing is sent where the product cannot write the catalogue, or the name is not in it', async () => {
  for (const read of ['unavailable', { file: 'read_only' }, { names: {} }] as const) {
    const { showSold, changes, clear } = soldNameOf(null, read);
    await showSold('lap.app', true);
    assert.deepEqual(changes(), []);
    clear();
  }
});
