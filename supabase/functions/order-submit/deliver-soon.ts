/** Calls the function `deliver` after an offer was stored, on a hosted project. */
import { logError } from '../_shared/log.ts';

/** The runtime of hosted functions. */
interface EdgeRuntime {
  /** Lets the function live until the promise is settled, after its response. */
  waitUntil(promise: Promise<unknown>): void;
}

export interface DeliverSoon {
  readonly url: string;
  readonly secretKey: string;
  /** Undefined on the embedded backend, where the server calls `deliver`. */
  readonly runtime: EdgeRuntime | undefined;
}

/** Longer than one call of `deliver` takes. */
const TIMEOUT_MS = 60_000;

/**
 * Creates the call: it returns at once and never throws. While one is under way, any number of further ones become one
 * more after it. A call that fails is logged; the schedule of the project calls `deliver` within a minute.
 */
export function createDeliverSoon({ url, secretKey, runtime }: DeliverSoon): () => void {
  let running = false;
  let again = false;

  return () => {
    if (running) again = true;
    else runtime?.waitUntil(run());
  };

  async function run(): Promise<void> {
    running = true;
    do {
      again = false;
      await deliver();
    } while (again);
    running = false;
  }

  async function deliver(): Promise<void> {
    try {
      const response = await fetch(`${url}/functions/v1/deliver`, {
        method: 'POST',
        headers: { apikey: secretKey, 'content-type': 'application/json' },
        body: '{}',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await response.body?.cancel();
      if (!response.ok) logError('order-submit', 'deliver_failed', `status ${response.status}`);
    } catch (error) {
      logError('order-submit', 'deliver_failed', error instanceof Error ? error.name : typeof error);
    }
  }
}

/** The global of hosted functions; undefined elsewhere. */
export function edgeRuntime(): EdgeRuntime | undefined {
  return (globalThis as { EdgeRuntime?: EdgeRuntime }).EdgeRuntime;
}
