import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createGiveWay } from './give-way.ts';

function start() {
  const state = { time: 0, arriving: true };
  const giveWay = createGiveWay(
    () => state.arriving,
    () => state.time,
  );
  const mayTake = (time: number) => {
    state.time = time;
    return giveWay.mayTake();
  };
  return { state, giveWay, mayTake };
}

test('messages are taken at once while no offers arrive, and as soon as they pause', () => {
  const { state, mayTake } = start();
  state.arriving = false;
  assert.equal(mayTake(0), true);
  state.arriving = true;
  assert.equal(mayTake(10_000), false);
  state.arriving = false;
  assert.equal(mayTake(10_001), true);
  state.arriving = true;
  assert.equal(mayTake(10_002), false);
  assert.equal(mayTake(15_001), false, 'the delay begins anew');
});

test('while offers arrive messages wait for 5 s, then all that are due are taken', () => {
  const { giveWay, mayTake } = start();
  assert.deepEqual([0, 4_999, 5_000].map(mayTake), [false, false, true]);
  giveWay.taken(false);
  assert.equal(mayTake(6_000), true);
  giveWay.taken(true);
  assert.deepEqual([6_500, 11_499, 11_500].map(mayTake), [false, false, true]);
});
