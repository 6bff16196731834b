/** States and asking prices of the names in the list, read after its rows. */
import { queryOptions } from '@tanstack/react-query';
import type { Returned } from '#contract/calls.ts';
import type { Offer } from '#contract/offer.ts';
import type { Call } from '../api/call.ts';
import { POLL, type SessionCache } from './session-cache.ts';

export type Listing = Returned<'asking_prices'>[number];

/** By name; null for one that is not in the catalogue. Those that are not known yet are missing. */
export type Listings = Readonly<Record<string, Listing | null>>;

/** Maximum number of names in a call. A body of 200 names of 253 characters is below the server's 64 KiB. */
export const MAX_NAMES = 200;

/** Names that the server accepts. One that it rejects would cost the prices of all others of its call. */
const NAME_PATTERN = /^[a-z0-9.-]{1,253}$/;

export function createAskingPrices(call: Call, { client }: SessionCache) {
  return {
    /** The listings of the offers' names, read again with the list. */
    listingsQuery(offers: readonly Offer[]) {
      const names = [...new Set(offers.map(({ domain_name }) => domain_name))]
        .filter((name) => NAME_PATTERN.test(name))
        .sort();
      return queryOptions({
        queryKey: ['list details', 'listings', names],
        queryFn: async ({ signal }): Promise<Listings> => {
          const found: Record<string, Listing | null> = {};
          for (let first = 0; first < names.length; first += MAX_NAMES) {
            const batch = names.slice(first, first + MAX_NAMES);
            const listings = await call('asking_prices', { names: batch }, signal);
            for (const name of batch) found[name] = null;
            for (const listing of listings) found[listing.name] = listing;
          }
          return found;
        },
      });
    },

    /** Polls the listing of one name, for `listingsQuery`: its owner changes it at the terminal. */
    polledListingQuery: (name: string) =>
      queryOptions({
        ...POLL,
        queryKey: ['beside list', 'listing', name],
        queryFn: async ({ signal }): Promise<Listing | null> => {
          const [listing = null] = await call('asking_prices', { names: [name] }, signal);
          client.setQueriesData<Listings>({ queryKey: ['list details', 'listings'] }, (known) =>
            known && name in known ? { ...known, [name]: listing } : known,
          );
          return listing;
        },
      }),
  };
}
