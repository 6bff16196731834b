/** Calls the edge function `deliver`: at the start, at an interval, and soon after messages have become due. */

export interface MessageClockOptions {
  /** Whether messages are configured. Without, `deliver` is called until it has reported that once. */
  readonly configured: boolean;
  /** One call of the function. @param retry also tries again what has failed to be sent so far */
  deliver(retry: boolean): Promise<void>;
}

/** Messages that are tried again are due at any second; the shortest delay between tries is 10 s. */
const INTERVAL_MS = 10_000;

/** Offers that arrive together are delivered together, after they have been stored: the processor is shared. */
const DELAY_MS = 300;

export function startMessageClock({ configured, deliver }: MessageClockOptions) {
  let isFirst = true;
  let inFlight = false;
  let isDue = false;
  let stopped = false;
  let soon: NodeJS.Timeout | undefined;

  async function run(): Promise<void> {
    isDue = true;
    if (inFlight) return;
    inFlight = true;
    while (isDue && !stopped) {
      isDue = false;
      try {
        await deliver(isFirst);
        isFirst = false;
      } catch {
        // The functions have logged it, or are being restarted. The next interval tries again.
      }
    }
    inFlight = false;
  }

  const timer = setInterval(() => {
    if (configured || isFirst) void run();
  }, INTERVAL_MS);
  timer.unref();
  void run();
  return {
    /** Delivers within a moment, or right after the call that is in flight. Returns at once; never throws. */
    deliverSoon: () => {
      if (!configured || stopped) return;
      soon ??= setTimeout(() => {
        soon = undefined;
        void run();
      }, DELAY_MS).unref();
    },
    stop: () => {
      stopped = true;
      clearInterval(timer);
      clearTimeout(soon);
    },
  };
}
