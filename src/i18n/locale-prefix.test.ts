import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prefixedLanguage, prefixOf } from './locale-prefix.ts';

test('a page tells its language by its prefix, and the first language has none', () => {
  const languages = ['en', 'de'];
  for (const path of ['/', '/sites/lap.app', '/domains/2']) {
    assert.equal(prefixedLanguage('en', prefixOf('en', languages) + path), undefined);
    assert.equal(prefixedLanguage('de', prefixOf('de', languages) + path), 'de');
  }
  assert.equal(prefixedLanguage('de', '/de'), 'de');
  assert.equal(prefixedLanguage('de', '/de.example/de'), undefined);
});
