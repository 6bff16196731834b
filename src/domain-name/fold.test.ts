import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fold } from './fold.ts';
import { lengthOf, partsOf } from './parts-of.ts';

test('case and diacritics of Latin letters are folded, other scripts stay', () => {
  for (const [text, folded] of [
    ['Bücher.example', 'bucher.example'],
    ['BU\u0308CHER', 'bucher'],
    ['straße', 'strasse'],
    ['Łódź', 'lodz'],
    ['smørrebrød', 'smorrebrod'],
    ['が', 'が'],
    ['हिन्दी', 'हिन्दी'],
  ] as const) {
    assert.equal(fold(text), folded);
  }
});

test('a name is split at its first dot, and its letters are counted without their accents', () => {
  assert.deepEqual(partsOf('lap.app'), { label: 'lap', ending: '.app' });
  assert.deepEqual(partsOf('tea.co.uk'), { label: 'tea', ending: '.co.uk' });
  assert.deepEqual(['lap', 'bücher', 'bu\u0308cher', '𝒳y'].map(lengthOf), [3, 6, 6, 2]);
});
