import type { Catalogue } from './schema.ts';

/** Up to this number of domains, each has its own share image unless the setting `shareImages` is false. */
const MAX_OWN_IMAGES = 1_000;

/** Whether each domain has its own share image; otherwise all share one. */
export function hasOwnImages(settings: Pick<Catalogue['settings'], 'shareImages'>, domains: number): boolean {
  return settings.shareImages ?? domains <= MAX_OWN_IMAGES;
}
