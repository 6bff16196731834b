import assert from 'node:assert/strict';
import { test } from 'node:test';
import { untranslatedTexts } from './untranslated-texts.ts';

test('texts that one language of the site alone has are named', () => {
  const texts = {
    de: { 'page.header': 'Namen', 'broker.link': 'Fragen' },
    en: { 'page.header': 'Names', 'form.submit': 'Send' },
  };
  assert.deepEqual(untranslatedTexts(texts, ['en', 'de']), [
    { file: 'texts.en.yaml', what: 'lacks texts of texts.de.yaml: write broker.link in it, too' },
    { file: 'texts.de.yaml', what: 'lacks texts of texts.en.yaml: write form.submit in it, too' },
  ]);
  assert.deepEqual(untranslatedTexts({ de: texts.de }, ['de', 'en']), [
    {
      file: 'texts.en.yaml',
      what: 'lacks texts of texts.de.yaml: write page.header, broker.link in it, too',
    },
  ]);
  assert.deepEqual(untranslatedTexts(texts, ['de']), []);
  assert.deepEqual(untranslatedTexts({ de: texts.de, en: texts.de }, ['de', 'en']), []);
});
