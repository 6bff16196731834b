/**
 * The table `offers` over the data API, which returns at most 1,000 rows a request. The list is therefore read in pages,
 * and a page by the key of its first row: an offset would cost more the further one scrolls, and rows would move from
 * page to page whenever an offer arrives. Held offers are a list of their own.
 *
 * Row level security shows an ended session no rows and no error. An empty page is therefore never taken for an empty
 * list before `offer_pages` has responded, which rejects an ended session.
 */
import type { SupabaseClient } from '@supabase/supabase-js';
import * as z from 'zod/mini';
import { type Offer, OfferSchema, type OfferStatus } from '#contract/offer.ts';
import { type DashboardClient, dataOf } from './dashboard-function.ts';
import { withFreshToken } from './with-fresh-token.ts';

/** Offers of a page. */
export const PAGE_SIZE = 100;

/** The first row of a page, newest first. The time is carried as text, to the microsecond. */
export interface PageKey {
  readonly created_at: string;
  readonly id: string;
}

/** Where each page begins, as of one moment. Offers that arrive later are newer than all of it. */
export interface PageIndex {
  readonly total: number;
  readonly keys: readonly PageKey[];
}

/**
 * Reads a list of offers: all of them, or those that match a filter.
 * @throws SessionEnded, or Error with the server's message (empty where it has none)
 */
export interface OffersReader {
  /** The page that begins at `from`, otherwise the newest offers; without held ones. */
  readPage(from?: PageKey): Promise<Offer[]>;
  /** Where the pages of `readPage` begin. */
  readPageIndex(): Promise<PageIndex>;
  /** Held offers, newest first, from `from` on. */
  readHeldPage(from?: PageKey): Promise<Offer[]>;
}

/** All offers. Throws as `OffersReader`. */
export interface OffersApi extends OffersReader {
  /** One offer, held or not. */
  readOffer(id: string): Promise<Offer | undefined>;
  /** `conflict` when the offer no longer has the status that was seen: another admin changed it first. */
  changeStatus(id: string, seen: string, status: OfferStatus): Promise<'changed' | 'conflict'>;
}

export function createOffersApi(client: DashboardClient & Pick<SupabaseClient, 'from'>): OffersApi {
  async function readRows(held: boolean, from: PageKey | undefined): Promise<Offer[]> {
    const response = await withFreshToken(client.auth, () => {
      const all = client.from('offers').select('*').is('held', held);
      const page = from ? all.or(atOrBefore(from)) : all;
      return (
        page
          .order('created_at', { ascending: false })
          .order('id', { ascending: false })
          .limit(PAGE_SIZE)
          // The page has a Refresh button; supabase-js would retry silently for seven seconds.
          .retry(false)
      );
    });
    return dataOf(z.array(OfferSchema), response).filter((row) => (row.held ?? false) === held);
  }

  const readPageIndex = () => readPageIndexOf(client);

  return {
    async readPage(from) {
      const rows = await readRows(false, from);
      if (rows.length === 0) await readPageIndex();
      return rows;
    },

    readPageIndex,

    readHeldPage: (from) => readRows(true, from),

    async readOffer(id) {
      const response = await withFreshToken(client.auth, () =>
        client.from('offers').select('*').eq('id', id).limit(1).retry(false),
      );
      const [offer] = dataOf(z.array(OfferSchema), response);
      if (!offer) await readPageIndex();
      return offer;
    },

    async changeStatus(id, seen, status) {
      const changed = await withFreshToken(client.auth, () =>
        client
          .from('offers')
          .update({ status })
          .eq('id', id)
          .eq('status', seen)
          // Without it, an update that matched nothing would look like a success.
          .select('id'),
      );
      return dataOf(z.array(z.object({ id: z.string() })), changed).length === 0 ? 'conflict' : 'changed';
    },
  };
}

/** @param filter undefined for all offers */
export async function readPageIndexOf(client: DashboardClient, filter?: object): Promise<PageIndex> {
  const response = await withFreshToken(client.auth, () =>
    client.rpc('offer_pages', { page_size: PAGE_SIZE, filter }),
  );
  const rows = dataOf(z.array(PageRowSchema), response);
  const total = rows[0]?.total ?? 0;
  // An error is better than a list that is silently cut off.
  if (rows.length * PAGE_SIZE < total) throw new Error();
  const sorted = rows.toSorted((a, b) => a.page - b.page);
  return { total, keys: sorted.map((row) => ({ created_at: row.first_created_at, id: row.first_id })) };
}

/** One page of `offer_pages`, which returns all pages as one value, so that no row limit applies. */
const PageRowSchema = z.object({
  page: z.number(),
  first_created_at: z.string(),
  first_id: z.string(),
  total: z.number(),
});

/** The quotes keep the time's own `.`, `:` and `,` from being read as the filter's. */
function atOrBefore({ created_at, id }: PageKey): string {
  return `created_at.lt."${created_at}",and(created_at.eq."${created_at}",id.lte."${id}")`;
}
