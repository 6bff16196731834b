import { useStore } from '@nanostores/react';
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Returned } from '#contract/calls.ts';
import type { Offer } from '#contract/offer.ts';
import { listingsQuery, messageLinesQuery, offersStore, standingsQuery } from '../stores/admin.ts';
import type { Listings } from '../stores/asking-prices.ts';
import { type OfferList, type Pages, pagesToRead, upTo } from '../stores/offer-list.ts';
import { FETCH_FAILURE } from '../stores/offers.ts';
import { messageOf } from '../stores/session-cache.ts';
import type { Standings } from '../stores/standings.ts';

export type Offers = { status: 'loading' } | { status: 'failed'; message: string } | LoadedOffers;

export interface LoadedOffers {
  readonly status: 'loaded';
  readonly list: OfferList;
  readonly pages: Pages;
  readonly listings: Listings;
  readonly messageLines: Returned<'message_lines'>;
  readonly standings: Standings;
  /** More offers, or those of another filter, are being loaded. */
  readonly reloading: boolean;
  /** The last error of loading. */
  readonly error: string | undefined;
}

/** The list of the chosen filter. The rows of the filter before stay until its first page is there. */
export function useOffers(): Offers {
  const filter = useStore(offersStore.$filter);
  const isRefreshing = useStore(offersStore.$isRefreshing);
  const loadError = useStore(offersStore.$loadError);
  const query = useQuery({ ...offersStore.listQuery(filter), placeholderData: keepPreviousData });
  const { data: list, error, isPlaceholderData } = query;
  const pages = usePages(list);
  const listings = useListings(pages);
  const messageLines = useMessageLines(pages);
  const standings = useStandings(pages);
  const isCut = list?.isWhole === false && error !== null;
  useLoadError(!list || isCut ? error : null);

  if (!list) {
    // The message stays while the list is loaded again.
    const message = error ? messageOf(error, FETCH_FAILURE) : loadError;
    return message === undefined ? { status: 'loading' } : { status: 'failed', message };
  }
  const reloading = isRefreshing || isPlaceholderData || (!list.isWhole && !isCut);
  return { status: 'loaded', list, pages, listings, messageLines, standings, reloading, error: loadError };
}

/** The pages of the list that are to be in memory. */
function usePages(list: OfferList | undefined): Pages {
  const inView = useStore(offersStore.$inView);
  const keys = list?.index.keys ?? [];
  const wanted = list ? pagesToRead(list.index, ...inView) : [];
  const { pages, error } = useQueries({
    queries: wanted.flatMap((page) => {
      const key = keys[page];
      return list && key ? [offersStore.pageQuery(list.filter, key)] : [];
    }),
    combine: (results) => ({
      pages: results.map(({ data }) => data),
      error: results.find((each) => each.error)?.error ?? null,
    }),
  });
  useLoadError(error);
  if (list && keys.length === 0) return new Map([[0, list.newest]]);
  return new Map(
    wanted.flatMap((page, place) => {
      const offers = pages[place];
      return offers ? [[page, upTo(offers, keys[page + 1])] as const] : [];
    }),
  );
}

/** State and price of the names. They are an extra: an error leaves what is known, and the next reading tries again. */
function useListings(pages: Pages): Listings {
  const offers: Offer[] = [...pages.values()].flat();
  const { data } = useQuery({ ...listingsQuery(offers), placeholderData: keepPreviousData });
  return data ?? NONE;
}

/** An extra, too. Nothing where the form has no field for a message. */
function useMessageLines(pages: Pages): Returned<'message_lines'> {
  const query = messageLinesQuery([...pages.values()].flat());
  const enabled = Boolean(import.meta.env.OFFER_MESSAGE) && pages.size > 0;
  const { data } = useQuery({ ...query, enabled, placeholderData: keepPreviousData });
  return data ?? NONE;
}

/** An extra, too. */
function useStandings(pages: Pages): Standings {
  const query = standingsQuery([...pages.values()].flat());
  const { data } = useQuery({ ...query, enabled: pages.size > 0, placeholderData: keepPreviousData });
  return data ?? NONE;
}

const NONE = {};

/** Shows an error of loading beside the rows until it is dismissed, also once its page has left the screen. */
function useLoadError(error: Error | null): void {
  useEffect(() => {
    if (error) offersStore.showLoadError(error);
  }, [error]);
}
