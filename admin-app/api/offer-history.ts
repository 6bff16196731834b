/** What the opened row of an offer shows: its message, and the changes of its status from the audit. */
import type { SupabaseClient } from '@supabase/supabase-js';
import * as z from 'zod/mini';
import { callDashboardFunction, type Unavailable } from './dashboard-function.ts';

const MessageSchema = z.object({ message: z.nullable(z.string()) });

const ChangesSchema = z.array(
  z.object({
    old_status: z.string(),
    new_status: z.string(),
    changed_at: z.string(),
    /** Null where the user is deleted or the change did not come from the dashboard. */
    changed_by_email: z.nullable(z.string()),
  }),
);

export interface OfferHistory {
  /** What the customer added to the offer, in lines; null for nothing. */
  readonly message: string | null;
  /** Oldest first. */
  readonly changes: z.infer<typeof ChangesSchema>;
}

/** @throws SessionEnded, or Error */
export interface OfferHistoryApi {
  readHistory(id: string): Promise<OfferHistory | Unavailable>;
}

export function createOfferHistoryApi(client: Pick<SupabaseClient, 'rpc' | 'auth'>): OfferHistoryApi {
  return {
    async readHistory(id) {
      const [changes, found] = await Promise.all([
        callDashboardFunction(client, 'offer_history', { offer_id: id }, ChangesSchema),
        callDashboardFunction(client, 'offer_message', { offer_id: id }, MessageSchema),
      ]);
      if (changes === 'unavailable') return changes;
      return { message: found === 'unavailable' ? null : found.message, changes };
    },
  };
}
