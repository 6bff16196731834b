import type { SiteHosts } from './contract/hosts.ts';
import type { ListingState } from './contract/publication.ts';
import type { Listings } from './listings.ts';

/** A published catalogue that does not change. Names without a state are for sale. */
export function fixedListings(site: SiteHosts, states: Record<string, ListingState> = {}): Listings {
  const all = new Map<string, ListingState>(
    [...site.names].map((name) => [name, states[name] ?? 'for_sale']),
  );
  return {
    read: async () => ({ version: 1, build: null, site, language: 'en', settings: {}, states: all }),
    stateOf: async (name) => all.get(name),
    allows: async (rule) => rule(site),
  };
}
