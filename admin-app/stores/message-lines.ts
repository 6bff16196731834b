/** The first lines of the messages of the offers in the list, read after its rows. */
import { queryOptions } from '@tanstack/react-query';
import type { Offer } from '#contract/offer.ts';
import type { Call } from '../api/call.ts';

/** Maximum number of offers in a call: a body of 1,000 ids is below the server's 64 KiB. */
export const MAX_IDS = 1_000;

export function createMessageLines(call: Call) {
  return {
    /** A message never changes, so that the lines of the same offers are not read again. */
    messageLinesQuery(offers: readonly Offer[]) {
      const ids = offers.map(({ id }) => id).slice(0, MAX_IDS);
      return queryOptions({
        queryKey: ['message lines', ids],
        queryFn: ({ signal }) => call('message_lines', { offer_ids: ids }, signal),
        staleTime: Number.POSITIVE_INFINITY,
        meta: { failure: 'Failed to load the messages of offers' },
      });
    },
  };
}
