/** The changes of an offer's status, from the audit. */
import type { SupabaseClient } from '@supabase/supabase-js';
import * as z from 'zod/mini';
import { callDashboardFunction, type Unavailable } from './dashboard-function.ts';

const HistorySchema = z.array(
  z.object({
    old_status: z.string(),
    new_status: z.string(),
    changed_at: z.string(),
    /** Null where the user is deleted or the change did not come from the dashboard. */
    changed_by_email: z.nullable(z.string()),
  }),
);
/** Oldest first. */
export type OfferHistory = z.infer<typeof HistorySchema>;

/** @throws SessionEnded, or Error */
export interface OfferHistoryApi {
  readHistory(id: string): Promise<OfferHistory | Unavailable>;
}

export function createOfferHistoryApi(client: Pick<SupabaseClient, 'rpc' | 'auth'>): OfferHistoryApi {
  return {
    readHistory: (id) => callDashboardFunction(client, 'offer_history', { offer_id: id }, HistorySchema),
  };
}
