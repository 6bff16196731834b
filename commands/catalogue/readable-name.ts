import { shownName } from '../../src/catalogue/shown-name.ts';

/** The name for messages: one in punycode with its readable form as a comment. */
export function withReadableName(name: string): string {
  const readable = shownName(name);
  return readable === name ? name : `${name} # ${readable}`;
}
