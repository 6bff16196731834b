import type { ListingState } from './contract/publication.ts';
import type { Listings } from './listings.ts';
import { Rejection } from './rejection.ts';

/** @throws Rejection unless a domain is for sale */
export async function assertForSale(listings: Listings, name: string): Promise<void> {
  const state = await listings.stateOf(name);
  if (state !== 'for_sale') throw rejectionOf(state);
}

/** @param state undefined or null: the name is not in the catalogue */
export function rejectionOf(state: Exclude<ListingState, 'for_sale'> | undefined | null): Rejection {
  if (state === 'sold') return new Rejection('domain_sold');
  return new Rejection(state === 'reserved' ? 'domain_reserved' : 'unknown_domain');
}
