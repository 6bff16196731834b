/** The first lines of the messages of the offers in the list, read after its rows. */
import { queryOptions } from '@tanstack/react-query';
import type { Offer } from '#contract/offer.ts';
import { MAX_IDS, type MessageLinesApi } from '../api/message-lines.ts';

/** By offer id; those without a message are missing. */
export type MessageLines = Readonly<Record<string, string>>;

export function createMessageLines({ readMessageLines }: MessageLinesApi) {
  return {
    /** A message never changes, so that the lines of the same offers are not read again. */
    messageLinesQuery(offers: readonly Offer[]) {
      const ids = offers.map(({ id }) => id).slice(0, MAX_IDS);
      return queryOptions({
        queryKey: ['message lines', ids],
        queryFn: ({ signal }): Promise<MessageLines | 'unavailable'> => readMessageLines(ids, signal),
        staleTime: Number.POSITIVE_INFINITY,
        meta: { failure: 'Failed to load the messages of offers' },
      });
    },
  };
}
