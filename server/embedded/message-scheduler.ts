/** Calls the function `deliver` at the start and at an interval: retries, digests and alarms wait for no offer. */

export interface MessageSchedulerOptions {
  /** Whether messages are configured. Without, `deliver` is called until it has reported that once. */
  readonly configured: boolean;
  /** One call of the function. @param body.retry also tries again what has failed to be sent so far */
  deliver(body: { retry?: boolean }): Promise<unknown>;
  onFailure(error: unknown): void;
  /** Nothing is delivered any more once it is aborted. */
  readonly signal: AbortSignal;
}

/** Messages that are tried again are due at any second; the shortest delay between tries is 10 s. */
const INTERVAL_MS = 10_000;

export async function runMessageScheduler({
  configured,
  deliver,
  onFailure,
  signal,
}: MessageSchedulerOptions) {
  let isFirst = true;
  while (!signal.aborted && (configured || isFirst)) {
    try {
      await deliver(isFirst ? { retry: true } : {});
      isFirst = false;
    } catch (error) {
      // The next round tries again.
      onFailure(error);
    }
    await new Promise((resolve) => setTimeout(resolve, INTERVAL_MS).unref());
  }
}
