import { type Language, messagesOf } from './languages.ts';
import type { IslandMessages } from './messages.ts';

/**
 * The islands' messages during prerendering. `#island-messages` resolves to this file, and in the browser to
 * island-messages.browser.ts, which reads them from the page. As island properties they would take more bytes.
 */
export function islandMessages(language: Language): IslandMessages {
  return knownOf(language).messages;
}

/** The same as JSON for a page's script element. */
export function islandMessagesAsJson(language: Language): string {
  return knownOf(language).json;
}

interface Known {
  readonly messages: IslandMessages;
  readonly json: string;
}
const known = new Map<Language, Known>();

function knownOf(language: Language): Known {
  let one = known.get(language);
  if (!one) {
    const { form, broker, rejections } = messagesOf(language);
    const messages = { form, broker, ...(rejections && { rejections }) };
    one = { messages, json: inScript(JSON.stringify(messages)) };
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
