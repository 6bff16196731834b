/** What a translation lacks: nested texts that must have every text of the original, with the same gaps. */

/** The first fault, such as `has no text form.submit: …`; undefined where there is none. */
export function faultOf(texts: unknown, original: object, path: string[] = []): string | undefined {
  for (const [name, expected] of Object.entries(original)) {
    const here = [...path, name];
    const text = (texts as Record<string, unknown> | undefined)?.[name];
    const fault =
      typeof expected === 'string' ? faultOfText(text, expected, here) : faultOf(text, expected, here);
    if (fault) return fault;
  }
  return undefined;
}

function faultOfText(text: unknown, original: string, path: string[]): string | undefined {
  if (typeof text !== 'string') return `has no text ${path.join('.')}: write it`;
  const [has, wanted] = [text, original].map(gapsOf);
  if (has === wanted) return undefined;
  return `has other gaps in the text ${path.join('.')}: ${wanted ? `write ${wanted} in it` : 'write it without'}`;
}

/** `{count} {shown}`, in the order of the alphabet. */
function gapsOf(text: string): string {
  return [...new Set(text.match(/\{\w+\}/g))].sort().join(' ');
}
