/** Finding offers by functions of the database, which use its indexes. Their arguments are sent in the body. */
import type { SupabaseClient } from '@supabase/supabase-js';
import * as z from 'zod/mini';
import { OfferSchema, type OfferStatus } from '#contract/offer.ts';
import { callDashboardFunction, type Unavailable } from './dashboard-function.ts';
import { dataOf, type OffersReader, PAGE_SIZE, type PageKey, readPageIndexOf } from './offers.ts';
import { withFreshToken } from './with-fresh-token.ts';

/** Which offers to list. Empty for all. */
export interface OfferFilter {
  /** In any text of the offer. */
  readonly term?: string;
  readonly status?: OfferStatus;
  readonly domain?: string;
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

export interface FindApi {
  /** Reads the offers that match a filter. */
  readerOf(filter: OfferFilter): OffersReader;
  /** @throws SessionEnded, or Error */
  readCounts(signal?: AbortSignal): Promise<OfferCounts | Unavailable>;
}

export function createFindApi(client: Pick<SupabaseClient, 'rpc' | 'auth'>): FindApi {
  async function find(filter: OfferFilter & { held?: boolean }, from: PageKey | undefined) {
    const key = from && { from_created_at: from.created_at, from_id: from.id };
    const response = await withFreshToken(client.auth, () =>
      client.rpc('find_offers', { filter, ...key, page_size: PAGE_SIZE }),
    );
    return dataOf(FoundSchema, response).offers;
  }

  return {
    readerOf: (filter) => ({
      readPage: (from) => find(filter, from),
      readPageIndex: () => readPageIndexOf(client, { filter }),
      readHeldPage: (from) => find({ ...filter, held: true }, from),
    }),

    readCounts: (signal) => callDashboardFunction(client, 'offer_counts', {}, OfferCountsSchema, signal),
  };
}
