/** Calls the function `deliver`: after an offer or a move was stored, and for a message about a sign-in. */
import type { FunctionContext } from './context.ts';
import { oneAtATime } from './one-at-a-time.ts';

/** Longer than two calls of `deliver` take: the second one waits for the first. */
const DELIVER_TIMEOUT_MS = 90_000;

type Caller = Pick<FunctionContext, 'fetch' | 'log' | 'waitUntil'> & {
  readonly settings: Pick<FunctionContext['settings'], 'url' | 'secretKey' | 'messages'>;
};

/**
 * Calls `deliver` and never throws: a call that fails is logged, and the scheduler calls it within a minute.
 * @param name the function that calls, for its log
 */
export async function callDeliver(
  { settings, fetch, log }: Caller,
  name: string,
  body: object,
): Promise<void> {
  try {
    const response = await fetch(`${settings.url}/functions/v1/deliver`, {
      method: 'POST',
      headers: { apikey: settings.secretKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(DELIVER_TIMEOUT_MS),
    });
    await response.body?.cancel();
    if (!response.ok) log.error(name, 'deliver_failed', `status ${response.status}`);
  } catch (error) {
    log.error(name, 'deliver_failed', error instanceof Error ? error.name : typeof error);
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
