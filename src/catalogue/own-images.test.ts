import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasOwnImages } from './own-images.ts';

test('each of a thousand domains has its own picture; of more, where the owner says so', () => {
  assert.equal(hasOwnImages({}, 1_000), true);
  assert.equal(hasOwnImages({}, 1_001), false);
  assert.equal(hasOwnImages({ shareImages: true }, 10_000), true);
  assert.equal(hasOwnImages({ shareImages: false }, 4), false);
});
