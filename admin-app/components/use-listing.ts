import { useSyncExternalStore } from 'react';
import { $listings } from '../stores/admin.ts';

/** State and price of a name in the catalogue. Renders again only when those of this name change. */
export function useListing(domain: string) {
  return useSyncExternalStore($listings.listen, () => $listings.get().get(domain));
}
