/**
 * The offers. A list is read in pages, because the data API returns at most 1,000 rows a request, and a page by the key of
 * its first row: an offset would cost more the further one scrolls, and rows would move from page to page whenever an offer
 * arrives. All offers come from the table, those of a filter from functions that use the database's indexes and take the
 * filter in the body.
 *
 * Row level security shows an ended session no rows and no error. An empty page is therefore never taken for an empty
 * list before `offer_pages` has responded, which rejects an ended session.
 */
import * as z from 'zod/mini';
import type { Only, Returned } from '#contract/calls.ts';
import { type Offer, OfferSchema, type OfferStatus } from '#contract/offer.ts';
import { type CallingClient, createCall, dataOf } from './call.ts';
import { withFreshToken } from './with-fresh-token.ts';

/** Offers of a page. */
export const PAGE_SIZE = 100;

/** Which offers to list. Empty for all but held and low ones. */
export interface OfferFilter {
  /** In any text of the offer, in its message or in the amount that was named last. */
  readonly term?: string | undefined;
  readonly status?: OfferStatus | undefined;
  readonly domain?: string | undefined;
  readonly only?: Only | undefined;
  /**
   * Pending offers first, those with the least time left at the top; or by amount within a currency, the highest first;
   * otherwise the newest first.
   */
  readonly sort?: Sort | undefined;
}

export const SORTS = ['urgent', 'amount'] as const;
type Sort = (typeof SORTS)[number];

export function isEmptyFilter(filter: OfferFilter): boolean {
  return Object.values(filter).every((value) => value === undefined);
}

/** The first row of a page. What the list is sorted by is carried as text: a time to the microsecond. */
export interface PageKey {
  readonly sort_key: string;
  readonly id: string;
}

/** Where each page begins, as of one moment. Offers that arrive later are newer than all of it. */
export interface PageIndex {
  readonly total: number;
  readonly keys: readonly PageKey[];
}

export type OfferCounts = Returned<'offer_counts'>;

/** Each call throws SessionEnded, or Error with the server's message (empty where it has none). */
export function createOffersApi(client: CallingClient) {
  const call = createCall(client);

  /** A query of the table. */
  async function select(query: Record<string, string>, signal: AbortSignal): Promise<Offer[]> {
    const response = await withFreshToken(client.auth, () =>
      client.requestData(`offers?${new URLSearchParams({ select: '*', ...query })}`, { signal }),
    );
    return dataOf(z.array(OfferSchema), response);
  }

  async function readTable(from: PageKey | undefined, signal: AbortSignal): Promise<Offer[]> {
    const query = {
      ...(from && { or: atOrBefore(from) }),
      held: 'is.false',
      low: 'is.false',
      order: 'created_at.desc,id.desc',
      limit: String(PAGE_SIZE),
    };
    const rows = await select(query, signal);
    if (rows.length === 0) await readPageIndex({}, signal);
    return rows.filter(({ held, low }) => !held && !low);
  }

  async function readPageIndex(filter: OfferFilter, signal: AbortSignal): Promise<PageIndex> {
    const parameters = { page_size: PAGE_SIZE, ...(!isEmptyFilter(filter) && { filter }) };
    const rows = await call('offer_pages', parameters, signal);
    const total = rows[0]?.total ?? 0;
    // An error is better than a list that is silently cut off.
    if (rows.length * PAGE_SIZE < total) throw new Error();
    const sorted = [...rows].sort((a, b) => a.page - b.page);
    return { total, keys: sorted.map((row) => ({ sort_key: row.first_sort_key, id: row.first_id })) };
  }

  return {
    /** The page of a filter that begins at `from`, otherwise its first one. */
    async readPage(filter: OfferFilter, from: PageKey | undefined, signal: AbortSignal): Promise<Offer[]> {
      if (isEmptyFilter(filter)) return readTable(from, signal);
      const key = from && { from_sort_key: from.sort_key, from_id: from.id };
      const parameters = { filter, ...key, page_size: PAGE_SIZE };
      return (await call('find_offers', parameters, signal)).offers;
    },

    /** Where the pages of `readPage` begin. */
    readPageIndex,

    /** One offer, held or low or neither. */
    async readOffer(id: string, signal: AbortSignal): Promise<Offer | undefined> {
      const [offer] = await select({ id: `eq.${id}`, limit: '1' }, signal);
      if (!offer) await readPageIndex({}, signal);
      return offer;
    },

    /** The number of the database's schema; 0 where that is older than the function. */
    async readSchemaVersion(signal: AbortSignal): Promise<number> {
      const response = await withFreshToken(client.auth, () =>
        client.requestData('rpc/schema_version', { method: 'POST', body: {}, signal }),
      );
      // As the data API responds, and no proxy in front of it.
      const { code } = Object(response.body) as { code?: unknown };
      return code === 'PGRST202' ? 0 : dataOf(z.number(), response);
    },

    readCounts: (signal: AbortSignal) => call('offer_counts', {}, signal),

    /** Deletes an offer for good. Nothing happens where it is gone already. */
    async removeOffer(id: string): Promise<void> {
      await call('remove_offer', { offer_id: id });
    },

    /** `conflict` when the offer no longer has the status that was seen: another admin changed it first. */
    async changeStatus(id: string, seen: string, status: OfferStatus): Promise<'changed' | 'conflict'> {
      const query = new URLSearchParams({ id: `eq.${id}`, status: `eq.${seen}`, select: 'id' });
      const changed = await withFreshToken(client.auth, () =>
        client.requestData(`offers?${query}`, { method: 'PATCH', body: { status } }),
      );
      return dataOf(z.array(z.object({ id: z.string() })), changed).length === 0 ? 'conflict' : 'changed';
    },
  };
}

export type OffersApi = ReturnType<typeof createOffersApi>;

/** The quotes keep the time's own `.`, `:` and `,` from being read as the filter's. */
function atOrBefore({ sort_key, id }: PageKey): string {
  return `(created_at.lt."${sort_key}",and(created_at.eq."${sort_key}",id.lte."${id}"))`;
}
