/** The function `new_offers`, which is called again and again while the dashboard is open. */
import * as z from 'zod/mini';
import { isoTime } from '#contract/iso-time.ts';
import { OfferSchema } from '#contract/offer.ts';
import { callDashboardFunction, type DashboardClient } from './dashboard-function.ts';

/** Maximum number of offers in a response; the newest ones. */
export const MAX_NEW_OFFERS = 100;

const NewOffersSchema = z.object({
  /** Newest first, without held ones. Begins a minute before `since`, for offers that were stored late. */
  offers: z.array(OfferSchema),
  /** Number of pending offers, without held ones. */
  pending: z.number(),
  /** Number of held offers. */
  held: z.optional(z.number()),
  /** Number of the newest move of a buyer; absent where there is none. */
  moved: z.optional(z.number()),
});

const LONG_AGO = '1970-01-01T00:00:00+00:00';

export function createNewOffersApi(client: DashboardClient) {
  return {
    /** @param since the time of the newest known offer as the data API wrote it; undefined where none is known */
    readNewOffers: (since: string | undefined, signal: AbortSignal) => {
      const parameters = { since: isoTime(since ?? LONG_AGO) };
      return callDashboardFunction(client, 'new_offers', parameters, NewOffersSchema, signal);
    },
  };
}

export type NewOffersApi = ReturnType<typeof createNewOffersApi>;
