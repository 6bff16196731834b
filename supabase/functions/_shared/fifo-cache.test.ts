import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fifoCache } from './fifo-cache.ts';

test('the cache evicts its oldest entry first, and an entry set again is the newest', () => {
  const cache = fifoCache<number>(2);
  cache.set('a', 1);
  cache.set('b', 2);
  cache.set('a', 3);
  cache.set('c', 4);
  assert.deepEqual(['a', 'b', 'c'].map(cache.get), [3, undefined, 4]);
});
