/** The buyer's link as filters and mail programs rewrite it, so that its token reaches the server in the path or the query. */
import { findToken } from '#contract/link-code.ts';

/** Ways to the buyer's page in any letter case, and what stands after it. */
const OFFER = /^(\/(?!admin\/)[a-z-]+)?\/offer((?:[/%].*)?)$/i;

const HASH_AND_TOKEN = /%(?:25)*23[0-9a-f]{32}(?![0-9a-f])/i;

/** Headers of the response that leads to the page: no cache keeps it, and no other site learns the path. */
export const LINK_HEADERS = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' } as const;

/**
 * Returns where a rewritten link leads: `/offer/#TOKEN` for `/offer/%23TOKEN`, and `/offer/` for `/OFFER/` or where its token was
 * cut; a browser keeps the fragment then. Undefined for any other path.
 * @param path as it was sent: not decoded
 * @param query as it was sent, without `?`
 */
export function mendedOfferLink(path: string, query: string): string | undefined {
  const parts = OFFER.exec(path);
  if (!parts) return undefined;
  const [, language = '', rest = ''] = parts;
  const page = `${language.toLowerCase()}/offer/`;
  const token = findToken(rest) ?? findToken(HASH_AND_TOKEN.exec(query)?.[0] ?? '');
  if (token !== undefined) return `${page}#${token}`;
  const isCut = /^\/*%(?:25)*23/.test(rest);
  const isOtherCase = /^\/?$/.test(rest) && path !== path.toLowerCase();
  return isCut || isOtherCase ? page : undefined;
}
