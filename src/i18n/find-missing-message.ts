/** Checks a translation: nested messages with the same keys and placeholders as the original. */

/** The first missing or wrong message, such as `has no text form.submit: …`; undefined where there is none. */
export function findMissingMessage(
  messages: unknown,
  original: object,
  path: string[] = [],
): string | undefined {
  for (const [name, expected] of Object.entries(original)) {
    const here = [...path, name];
    const text = (messages as Record<string, unknown> | undefined)?.[name];
    const missing =
      typeof expected === 'string'
        ? checkMessage(text, expected, here)
        : findMissingMessage(text, expected, here);
    if (missing) return missing;
  }
  return undefined;
}

function checkMessage(text: unknown, original: string, path: string[]): string | undefined {
  if (typeof text !== 'string') return `has no text ${path.join('.')}: write it`;
  const [has, wanted] = [text, original].map(placeholdersOf);
  if (has === wanted) return undefined;
  return `has other placeholders in the text ${path.join('.')}: ${wanted ? `write ${wanted} in it` : 'write it without'}`;
}

/** `{count} {shown}`, sorted. */
export function placeholdersOf(text: string): string {
  return [...new Set(text.match(/\{\w+\}/g))].sort().join(' ');
}
