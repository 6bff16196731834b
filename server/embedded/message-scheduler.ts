/** Calls the edge function `deliver` at the start and at an interval: retries, digests and alarms wait for no offer. */

export interface MessageSchedulerOptions {
  /** Whether messages are configured. Without, `deliver` is called until it has reported that once. */
  readonly configured: boolean;
  /** One call of the function. @param retry also tries again what has failed to be sent so far */
  deliver(retry: boolean): Promise<void>;
  /** Nothing is delivered any more once it is aborted. */
  readonly signal: AbortSignal;
}

/** Messages that are tried again are due at any second; the shortest delay between tries is 10 s. */
const INTERVAL_MS = 10_000;

export async function runMessageScheduler({ configured, deliver, signal }: MessageSchedulerOptions) {
  let isFirst = true;
  while (!signal.aborted && (configured || isFirst)) {
    try {
      await deliver(isFirst);
      isFirst = false;
    } catch {
      // The functions have logged it, or are being restarted. The next round tries again.
    }
    await new Promise((resolve) => setTimeout(resolve, INTERVAL_MS).unref());
  }
}
