/** What the opened row of an offer shows: its message, and the changes of its status from the audit. */
import * as z from 'zod/mini';
import { callDashboardFunction, type DashboardClient } from './dashboard-function.ts';

const MessageSchema = z.object({
  message: z.nullable(z.string()),
  confirmation_rejected: z.nullish(z.string()),
});

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
  /** What the mail server said when it rejected the customer's address; null unless it did. */
  readonly confirmationRejected: string | null;
  /** Oldest first. */
  readonly changes: z.infer<typeof ChangesSchema>;
}

export function createOfferHistoryApi(client: DashboardClient) {
  return {
    async readHistory(id: string, signal: AbortSignal): Promise<OfferHistory> {
      const [changes, found] = await Promise.all([
        callDashboardFunction(client, 'offer_history', { offer_id: id }, ChangesSchema, signal),
        callDashboardFunction(client, 'offer_message', { offer_id: id }, MessageSchema, signal),
      ]);
      if (changes === 'unavailable') throw new Error('The database has no offer_history.');
      if (found === 'unavailable') return { message: null, confirmationRejected: null, changes };
      return { message: found.message, confirmationRejected: found.confirmation_rejected ?? null, changes };
    },
  };
}

export type OfferHistoryApi = ReturnType<typeof createOfferHistoryApi>;
