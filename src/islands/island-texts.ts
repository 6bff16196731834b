import { type Language, textsOf } from '../texts/languages.ts';
import type { IslandTexts } from '../texts/texts.ts';

/**
 * What the islands of a page say, while it is prerendered; `#island-texts` is this, and in the browser the same out of
 * the page (island-texts.browser.ts). As properties of the islands they would be in the page in a longer form.
 */
export function islandTexts(language: Language): IslandTexts {
  let texts = known.get(language);
  if (!texts) {
    const { form, broker, refusals } = textsOf(language);
    texts = { form, broker, ...(refusals && { refusals }) };
    known.set(language, texts);
  }
  return texts;
}
const known = new Map<Language, IslandTexts>();
