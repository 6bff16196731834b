import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasOwnImages } from './own-images.ts';

test('up to a thousand domains have their own share images; more only if configured', () => {
  assert.equal(hasOwnImages({}, 1_000), true);
  assert.equal(hasOwnImages({}, 1_001), false);
  assert.equal(hasOwnImages({ shareImages: true }, 10_000), true);
  assert.equal(hasOwnImages({ shareImages: false }, 4), false);
});
