import { createContext, useContext } from 'react';
import type { Listings } from '../stores/asking-prices.ts';

/** State and price of the names in the list, as far as they are known. */
export const ShownListings = createContext<Listings>({});

/** Null for a name that is not in the catalogue, undefined while that is not known. */
export function useListing(domain: string) {
  return useContext(ShownListings)[domain];
}
