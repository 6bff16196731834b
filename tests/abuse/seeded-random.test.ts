import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SEED, seededRandom, seedOf } from './seeded-random.ts';

const draw = (name: string, seed: number) => {
  const random = seededRandom(name, seed, () => {});
  return Array.from({ length: 1_000 }, random);
};

test('a seed repeats its numbers; another seed or test name gives others', () => {
  assert.deepEqual(draw('kills', 7), draw('kills', 7));
  assert.notDeepEqual(draw('kills', 7), draw('kills', 8));
  assert.notDeepEqual(draw('kills', 7), draw('boots', 7));
});

test('the numbers are evenly distributed from 0 to 1', () => {
  const numbers = draw('kills', 7);
  assert.ok(numbers.every((number) => number >= 0 && number < 1));
  const mean = numbers.reduce((sum, number) => sum + number) / numbers.length;
  assert.ok(Math.abs(mean - 0.5) < 0.05, String(mean));
});

test('the seed is printed in the form that ABUSE_SEED accepts', () => {
  let printed = '';
  seededRandom('kills', 12_345, (line: string) => (printed = line));
  const given = /ABUSE_SEED=(\d+)/.exec(printed)?.[1];
  assert.equal(seedOf(given), 12_345);
});

test('runs without ABUSE_SEED differ, and an invalid one is rejected', () => {
  assert.notEqual(seedOf(undefined), seedOf(undefined));
  for (const text of ['a', '1.5', '-1', '99999999999']) assert.throws(() => seedOf(text), /ABUSE_SEED/);
  assert.ok(Number.isInteger(SEED));
});
