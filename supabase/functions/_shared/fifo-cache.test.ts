import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fifoCache } from './fifo-cache.ts';

test('the oldest entry is evicted first, and one that is set again is a new one', () => {
  const cache = fifoCache<number>(2);
  cache.set('a', 1);
  cache.set('b', 2);
  cache.set('a', 3);
  cache.set('c', 4);
  assert.deepEqual(['a', 'b', 'c'].map(cache.get), [3, undefined, 4]);
});
