import assert from 'node:assert/strict';
import { totalmem } from 'node:os';
import { test } from 'node:test';
import { freeMemory, memoryOfBuild } from './free-memory.ts';

const MB = 2 ** 20;

test('a build of 10,000 names needs 1 GB', () => {
  assert.ok(memoryOfBuild(4) < 400 * MB);
  assert.ok(Math.abs(memoryOfBuild(10_000) - 1_024 * MB) < 100 * MB, `${memoryOfBuild(10_000) / MB} MB`);
});

test('the limit of a service counts, and the cache of its files does not', (context) => {
  context.mock.method(process, 'availableMemory', () => 100 * MB);
  const constrained = context.mock.method(process, 'constrainedMemory', () => 0);
  assert.equal(freeMemory(), 100 * MB);
  // What some systems return without a limit.
  constrained.mock.mockImplementation(() => 2 ** 63);
  assert.equal(freeMemory(), 100 * MB);
  constrained.mock.mockImplementation(() => 512 * MB);
  assert.ok(freeMemory() >= 100 * MB && freeMemory() < totalmem() + 100 * MB);
});
