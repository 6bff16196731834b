import { createHash } from 'node:crypto';
import { isForSale } from '../catalogue/related-domains.ts';
import type { DomainEntry } from '../catalogue/schema.ts';
import { shownName } from '../catalogue/shown-name.ts';

/** Size of every share image, in pixels, as social networks recommend. */
export const SHARE_IMAGE = { width: 1200, height: 630 } as const;

/** In a catalogue of more names, all pages share one image: drawing a thousand takes half a minute of processor time. */
export const MAX_NAMES = 1_000;

/** Letters of European languages: Latin-1, Latin Extended-A, and Romanian's two. */
const LATIN = /^[a-z0-9.\-ß-öø-ÿā-žșț]+$/u;

/**
 * The names that have their own share image. Those in other scripts have the one without a name: the font lacks most of them,
 * visitors cannot read their `xn--` form, and a chat shows the picture without the page, where some look like another name.
 * @param domains the whole catalogue
 */
export function namesWithImage(domains: readonly DomainEntry[]): string[] {
  if (domains.length > MAX_NAMES) return [];
  return domains
    .filter((domain) => isForSale(domain) && LATIN.test(shownName(domain.name)))
    .map(({ name }) => name);
}

/**
 * Path of the image that link previews show for a page: `/share/lap.app.png`.
 * @param name the page's domain; absent for the page with nothing selected
 */
export function shareImagePath(name?: string): string {
  return `/share/${name === undefined ? 'home' : fileName(name)}.png`;
}

/** File systems take 255 bytes a name; a domain's longest is 253, and the ending takes four. */
function fileName(name: string): string {
  return name.length <= 251 ? name : createHash('sha256').update(name).digest('hex');
}
