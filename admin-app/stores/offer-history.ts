/** The opened histories of offers. They stay open while their rows are scrolled off the page. */
import { queryOptions } from '@tanstack/react-query';
import type { OfferHistoryApi } from '../api/offer-history.ts';
import type { SessionCache } from './session-cache.ts';

export function createOfferHistory(
  { readHistory }: OfferHistoryApi,
  { sessionAtom }: Pick<SessionCache, 'sessionAtom'>,
) {
  /** The offers whose row is open. */
  const $open = sessionAtom<ReadonlySet<string>>(new Set());

  return {
    $open,

    /** Read again with the list. */
    historyQuery: (id: string) =>
      queryOptions({
        queryKey: ['list details', 'history', id],
        queryFn: ({ signal }) => readHistory(id, signal),
        meta: { failure: 'Failed to load the history of an offer' },
      }),

    openHistory: (id: string) => $open.set(new Set($open.get()).add(id)),

    toggleHistory(id: string): void {
      const open = new Set($open.get());
      if (!open.delete(id)) open.add(id);
      $open.set(open);
    },
  };
}
