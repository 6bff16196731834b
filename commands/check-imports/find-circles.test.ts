import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCircles } from './find-circles.ts';

const circlesOf = (imports: Record<string, string[]>) => findCircles(new Map(Object.entries(imports)));

test('files that import each other are a circle, also over a third one', () => {
  assert.deepEqual(circlesOf({ a: ['b'], b: ['a'] }), [['a', 'b', 'a']]);
  assert.deepEqual(circlesOf({ start: ['a'], a: ['b', 'leaf'], b: ['c'], c: ['a'], leaf: [] }), [
    ['a', 'b', 'c', 'a'],
  ]);
  assert.deepEqual(circlesOf({ itself: ['itself'] }), [['itself', 'itself']]);
});

test('circles apart from each other are each found once', () => {
  assert.deepEqual(circlesOf({ a: ['b', 'c'], b: ['a'], c: ['d'], d: ['c'] }), [
    ['a', 'b', 'a'],
    ['c', 'd', 'c'],
  ]);
});

test('a file that is imported on two ways is no circle, nor is one that is not known', () => {
  assert.deepEqual(circlesOf({ a: ['b', 'c'], b: ['shared'], c: ['shared', 'style.css'], shared: [] }), []);
});
