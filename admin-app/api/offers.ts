/**
 * The table `offers` over the data API, which answers with at most 1,000 rows a request. The list is therefore
 * read in pages, and a page by the key of its first row: an offset would cost more the further one
 * scrolls, and rows would slip from page to page whenever an offer arrives.
 */
import type { SupabaseClient } from '@supabase/supabase-js';
import * as z from 'zod/mini';
import { type Offer, OfferSchema, type OfferStatus } from '#contract/offer.ts';

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

export interface OffersApi {
  /** The page that begins at `from`, otherwise the newest offers. */
  readPage(from?: PageKey): Promise<Offer[]>;
  readPageIndex(): Promise<PageIndex>;
  /** `conflict` when the offer no longer has the status that was seen: someone else was faster. */
  changeStatus(id: string, seen: string, status: OfferStatus): Promise<'changed' | 'conflict'>;
}

export function createOffersApi(client: Pick<SupabaseClient, 'from' | 'rpc'>): OffersApi {
  return {
    async readPage(from) {
      const newest = client.from('offers').select('*');
      const page = from ? newest.or(atOrBefore(from)) : newest;
      return rowsOf(
        OfferSchema,
        await page
          .order('created_at', { ascending: false })
          .order('id', { ascending: false })
          .limit(PAGE_SIZE)
          // The person has a button for it; seven seconds of silent repeats would only look stuck.
          .retry(false),
      );
    },

    async readPageIndex() {
      const rows = rowsOf(PageRowSchema, await client.rpc('offer_pages', { page_size: PAGE_SIZE }));
      const total = rows[0]?.total ?? 0;
      // No list is better than one that ends too early and does not say so.
      if (rows.length * PAGE_SIZE < total) throw new Error();
      return { total, keys: keysOf(rows) };
    },

    async changeStatus(id, seen, status) {
      const changed = await client
        .from('offers')
        .update({ status })
        .eq('id', id)
        .eq('status', seen)
        // Without it, an update that matched nothing would look like a success.
        .select('id');
      return rowsOf(z.object({ id: z.string() }), changed).length === 0 ? 'conflict' : 'changed';
    },
  };
}

/** One page of `offer_pages`, which answers with all of them in one value, so that no limit cuts them. */
const PageRowSchema = z.object({
  page: z.number(),
  first_created_at: z.string(),
  first_id: z.string(),
  total: z.number(),
});

function keysOf(rows: z.infer<typeof PageRowSchema>[]): PageKey[] {
  return rows
    .toSorted((a, b) => a.page - b.page)
    .map((row) => ({ created_at: row.first_created_at, id: row.first_id }));
}

/** The quotes keep the time's own `.`, `:` and `,` from being read as the filter's. */
function atOrBefore({ created_at, id }: PageKey): string {
  return `created_at.lt."${created_at}",and(created_at.eq."${created_at}",id.lte."${id}")`;
}

function rowsOf<Row extends z.ZodMiniType>(
  schema: Row,
  answer: { data: unknown; error: { message?: unknown } | null; status: number },
): z.infer<Row>[] {
  if (answer.error) throw new Error(sentenceOf(answer));
  const rows = z.array(schema).safeParse(answer.data);
  // No sentence: what is wrong with the answer would mean nothing to a person. The screen has its own.
  if (!rows.success) throw new Error('', { cause: rows.error });
  return rows.data;
}

/**
 * Where a proxy or a hotel's portal answers instead, supabase-js takes its whole page for the message; where nothing
 * answers (status 0), the browser's words for programmers. Neither is a sentence: the screen has its own.
 */
function sentenceOf({ error, status }: { error: { message?: unknown } | null; status: number }): string {
  const message = error?.message;
  return status > 0 && typeof message === 'string' && !message.trimStart().startsWith('<') ? message : '';
}
