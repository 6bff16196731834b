import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBodyPlaces } from './body-places.ts';

test('a new IP gets the oldest place of the IP that holds the most', () => {
  const places = createBodyPlaces(10);
  const evicted: string[] = [];
  for (let one = 0; one < 6; one += 1) assert.ok(places.acquire('192.0.2.1', () => evicted.push(`1/${one}`)));
  for (let one = 0; one < 4; one += 1) assert.ok(places.acquire('192.0.2.2', () => evicted.push(`2/${one}`)));
  assert.ok(places.acquire('198.51.100.1', () => evicted.push('newcomer')));
  assert.ok(places.acquire('198.51.100.2', () => evicted.push('newcomer')));
  assert.deepEqual(evicted, ['1/0', '1/1']);
});

test('an IP that holds the most places gets no further one', () => {
  const places = createBodyPlaces(4);
  for (let one = 0; one < 4; one += 1) places.acquire('192.0.2.1', assert.fail);
  assert.equal(places.acquire('192.0.2.1', assert.fail), undefined);
});

test('one IP gets at most 256 places', () => {
  const places = createBodyPlaces(1_000);
  const taken = Array.from({ length: 300 }, () => places.acquire('192.0.2.1', assert.fail));
  assert.equal(taken.filter(Boolean).length, 256);
});

test('a released place is free once, also after it was evicted', () => {
  const places = createBodyPlaces(2);
  const first = places.acquire('192.0.2.1', () => {});
  places.acquire('192.0.2.1', () => {});
  assert.ok(places.acquire('192.0.2.2', assert.fail));
  first?.();
  first?.();
  // Two are held: one of each ip.
  assert.equal(places.acquire('192.0.2.2', assert.fail), undefined);
});
