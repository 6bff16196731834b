import type { Catalogue } from './schema.ts';

/** Up to so many domains, each has a picture of its own unless the owner says otherwise. */
const WITHOUT_ASKING = 1_000;

/** Whether each domain has a picture of its own for chats and networks; otherwise all share one. */
export function hasOwnImages(settings: Pick<Catalogue['settings'], 'shareImages'>, domains: number): boolean {
  return settings.shareImages ?? domains <= WITHOUT_ASKING;
}
