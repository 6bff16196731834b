/** Calls the function `deliver` after an offer or a move was stored. */
import { logError } from './log.ts';
import { oneAtATime } from './one-at-a-time.ts';
import type { Settings } from './settings.ts';

/** Longer than two calls of `deliver` take: the second one waits for the first. */
const DELIVER_TIMEOUT_MS = 90_000;

/** The runtime of hosted functions. */
interface EdgeRuntime {
  /** Lets the function live until the promise is settled, after its response. */
  waitUntil(promise: Promise<unknown>): void;
}

/** Sends a request to `deliver`: over the network, or in the same process. */
export type SendToDeliver = (request: Request) => Promise<Response>;

export interface DeliverSoon {
  /** The function that calls, for its log. */
  readonly caller: string;
  readonly url: string;
  readonly secretKey: string;
  readonly send: SendToDeliver;
  /** Undefined on the embedded backend, whose process lives on. */
  readonly runtime: EdgeRuntime | undefined;
}

/**
 * Creates the call: it returns at once and never throws. While one is under way, any number of further ones become one
 * more after it. A call that fails is logged; the scheduler calls `deliver` within a minute.
 */
export function createDeliverSoon({ caller, url, secretKey, send, runtime }: DeliverSoon): () => void {
  const deliver = oneAtATime(async () => {
    try {
      const response = await send(
        new Request(`${url}/functions/v1/deliver`, {
          method: 'POST',
          headers: { apikey: secretKey, 'content-type': 'application/json' },
          body: '{}',
        }),
      );
      await response.body?.cancel();
      if (!response.ok) logError(caller, 'deliver_failed', `status ${response.status}`);
    } catch (error) {
      logError(caller, 'deliver_failed', error instanceof Error ? error.name : typeof error);
    }
  });

  return () => {
    const delivered = deliver();
    runtime?.waitUntil(delivered);
  };
}

/** Sends it over the network. */
export const sendToDeliver: SendToDeliver = (request) =>
  fetch(request, { signal: AbortSignal.timeout(DELIVER_TIMEOUT_MS) });

/** The call of a function; undefined where no messages are configured. */
export function deliverSoonOf(
  caller: string,
  settings: Settings,
  send: SendToDeliver,
): (() => void) | undefined {
  const { mail, webhooks } = settings.messages;
  const hasMessages = mail !== undefined || webhooks.urls.length > 0;
  return hasMessages ? createDeliverSoon({ caller, ...settings, send, runtime: edgeRuntime() }) : undefined;
}

/** The global of hosted functions; undefined elsewhere. */
export function edgeRuntime(): EdgeRuntime | undefined {
  return (globalThis as { EdgeRuntime?: EdgeRuntime }).EdgeRuntime;
}
