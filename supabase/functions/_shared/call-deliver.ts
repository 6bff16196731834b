/** Calls the function `deliver`: after an offer or a move was stored, and for a message about a sign-in. */
import * as z from 'zod/mini';
import type { Log } from './log.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { DatabaseUnavailable } from './rejection.ts';
import type { Settings } from './settings.ts';

/** Longer than two calls of `deliver` take: the second one waits for the first. */
const DELIVER_TIMEOUT_MS = 90_000;

/** What `deliver` is called with. */
export const DeliverBodySchema = z.strictObject({
  /** Messages that failed before are tried at once: for the start of the server. */
  retry: z.optional(z.boolean()),
  /** A message to the owner about a sign-in, sent once to each target. */
  notice: z.optional(z.enum(['wrong_codes', 'recovery_code'])),
});
export type DeliverBody = z.infer<typeof DeliverBodySchema>;

/** Sends the messages that are due, or a notice. @throws where it fails */
export type CallDeliver = (body: DeliverBody) => Promise<unknown>;

/** How the functions of a hosted project call it. */
export function deliverByRequest(
  { url, secretKey }: Pick<Settings, 'url' | 'secretKey'>,
  fetch: typeof globalThis.fetch,
): CallDeliver {
  return async (body) => {
    const response = await fetch(`${url}/functions/v1/deliver`, {
      method: 'POST',
      headers: { apikey: secretKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(DELIVER_TIMEOUT_MS),
    });
    await response.body?.cancel();
    if (!response.ok) throw new DeliverError(`status ${response.status}`);
  };
}

class DeliverError extends Error {}

/** Why `deliver` failed, for the log: without personal data. */
export function deliverProblem(error: unknown): string {
  if (error instanceof DeliverError || error instanceof DatabaseUnavailable) return error.message;
  return error instanceof Error ? error.name : typeof error;
}

interface Caller {
  readonly settings: Pick<Settings, 'messages'>;
  readonly deliver: CallDeliver;
  readonly log: Log;
  readonly waitUntil: (promise: Promise<unknown>) => void;
}

/**
 * Calls `deliver` and never throws: a call that fails is logged, and the scheduler calls it within a minute.
 * @param name the function that calls, for its log
 */
export async function callDeliver({ deliver, log }: Caller, name: string, body: DeliverBody): Promise<void> {
  try {
    await deliver(body);
  } catch (error) {
    log.error(name, 'deliver_failed', deliverProblem(error));
  }
}

/**
 * Creates a call that returns at once. While one is under way, any number of further ones become one more after it.
 * Undefined where no messages are configured.
 */
export function deliverSoonOf(context: Caller, name: string): (() => void) | undefined {
  const { mail, webhooks } = context.settings.messages;
  if (mail === undefined && webhooks.urls.length === 0) return undefined;
  const deliver = oneAtATime(() => callDeliver(context, name, {}));
  return () => context.waitUntil(deliver());
}
