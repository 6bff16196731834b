/**
 * Offers that arrive while the dashboard is open. They are inserted into the list by reading it again, or announced
 * where an insertion would move what is under the pointer or the focus.
 */
import { queryOptions } from '@tanstack/react-query';
import type { Offer } from '#contract/offer.ts';
import type { Call } from '../api/call.ts';
import type { OfferList } from './offer-list.ts';
import type { OffersStore } from './offers.ts';
import { POLL, type SessionCache } from './session-cache.ts';

/** Maximum number of offers in a response; the newest ones. */
const MAX_NEW_OFFERS = 100;
const LONG_AGO = '1970-01-01T00:00:00+00:00';

/** Offers that arrived and are not in the list yet. */
export interface Waiting {
  readonly offers: number;
  /** There may be more than `offers`. */
  readonly orMore: boolean;
}

/** @param mayInsert whether the list may be read again without a click */
export function createNewOffers(
  call: Call,
  { listQuery, countsQuery, reload }: Pick<OffersStore, 'listQuery' | 'countsQuery' | 'reload'>,
  { client }: SessionCache,
  mayInsert: () => boolean,
) {
  const listOfAll = () => client.getQueryData<OfferList>(listQuery({}).queryKey);

  /** The newest move of a buyer in the list; undefined before the first response. */
  let listedMove: number | undefined;

  /** Polled beside the list of all offers. */
  const newOffersQuery = queryOptions({
    ...POLL,
    queryKey: ['new offers'],
    queryFn: async ({ signal }) => {
      const since = listOfAll()?.newest[0]?.created_at ?? LONG_AGO;
      const response = await call('new_offers', { since }, signal);
      signal.throwIfAborted();
      const counts = client.getQueryData(countsQuery.queryKey);
      const hasOther = counts && counts.status.pending !== response.pending;
      if (hasOther) void client.invalidateQueries(countsQuery);
      const { moved = 0 } = response;
      listedMove ??= moved;
      const isOutdated = moved !== listedMove || waitingOf(response, listOfAll()).offers > 0;
      if (isOutdated && mayInsert() && (await reload({ quiet: true }))) listedMove = moved;
      return response;
    },
  });

  /** Polled beside the list of a filter, which is read again when the counts change. */
  const newCountsQuery = queryOptions({
    ...POLL,
    queryKey: ['new counts'],
    queryFn: async ({ signal, queryKey }) => {
      const before = client.getQueryData(countsQuery.queryKey);
      const counts = await call('offer_counts', {}, signal);
      signal.throwIfAborted();
      const now = client.setQueryData(countsQuery.queryKey, counts);
      const wasOutdated = client.getQueryData(queryKey) === 'outdated';
      const isOutdated = wasOutdated || (before !== undefined && now !== before);
      return isOutdated && !(mayInsert() && (await reload({ quiet: true }))) ? 'outdated' : 'current';
    },
  });

  return { newOffersQuery, newCountsQuery };
}

/** @param list of all offers */
export function waitingOf(
  response: { readonly offers: readonly Offer[] } | undefined,
  list: OfferList | undefined,
): Waiting {
  const known = new Set(list?.newest.map(({ id }) => id));
  const offers = response && list ? response.offers.filter(({ id }) => !known.has(id)).length : 0;
  return { offers, orMore: offers >= MAX_NEW_OFFERS };
}
