import { textsOf } from './own-texts.ts';

/**
 * Checks a translation: the same texts with the same placeholders as the original. Returns the first missing or wrong
 * message, such as `has no text form.submit: …`.
 */
export function findMissingMessage(messages: object, original: object): string | undefined {
  const texts = textsOf(messages);
  for (const [key, expected] of textsOf(original)) {
    const text = texts.get(key);
    if (text === undefined) return `has no text ${key}: write it`;
    const [has, wanted] = [text, expected].map(placeholdersOf);
    if (has === wanted) continue;
    return `has other placeholders in the text ${key}: ${wanted ? `write ${wanted} in it` : 'write it without'}`;
  }
  return undefined;
}

/** `{count} {shown}`, sorted. */
export function placeholdersOf(text: string): string {
  return [...new Set(text.match(/\{\w+\}/g))].sort().join(' ');
}
