import { type Language, textsOf } from './languages.ts';
import type { IslandTexts } from './messages.ts';

/**
 * What the islands of a page say, while it is prerendered; `#island-messages` is this, and in the browser the same out of
 * the page (island-texts.browser.ts). As properties of the islands they would be in the page in a longer form.
 */
export function islandTexts(language: Language): IslandTexts {
  return knownOf(language).texts;
}

/** The same as it stands in a page's script. */
export function islandTextsAsJson(language: Language): string {
  return knownOf(language).json;
}

interface Known {
  readonly texts: IslandTexts;
  readonly json: string;
}
const known = new Map<Language, Known>();

function knownOf(language: Language): Known {
  let one = known.get(language);
  if (!one) {
    const { form, broker, refusals } = textsOf(language);
    const texts = { form, broker, ...(refusals && { refusals }) };
    one = { texts, json: inScript(JSON.stringify(texts)) };
    known.set(language, one);
  }
  return one;
}

/**
 * Nothing in a script may look like its end; and a page of nothing but Latin-1 takes half the memory until it is written
 * (docs/decisions/0010), so that no character of the product's own makes it another.
 */
function inScript(json: string): string {
  return json.replace(/[<\u0100-\uffff]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
