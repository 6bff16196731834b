/** The first lines of messages that customers added to offers. */
import * as z from 'zod/mini';
import { callDashboardFunction, type DashboardClient } from './dashboard-function.ts';

/** Maximum number of offers in a call: a body of 1,000 ids is below the server's 64 KiB. */
export const MAX_IDS = 1_000;

export function createMessageLinesApi(client: DashboardClient) {
  return {
    /**
     * By offer id; offers without a message are missing.
     * @param offer_ids at most `MAX_IDS`
     */
    readMessageLines: (offer_ids: readonly string[], signal: AbortSignal) =>
      callDashboardFunction(client, 'message_lines', { offer_ids }, z.record(z.string(), z.string()), signal),
  };
}

export type MessageLinesApi = ReturnType<typeof createMessageLinesApi>;
