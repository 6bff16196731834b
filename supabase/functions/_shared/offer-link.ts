/** The link by which the buyer of an offer negotiates without an account. */
import { createHash } from 'node:crypto';
import { keyedHash } from './keyed-hash.ts';
import type { PublishedCatalogue } from './listings.ts';

/** A link as the database has it: the token itself is not stored. */
export interface StoredLink {
  /** Each new link of an offer has the next one. */
  readonly number: number;
  /** SHA-256 of the token in hexadecimal. */
  readonly hash: string;
}

/** The token of an offer's link: 128 bits in hexadecimal, the same each time under the same secret key. */
export function linkToken(secretKey: string, offerId: string, number: number): string {
  return keyedHash(secretKey, 'offer-link', `${offerId}\n${number}`).slice(0, 32);
}

export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/**
 * The URL with the token of a stored link; undefined where that was made under another secret key.
 * @param language of the page that the offer came from; undefined: the site's first
 */
export function linkUrl(
  secretKey: string,
  { site, states, language: first, settings }: PublishedCatalogue,
  offer: { readonly id: string; readonly domain: string; readonly language?: string | null | undefined },
  link: StoredLink,
): string | undefined {
  const token = linkToken(secretKey, offer.id, link.number);
  if (hashOfToken(token) !== link.hash) return undefined;
  const { language } = offer;
  const hasPages = language && language !== first && settings.languages?.includes(language);
  const host = site.hosts.find((one) => states.get(one) !== 'for_sale') ?? offer.domain;
  return `https://${host}/${hasPages ? `${language}/` : ''}offer/#${token}`;
}
