import { type Language, textsOf } from './languages.ts';
import type { IslandTexts } from './messages.ts';

/**
 * The islands' messages during prerendering. `#island-messages` resolves to this file, and in the browser to
 * island-messages.browser.ts, which reads them from the page. As island properties they would take more bytes.
 */
export function islandTexts(language: Language): IslandTexts {
  return knownOf(language).texts;
}

/** The same as JSON for a page's script element. */
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
    const { form, broker, rejections } = textsOf(language);
    const texts = { form, broker, ...(rejections && { rejections }) };
    one = { texts, json: inScript(JSON.stringify(texts)) };
    known.set(language, one);
  }
  return one;
}

/**
 * Escapes `<`, which could end the script element, and characters beyond Latin-1: V8 stores a page of Latin-1 in half
 * the memory (docs/decisions/0010).
 */
function inScript(json: string): string {
  return json.replace(/[<\u0100-\uffff]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
