import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCycle } from './find-cycle.ts';

function graphOf(edges: Record<string, string[]>) {
  return new Map(
    Object.entries(edges).map(([from, to]) => [from, new Map(to.map((one) => [one, `${from}→${one}`]))]),
  );
}

test('a graph of one direction has no cycle', () => {
  assert.equal(findCycle(graphOf({ a: ['b', 'c'], b: ['d'], c: ['d'], d: [] })), undefined);
});

test('a cycle is found behind a way into it, as its own edges', () => {
  assert.deepEqual(findCycle(graphOf({ start: ['a'], a: ['b'], b: ['c'], c: ['a'] })), ['a→b', 'b→c', 'c→a']);
});
