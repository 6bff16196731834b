/** The link by which the buyer of an offer negotiates without an account. */
import { createHash, randomBytes } from 'node:crypto';
import type { StoredLink } from './contract/negotiation.ts';
import { keyedHash } from './keyed-hash.ts';
import type { PublishedCatalogue } from './listings.ts';

/** The token of an offer's link: 128 bits in hexadecimal, the same each time under the same secret key. */
export function linkToken(
  secretKey: string,
  offerId: string,
  { number, nonce }: Omit<StoredLink, 'hash'>,
): string {
  return keyedHash(secretKey, 'offer-link', `${offerId}\n${number}\n${nonce}`).slice(0, 32);
}

/** @param number of the link among those of its offer */
export function makeLink(secretKey: string, offerId: string, number: number): StoredLink {
  const link = { number, nonce: randomBytes(16).toString('hex') };
  return { ...link, hash: hashOfToken(linkToken(secretKey, offerId, link)) };
}

export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** What a mail needs of the move that it is about. */
type MailedMove = { readonly kind: string; readonly as?: string | null | undefined };

/** Whether the buyer can make no move after it, and only reads what was said. */
export function isEnd({ kind, as }: MailedMove): boolean {
  return kind === 'decline' || (kind === 'take_back' && as === 'rejected');
}

/**
 * The URL with the token of a stored link; undefined where that was made under another secret key, and for a mail about a refusal
 * while the name is not for sale: then it opens nothing.
 * @param language of the page that the offer came from; undefined: the site's first
 * @param move that a mail with the link is about
 */
export function linkUrl(
  secretKey: string,
  { site, states, language: first, settings }: PublishedCatalogue,
  offer: { readonly id: string; readonly domain: string; readonly language?: string | null | undefined },
  link: StoredLink,
  move?: MailedMove,
): string | undefined {
  if (move?.kind === 'decline' && states.get(offer.domain) !== 'for_sale') return undefined;
  const token = linkToken(secretKey, offer.id, link);
  if (hashOfToken(token) !== link.hash) return undefined;
  const { language } = offer;
  const hasPages = language && language !== first && settings.languages?.includes(language);
  const host = site.hosts.find((one) => states.get(one) !== 'for_sale') ?? offer.domain;
  return `https://${host}/${hasPages ? `${language}/` : ''}offer/#${token}`;
}
