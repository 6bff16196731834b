/** How messages about offers stand, and the retry of those that failed. */
import * as z from 'zod/mini';
import { callDashboardFunction, type DashboardClient } from './dashboard-function.ts';

const count = z.pipe(
  z.nullish(z.number()),
  z.transform((number) => number ?? 0),
);

const MessageStatusSchema = z.object({
  /** Number of configured email addresses. */
  mail: count,
  /** Number of configured webhooks. */
  webhooks: count,
  /** Messages that are not sent yet, those that will be tried again included. */
  queued: count,
  /** Messages that are not tried again by themselves. */
  failed: count,
  sent: count,
  last_sent_at: z.nullish(z.string()),
  /** Messages from before a backup was restored, which wait for the owner's command. */
  paused: count,
  /** The last failed try of a message that is not sent. */
  last_failure: z.nullish(
    z.object({
      /** The response of the mail server or webhook, at most 300 characters. */
      reason: z.string(),
      target_kind: z.enum(['mail', 'webhook']),
      /** Null where the message is not tried again by itself. */
      retry_at: z.nullish(z.string()),
    }),
  ),
  /** The latest deliveries that are not tried again by themselves, newest first, at most 20. */
  failures: z.nullish(
    z.array(
      z.object({
        id: z.number(),
        /** `offer`, `overdue` or `confirmation`. */
        kind: z.string(),
        /** Of one of its offers. */
        domain: z.string(),
        /** Number of its offers: more than one in a digest. */
        offers: z.number(),
        /** As that of `last_failure`. */
        reason: z.string(),
        target_kind: z.enum(['mail', 'webhook']),
      }),
    ),
  ),
  /** Ids of offers whose confirmation the mail server rejected for good, because of the customer's address. */
  rejected_confirmations: z.nullish(z.array(z.string())),
});
export type MessageStatus = z.infer<typeof MessageStatusSchema>;

export function createMessageStatusApi(client: DashboardClient) {
  return {
    readMessageStatus: (signal: AbortSignal) =>
      callDashboardFunction(client, 'message_status', {}, MessageStatusSchema, signal),
    /** Makes queued and failed messages due now. @returns how many */
    retryMessages: () => callDashboardFunction(client, 'retry_messages', {}, z.number()),
    /** Takes a failure from the report. @returns the number of its messages */
    dismissMessage: (id: number) => callDashboardFunction(client, 'dismiss_message', { id }, z.number()),
  };
}

export type MessageStatusApi = ReturnType<typeof createMessageStatusApi>;
