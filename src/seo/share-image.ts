import { createHash } from 'node:crypto';
import { isForSale } from '../catalogue/related-domains.ts';
import type { DomainEntry } from '../catalogue/schema.ts';

/** Size of every share image, in pixels, as social networks recommend. */
export const SHARE_IMAGE = { width: 1200, height: 630 } as const;

/** In a catalogue of more names, all pages share one image: drawing a thousand takes half a minute of processor time. */
const MAX_NAMES = 1_000;

/** The names that have their own share image. @param domains the whole catalogue */
export function namesWithImage(domains: readonly DomainEntry[]): string[] {
  return domains.length > MAX_NAMES ? [] : domains.filter(isForSale).map(({ name }) => name);
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
