import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { test } from 'node:test';
import { shareImagePath } from './share-image.ts';

test('every page has the unique URL of its share image', () => {
  assert.equal(shareImagePath('lap.app'), '/share/lap.app.png');
  assert.equal(shareImagePath(), '/share/home.png');
});

test('share images of the longest names have valid file names', () => {
  const longest = (ending: string) => `${'a'.repeat(62)}.`.repeat(4).slice(0, 249) + ending;
  const paths = ['.app', '.dev'].map((ending) => shareImagePath(longest(ending)));
  assert.equal(longest('.app').length, 253);
  assert.equal(new Set(paths).size, 2);
  for (const url of paths) assert.ok(basename(url).length <= 255, url);
});
