/** States and asking prices of the names in the list, read after its rows. */
import { queryOptions } from '@tanstack/react-query';
import type { Offer } from '#contract/offer.ts';
import { type AskingPricesApi, type Listing, MAX_NAMES } from '../api/asking-prices.ts';

/** By name; null for one that is not in the catalogue. Those that are not known yet are missing. */
export type Listings = Readonly<Record<string, Listing | null>>;

/** Names that the server accepts. One that it rejects would cost the prices of all others of its call. */
const NAME_PATTERN = /^[a-z0-9.-]{1,253}$/;

export function createAskingPrices({ readAskingPrices }: AskingPricesApi) {
  return {
    /** The listings of the offers' names, read again with the list. */
    listingsQuery(offers: readonly Offer[]) {
      const names = [...new Set(offers.map(({ domain_name }) => domain_name))]
        .filter((name) => NAME_PATTERN.test(name))
        .sort();
      return queryOptions({
        queryKey: ['list details', 'listings', names],
        queryFn: async ({ signal }): Promise<Listings | 'unavailable'> => {
          const found: Record<string, Listing | null> = {};
          for (let first = 0; first < names.length; first += MAX_NAMES) {
            const batch = names.slice(first, first + MAX_NAMES);
            const listings = await readAskingPrices(batch, signal);
            if (listings === 'unavailable') return listings;
            for (const name of batch) found[name] = null;
            for (const listing of listings) found[listing.name] = listing;
          }
          return found;
        },
      });
    },
  };
}
