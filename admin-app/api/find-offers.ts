/** Finding offers by functions of the database, which use its indexes. Their arguments are sent in the body. */
import * as z from 'zod/mini';
import { OfferSchema, type OfferStatus } from '#contract/offer.ts';
import { callDashboardFunction, type DashboardClient, dataOf } from './dashboard-function.ts';
import { type OffersReader, PAGE_SIZE, type PageKey, readPageIndexOf } from './offers.ts';
import { withFreshToken } from './with-fresh-token.ts';

/** Which offers to list. Empty for all. */
export interface OfferFilter {
  /** In any text of the offer. */
  readonly term?: string | undefined;
  readonly status?: OfferStatus | undefined;
  readonly domain?: string | undefined;
}

const FoundSchema = z.object({ offers: z.array(OfferSchema) });

const OfferCountsSchema = z.object({
  /** Number of offers by status, without held ones. */
  status: z.record(z.string(), z.number()),
  held: z.number(),
  /** Domains that have offers, in alphabetical order. */
  domains: z.array(z.string()),
});
export type OfferCounts = z.infer<typeof OfferCountsSchema>;

export function createFindApi(client: DashboardClient) {
  async function find(filter: OfferFilter & { held?: boolean }, from: PageKey | undefined) {
    const key = from && { from_created_at: from.created_at, from_id: from.id };
    const response = await withFreshToken(client.auth, () =>
      client.rpc('find_offers', { filter, ...key, page_size: PAGE_SIZE }),
    );
    return dataOf(FoundSchema, response).offers;
  }

  return {
    /** Reads the offers that match a filter. */
    readerOf: (filter: OfferFilter): OffersReader => ({
      readPage: (from) => find(filter, from),
      readPageIndex: () => readPageIndexOf(client, filter),
      readHeldPage: (from) => find({ ...filter, held: true }, from),
    }),

    readCounts: (signal?: AbortSignal) =>
      callDashboardFunction(client, 'offer_counts', {}, OfferCountsSchema, signal),
  };
}

export type FindApi = ReturnType<typeof createFindApi>;
