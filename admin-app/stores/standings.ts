/** The last move of each offer in the list, and the amount that counts, read after its rows and again with them. */
import { queryOptions } from '@tanstack/react-query';
import type { Returned } from '#contract/calls.ts';
import type { Offer } from '#contract/offer.ts';
import type { Call } from '../api/call.ts';

/** By offer id; offers without moves are missing. */
export type Standings = Returned<'standings'>;
export type Standing = Standings[string];

/** Maximum number of offers in a call: a body of 1,000 ids is below the server's 64 KiB. */
export const MAX_IDS = 1_000;

export function createStandings(call: Call) {
  return {
    standingsQuery(offers: readonly Offer[]) {
      const ids = offers.map(({ id }) => id);
      return queryOptions({
        queryKey: ['list details', 'standings', ids],
        queryFn: async ({ signal }): Promise<Standings> => {
          const found: Standings = {};
          for (let first = 0; first < ids.length; first += MAX_IDS) {
            const standings = await call(
              'standings',
              { offer_ids: ids.slice(first, first + MAX_IDS) },
              signal,
            );
            Object.assign(found, standings);
          }
          return found;
        },
        meta: { failure: 'Failed to load the moves of offers' },
      });
    },
  };
}

/** The standing with the amount that an offer has become by moves; undefined where it is still as entered. */
export function changedAmount({ offer_amount }: Offer, standing: Standing | undefined) {
  const amount = standing?.amount;
  if (amount === undefined || amount.trim() === offer_amount.trim()) return undefined;
  return { ...standing, kind: standing?.kind ?? '', amount };
}
