import { findToken } from '#contract/link-code.ts';

/** The token of the buyer's link, out of what a mail program made of it. Undefined where none is left. */
export function tokenIn({ hash, search }: Pick<Location, 'hash' | 'search'>): string | undefined {
  // In the query only behind the # that a mail program moved there: trackers add ids of the same shape.
  return findToken(decoded(hash)) ?? findToken(decoded(/(?:#|%(?:25)*23).*/.exec(search)?.[0] ?? ''));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Cut within a sequence.
    return text;
  }
}
