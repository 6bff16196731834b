import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBodySlots } from './body-slots.ts';

test('a new IP gets the oldest slot of the IP that holds the most', () => {
  const slots = createBodySlots(10);
  const evicted: string[] = [];
  for (let one = 0; one < 6; one += 1) assert.ok(slots.acquire('192.0.2.1', () => evicted.push(`1/${one}`)));
  for (let one = 0; one < 4; one += 1) assert.ok(slots.acquire('192.0.2.2', () => evicted.push(`2/${one}`)));
  assert.ok(slots.acquire('198.51.100.1', () => evicted.push('newcomer')));
  assert.ok(slots.acquire('198.51.100.2', () => evicted.push('newcomer')));
  assert.deepEqual(evicted, ['1/0', '1/1']);
});

test('the IP that holds the most is found wherever it began', () => {
  const slots = createBodySlots(4);
  slots.acquire('192.0.2.1', assert.fail);
  const evicted: number[] = [];
  for (const one of [1, 2]) slots.acquire('192.0.2.2', () => evicted.push(one));
  slots.acquire('192.0.2.3', assert.fail);
  assert.ok(slots.acquire('198.51.100.1', assert.fail));
  assert.deepEqual(evicted, [1]);
});

test('slots that are released are free to others, and none is evicted for them', () => {
  const slots = createBodySlots(2);
  for (let time = 0; time < 5; time += 1) slots.acquire('192.0.2.1', assert.fail)?.();
  for (const ip of ['192.0.2.2', '192.0.2.3']) assert.ok(slots.acquire(ip, assert.fail));
});

test('an IP that holds the most slots gets no further one', () => {
  const slots = createBodySlots(4);
  for (let one = 0; one < 4; one += 1) slots.acquire('192.0.2.1', assert.fail);
  assert.equal(slots.acquire('192.0.2.1', assert.fail), undefined);
});

test('one IP gets at most 256 slots', () => {
  const slots = createBodySlots(1_000);
  const taken = Array.from({ length: 300 }, () => slots.acquire('192.0.2.1', assert.fail));
  assert.equal(taken.filter(Boolean).length, 256);
});

test('a released slot is free once, also after it was evicted', () => {
  const slots = createBodySlots(2);
  const first = slots.acquire('192.0.2.1', () => {});
  slots.acquire('192.0.2.1', () => {});
  assert.ok(slots.acquire('192.0.2.2', assert.fail));
  first?.();
  first?.();
  // Two are held: one of each ip.
  assert.equal(slots.acquire('192.0.2.2', assert.fail), undefined);
});
